import Foundation
import TestSupport
import Testing

/// Tests that the repository avoids the words and phrases that `Tests/plain-english` finds.
@Suite(.ownThread) struct PlainEnglishTests {
    @Test func `no file exceeds its ceiling of phrases to avoid`() throws {
        let (status, output) = try search([], text: "")
        #expect(status == 0, "\(output)")
    }

    @Test(arguments: [
        "let brotherCount = 1", "func letGo() {}", "/// One who comes back.", "/// The same with a label.",
        "// Of these, two are open.", "print(\"there is none\")", "# nobody asked", "struct RunWish {}",
        "/// It is closed. Those that wait are not.", "A client opens\nhis file.", "let lend_file = 1",
        "fail(\"'x' is none\")",
    ])
    func `a phrase to avoid is found`(_ text: String) throws {
        let (status, output) = try search(["--stdin"], text: text)
        #expect(status == 1, "\(output)")
        #expect(output.contains(" → "))
    }

    @Test(arguments: [
        "let siblingCount = 1", "func release() {}", "/// A reconnecting owner regains its subscription.",
        "/// Closes the file, and keeps\n/// the same path.", "var other: Theme", "case .none: return",
        "#include \"the.h\"", "// plain-english: nobody (an account of Debian)\nlet account = \"nobody\"",
    ])
    func `plain text passes`(_ text: String) throws {
        let (status, output) = try search(["--stdin"], text: text)
        #expect(status == 0, "\(output)")
    }

    private func search(_ arguments: [String], text: String) throws -> (Int32, String) {
        let script = Process()
        let input = Pipe()
        let output = Pipe()
        script.executableURL = URL(filePath: "\(Project.root)/Tests/plain-english")
        script.arguments = arguments
        script.standardInput = input
        script.standardOutput = output
        script.standardError = output
        try script.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        script.waitUntilExit()
        return (script.terminationStatus, said)
    }
}
