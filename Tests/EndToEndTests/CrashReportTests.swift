import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct CrashReportTests {
    private static let hasSymbolizer = ["/usr/bin/llvm-symbolizer", "/usr/bin/addr2line"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Each kind of crash with its signal, and the function of the app in which it happens.
    static let kinds: [(kind: String, signal: Int, function: String)] = [
        ("index", 4, "crashNow"),
        ("message", 4, "crashNow"),
        ("access", 11, "crashNow"),
        ("call", 11, "callNothing"),
        ("abort", 6, "crashNow"),
        ("overflow", 11, "overflow"),
    ]

    private func crash(in daemon: Daemon, _ kind: String) throws -> [String: Any] {
        #expect(try daemon.intentctl("run", "Probe/CrashInFunction", "--kind", kind).code == 70)
        let story = try daemon.json("why", daemon.newestRun())
        return try #require(story["crash"] as? [String: Any], "\(story)")
    }

    @Test(.enabled(if: hasSymbolizer, "needs llvm-symbolizer(1) or addr2line(1)"), arguments: kinds)
    func `why tells the signal, the app's own functions and their lines`(
        _ expected: (kind: String, signal: Int, function: String)
    ) throws {
        let crash = try crash(in: Daemon(), expected.kind)
        #expect(crash["signal"] as? Int == expected.signal)
        let frames = try #require(crash["frames"] as? [[String: Any]])
        let own = frames.flatMap { $0["calls"] as? [[String: Any]] ?? [] }.filter { $0["isOfApp"] as? Bool == true }
        let first = try #require(
            own.first { ($0["file"] as? String)?.hasSuffix("CrashIntents.swift") == true },
            "\(crash)"
        )
        #expect((first["function"] as? String)?.contains(expected.function) == true, "\(first)")
        #expect(first["line"] is Int)
        // A stack that overflows contains only the newest calls of the function.
        guard expected.kind != "overflow" else { return }
        #expect(own.contains { ($0["function"] as? String)?.contains("sendOrder") == true }, "\(own)")
    }

    @Test func `why shows the message of a fatal error and the faulty address`() throws {
        let daemon = try Daemon()
        let message = try crash(in: daemon, "message")["message"] as? String
        #expect(message?.contains("Fatal error: the order has no address") == true, "\(message ?? "")")
        #expect(try crash(in: daemon, "access")["faultAddress"] as? String == "0x40")
        let text = try daemon.intentctl("why", daemon.newestRun()).output
        #expect(text.contains("access to 0x40"), "\(text)")
    }

    @Test func `a signal that another process sends is reported, and still ends the run`() throws {
        let crash = try crash(in: Daemon(), "signal")
        #expect(crash["signal"] as? Int == 11)
        #expect(crash["faultAddress"] == nil)
    }

    @Test func `an executable that was replaced names no calls, and the build IDs are shown`() throws {
        let daemon = try Daemon()
        _ = try crash(in: daemon, "index")
        let run = try daemon.newestRun()
        try Programs.install(Programs.url("Archive"), as: daemon.folder.appending("apps/Probe"))
        let text = try daemon.intentctl("why", run).output
        #expect(text.contains("a different build has replaced") || text.contains("build ID"), "\(text)")
        #expect(!text.contains("crashNow"))
        #expect(text.contains("llvm-symbolizer -e"), "\(text)")
    }

    /// Apps are usually shipped without names and lines. Their authors keep a build that has them.
    @Test(.enabled(if: hasSymbolizer && canStrip, "needs strip(1), and llvm-symbolizer(1) or addr2line(1)"))
    func `a stripped executable has addresses that the author's own build symbolises`() throws {
        let folder = try TemporaryFolder()
        let stripped = folder.appending("Probe")
        let original = Programs.url("Probe")
        let strip = try Command(Self.strip, ["--strip-all", "-o", stripped.path, original.path])
        #expect(strip.exitCode() == 0, "\(strip.errors)")
        let daemon = try Daemon()
        try Programs.install(stripped, as: daemon.folder.appending("apps/Probe"))
        let crash = try crash(in: daemon, "message")
        #expect((crash["message"] as? String)?.contains("the order has no address") == true, "\(crash)")
        let frames = try #require(crash["frames"] as? [[String: Any]])
        let images = try #require(crash["images"] as? [[String: Any]])
        // The path of the app's own executable is empty.
        let app = try #require(images.firstIndex { $0["path"] as? String == "" && $0["buildID"] is String })
        let addresses = frames.filter { $0["image"] as? Int == app }.compactMap { $0["address"] as? String }
        #expect(!addresses.isEmpty, "\(crash)")
        let text = try daemon.intentctl("why", daemon.newestRun()).output
        #expect(!text.contains("crashNow") && text.contains("llvm-symbolizer -e"), "\(text)")
        let names = try Self.symbolized(addresses, in: original)
        #expect(names.contains("crashNow") && names.contains("sendOrder"), "\(names)")
    }

    private static let strip = URL(fileURLWithPath: "/usr/bin/strip")
    private static let canStrip = FileManager.default.isExecutableFile(atPath: strip.path)

    private static func symbolized(_ addresses: [String], in executable: URL) throws -> String {
        let tool = URL(fileURLWithPath: "/usr/bin/llvm-symbolizer")
        let run =
            if FileManager.default.isExecutableFile(atPath: tool.path) {
                try Command(tool, ["-e", executable.path] + addresses)
            } else {
                try Command(
                    URL(fileURLWithPath: "/usr/bin/addr2line"),
                    ["-f", "-i", "-e", executable.path] + addresses
                )
            }
        #expect(run.exitCode() == 0, "\(run.errors)")
        return run.output
    }

    @Test func `a report has no address in memory`() throws {
        let crash = try crash(in: Daemon(), "index")
        for frame in try #require(crash["frames"] as? [[String: Any]]) {
            guard let text = frame["address"] as? String, let address = UInt64(text.dropFirst(2), radix: 16) else {
                continue
            }
            // Files are loaded at addresses above 4 GiB.
            #expect(address < 1 << 32, "\(text)")
        }
    }

    @Test func `run prints where a private run crashed`() throws {
        let run = try Command(
            Programs.intentctl,
            ["run", "--local", Programs.url("Probe").path, "CrashInFunction", "--kind", "message"]
        )
        #expect(run.exitCode() == 70)
        #expect(run.errors.contains("message    "), "\(run.errors)")
        #expect(run.errors.contains("Fatal error: the order has no address"))
        guard Self.hasSymbolizer else { return }
        #expect(run.errors.contains("CrashIntents.swift:"), "\(run.errors)")
    }

    @Test(.enabled(if: hasSymbolizer, "needs llvm-symbolizer(1) or addr2line(1)"))
    func `a run that reaches a limit tells the lines at which its threads were`() throws {
        let daemon = try Daemon(limits: ["Runtime=1s", "Grace=2s", "KillDelay=100ms"])
        for isBlocking in ["true", "false"] {
            let ran = try daemon.intentctl("run", "Probe/Spin", "--is-blocking", isBlocking)
            #expect(ran.code == 124)
            #expect(
                ran.errors.contains("Spin.perform") && ran.errors.contains("CancellationIntents.swift:"),
                "\(ran.errors)"
            )
            let stacks = try #require(try daemon.json("why", daemon.newestRun())["stacks"] as? [String: Any])
            let frames = try #require(stacks["callStacks"] as? [[String: Any]]).flatMap {
                $0["frames"] as? [[String: Any]] ?? []
            }
            let own = frames.flatMap { $0["calls"] as? [[String: Any]] ?? [] }.filter { $0["isOfApp"] as? Bool == true }
            let line = try #require(
                own.first { ($0["file"] as? String)?.hasSuffix("CancellationIntents.swift") == true },
                "\(stacks)"
            )
            #expect(line["line"] is Int)
        }
        let waiting = try daemon.intentctl("run", "Probe/ReturnsAnyway")
        #expect(waiting.code == 124)
        let why = try daemon.intentctl("why", daemon.newestRun()).output
        #expect(why.contains("perform() was waiting for an asynchronous call"), "\(why)")
    }

    @Test func `only CoreDumps= permits core dumps`() throws {
        for (sandbox, hasDumps) in [([], false), (["CoreDumps=yes"], true)] as [([String], Bool)] {
            let daemon = try Daemon(sandbox: sandbox)
            let limits = try daemon.intentctl("run", "Probe/ReadText", "--path", "/proc/self/limits").output
            let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
            #expect(!line.hasPrefix("Max core file size        0 ") == hasDumps, "\(line)")
        }
    }
}
