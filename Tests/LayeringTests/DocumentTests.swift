import Foundation
import TestSupport
import Testing

/// What `Tests/documents check` finds in README and the guides.
@Suite(.ownThread) struct DocumentTests {
    @Test func `every block of commands says how it is tested, and every link has a target`() throws {
        let script = Process()
        let output = Pipe()
        script.executableURL = URL(filePath: "\(Project.root)/Tests/documents")
        script.arguments = ["check"]
        script.standardOutput = output
        script.standardError = output
        try script.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        script.waitUntilExit()
        #expect(script.terminationStatus == 0, "\(text)")
    }
}
