import Foundation
import TestSupport
import Testing

/// Tests that the recorded public API of the libraries is current, so that changes to it are visible in review.
@Suite(.ownThread) struct PublicSurfaceTests {
    @Test func `the recorded public API equals the API of this build`() throws {
        let bundles = CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folders = (bundles + [own]).map { URL(filePath: $0).deletingLastPathComponent() }
        let build = try #require(
            folders.first { FileManager.default.fileExists(atPath: $0.appending(path: "Modules").path) },
            "there are no modules beside this test"
        )
        let (status, output) = try Project.run(
            "Tests/public-surface",
            "--check",
            environment: ["BUILD_FOLDER": build.path]
        )
        #expect(status == 0, "\(output)")
    }
}
