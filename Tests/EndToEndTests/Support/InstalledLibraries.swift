import Foundation
import TestSupport
import Testing

/// The package of libraries that authors of apps install, written from this build.
enum InstalledLibraries {
    /// The checkout that the tests were built from.
    private static let project = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func write(to libraries: URL, in folder: TemporaryFolder) throws {
        let script = try Command(
            project.appending(path: "units/libraries"),
            ["--from", Programs.intentctl.deletingLastPathComponent().path, libraries.path],
            directory: folder.url
        )
        try #require(script.exitCode() == 0, "\(script.errors)")
    }

    /// An environment in which `swift` leaves the processors to tests that have limits of time.
    ///
    /// - Parameter installed: A folder with programs of intentd, which tests that `swift` starts find on the PATH.
    static func withPatientCompilers(in folder: TemporaryFolder, _ installed: URL? = nil) throws -> [String: String] {
        let programs = folder.appending("programs")
        let path =
            (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin") + (installed.map { ":\($0.path)" } ?? "")
        if !FileManager.default.fileExists(atPath: programs.path) {
            try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
            let swift = programs.appending(path: "swift")
            try Script.write("PATH='\(path)' exec nice -n 19 swift \"$@\"", at: swift.path)
        }
        return ["PATH": "\(programs.path):\(path)"]
    }
}

/// A client of the daemon in the same package as an app: the program Lister, which uses every other library.
enum ListerClient {
    /// Adds the client to a package that `intentctl new` has written.
    static func add(to package: URL) throws {
        let manifest = package.appending(path: "Package.swift")
        let client = """
                    .executableTarget(
                        name: "Lister",
                        dependencies: [
                            .product(name: "IntentClient", package: "intentd"),
                            .product(name: "CoreLocation", package: "intentd"),
                            .product(name: "CoreSpotlight", package: "intentd"),
                            .product(name: "CoreTransferable", package: "intentd"),
                            .product(name: "OSLog", package: "intentd"),
                            .product(name: "SwiftUI", package: "intentd"),
                            .product(name: "SwiftUICore", package: "intentd"),
                            .product(name: "UniformTypeIdentifiers", package: "intentd"),
                            .product(name: "WidgetKit", package: "intentd"),
                        ]
                    ),
                    .testTarget(
            """
        try String(contentsOf: manifest, encoding: .utf8).replacing("        .testTarget(", with: client)
            .write(to: manifest, atomically: true, encoding: .utf8)
        try FileManager.default.createDirectory(
            at: package.appending(path: "Sources/Lister"),
            withIntermediateDirectories: true
        )
        try """
        import CoreLocation
        import CoreSpotlight
        import CoreTransferable
        import IntentClient
        import OSLog
        import SwiftUI
        import SwiftUICore
        import UniformTypeIdentifiers
        import WidgetKit

        @main struct Lister {
            static func main() async throws {
                _ = Text("Apps").bold()
                Logger().info("\\(UTType.pdf.identifier)")
                let connection = try await IntentConnection.connect(to: .path(CommandLine.arguments[1]))
                print(try await connection.apps().map(\\.name))
            }
        }
        """.write(
            to: package.appending(path: "Sources/Lister/Lister.swift"),
            atomically: true,
            encoding: .utf8
        )
    }

    /// Expects the app Greeter and the client to work, and no warning among the output of their build.
    static func expectBuilt(in products: URL, _ output: String) throws {
        // The linker warns about mktemp(3) in the toolchain's static Foundation.
        let warnings = output.split(whereSeparator: \.isNewline).filter {
            $0.contains("warning") && !$0.contains("/lib/swift_static/")
        }
        #expect(warnings == [])
        let app = products.appending(path: "Greeter")
        let run = try Command(Programs.intentctl, ["run", "--local", app.path, "Greet", "--name", "you"])
        #expect(run.exitCode() == 0, "\(run.errors)")
        #expect(run.output == "Hello, you!\n")
        let daemon = try Daemon()
        let list = try Command(products.appending(path: "Lister"), [daemon.socket])
        #expect(list.exitCode() == 0, "\(list.errors)")
        #expect(list.output == "[\"Archive\", \"Probe\"]\n")
    }
}
