import Foundation
import TestSupport
import Testing

/// Tests README and the guides with `Tests/documents check`.
@Suite(.ownThread) struct DocumentTests {
    @Test func `every block of commands specifies its test, and every link has a target`() throws {
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
