import Foundation
import TestSupport
import Testing

/// Crashes of apps as authors ship them: optimised, with the Swift libraries beside them or in the executable, and with
/// or without debug information.
@Suite(.ownThread) struct ReleaseCrashTests {
    private static let areToolsInstalled = ["strip", "llvm-symbolizer"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }

    /// Each comment names the line on which that kind of crash happens.
    private static let source = """
        import AppIntents
        import Glibc

        struct Cook: AppIntent {
            static let title: LocalizedStringResource = "Cook"
            @Parameter(title: "Kind") var kind: String

            func perform() async throws -> some IntentResult & ReturnsValue<Int> {
                .result(value: sendOrder(kind))
            }
        }

        @inline(never) private func sendOrder(_ kind: String) -> Int { prepare(kind) + kind.utf8.count }

        @inline(never) private func prepare(_ kind: String) -> Int {
            switch kind {
            case "trap": fatalError("the order has no address") // trap
            case "unwrap": return Int(kind)! // unwrap
            case "abort": abort() // abort
            case "access": return UnsafePointer<Int>(bitPattern: 0x40)!.pointee // access
            default: return kind.prepareAsExtension()
            }
        }

        extension String {
            @inline(never) fileprivate func prepareAsExtension() -> Int {
                [1, 2, 3][utf8.count] // extension
            }
        }

        @main struct Kitchen: AppIntentsExtension {}
        """

    /// Each kind of crash with its signal and message. The runtime prints the message of `fatalError()`, and the debug
    /// information of an optimised program has the others.
    private static let kinds: [(kind: String, signal: Int, message: String?)] = [
        ("trap", 4, "Fatal error: the order has no address"),
        ("unwrap", 4, "Fatal error: Unexpectedly found nil"),
        ("extension", 4, "Fatal error: Index out of range"),
        ("abort", 6, nil),
        ("access", 11, nil),
    ]

    private static func line(of kind: String) throws -> Int {
        try #require(
            source.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.hasSuffix("// \(kind)") }
        )
            + 1
    }

    /// Installs a program as the app Kitchen.
    private func install(_ program: URL, in daemon: Daemon) throws {
        try Programs.install(program, as: daemon.folder.appending("apps/Kitchen"))
        #expect(try daemon.intentctl("reload").code == 0)
    }

    /// Crashes the app, and returns the run and what 'why' prints about it.
    private func crash(_ kind: String, in daemon: Daemon) throws -> (run: String, text: String) {
        let run = try daemon.intentctl("run", "Kitchen/Cook", "--kind", kind)
        #expect(run.code == 70, "\(run)")
        let id = try daemon.newestRun()
        return (id, try daemon.intentctl("why", id).output)
    }

    @Test(.enabled(if: areToolsInstalled, "needs strip(1) and llvm-symbolizer(1)"), arguments: [false, true])
    func `a crash of a release build names the app's function and line, or the command that finds them`(
        isStatic: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let program = try OptimisedProgram.make(
            "Kitchen",
            Self.source,
            // As SwiftPM links a release build.
            flags: ["-g", "-Xlinker", "--gc-sections"] + (isStatic ? ["-static-stdlib"] : []),
            in: folder
        )
        let daemon = try Daemon()
        try install(program, in: daemon)
        for (kind, signal, message) in Self.kinds {
            let text = try crash(kind, in: daemon).text
            #expect(text.contains("  crash      signal \(signal) ("), "\(kind): \(text)")
            let printed = text.split(separator: "\n").first { $0.hasPrefix("  message ") }
            #expect(message.map { printed?.contains($0) == true } ?? (printed == nil), "\(kind): \(text)")
            #expect(text.contains("access to 0x40") == (kind == "access"), "\(text)")
            #expect(!text.contains("llvm-symbolizer"), "\(kind): \(text)")
            let first = try #require(
                text.split(separator: "\n").first { $0.hasPrefix("  at ") },
                "\(kind): \(text)"
            )
            #expect(first.contains("prepare"), "\(kind): \(text)")
            #expect(first.hasSuffix("Kitchen.swift:\(try Self.line(of: kind))"), "\(kind): \(text)")
            #expect(text.contains("sendOrder"), "\(kind): \(text)")
        }

        let stripped = folder.appending("stripped")
        let strip = try Command(
            URL(fileURLWithPath: "/usr/bin/strip"),
            ["--strip-all", "-o", stripped.path, program.path]
        )
        try #require(strip.exitCode() == 0, "\(strip.errors)")
        try install(stripped, in: daemon)
        for (kind, _, _) in Self.kinds {
            let (run, text) = try crash(kind, in: daemon)
            let crash = try #require(daemon.json("why", run)["crash"] as? [String: Any], "\(text)")
            let images = try #require(crash["images"] as? [[String: Any]])
            let id = try #require(images.first { $0["path"] as? String == "" }?["buildID"] as? String)
            #expect(text.contains("(build ID \(id))") && !text.contains("prepare"), "\(kind): \(text)")
            let command = try #require(crash["command"] as? String, "\(kind): \(text)")
            #expect(text.contains(command), "\(kind): \(text)")
            // The author runs the command with a copy that has debug information.
            let installed = daemon.folder.appending("apps/Kitchen").path
            let symbolizer = try Command(
                URL(fileURLWithPath: "/bin/sh"),
                ["-c", command.replacing(installed, with: program.path)]
            )
            #expect(symbolizer.exitCode() == 0, "\(symbolizer.errors)")
            #expect(symbolizer.output.contains("prepare"), "\(kind): \(command)\n\(symbolizer.output)")
            let place = "Kitchen.swift:\(try Self.line(of: kind))"
            #expect(symbolizer.output.contains(place), "\(kind): \(command)\n\(symbolizer.output)")
        }
    }
}
