import Foundation
import Testing

/// What the two libraries promise is written down, so that a change to it shows in review.
@Suite struct PublicSurfaceTests {
    @Test func `the list of the public surface is that of this build`() throws {
        let bundles = CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folders = (bundles + [own]).map { URL(filePath: $0).deletingLastPathComponent() }
        let build = try #require(
            folders.first { FileManager.default.fileExists(atPath: $0.appending(path: "Modules").path) },
            "there are no modules beside this test"
        )
        let script = Process()
        let output = Pipe()
        script.executableURL = URL(filePath: "\(Project.root)/Tests/public-surface")
        script.arguments = ["--check"]
        script.environment = ProcessInfo.processInfo.environment.merging(["BUILD_FOLDER": build.path]) { $1 }
        script.standardOutput = output
        script.standardError = output
        try script.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        script.waitUntilExit()
        #expect(script.terminationStatus == 0, "\(said)")
    }
}
