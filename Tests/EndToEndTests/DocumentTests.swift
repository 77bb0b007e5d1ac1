import Foundation
import TestSupport
import Testing

/// The commands of the guides, run exactly as written.
@Suite(.ownThread) struct DocumentTests {
    @Test func `the commands of the guides work with a private daemon`() throws {
        let script = try Command(DocumentScript.url, ["run", DocumentScript.programs])
        #expect(script.exitCode() == 0, "\(script.output)\(script.errors)")
    }
}

/// `Tests/documents`, which runs the commands of README and the guides.
enum DocumentScript {
    static let url = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "documents")

    /// The folder of the built programs.
    static var programs: String { Programs.intentctl.deletingLastPathComponent().path }
}
