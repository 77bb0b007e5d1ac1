import Foundation
import TestSupport
import Testing
import intentctl

/// The manual pages that packages install.
@Suite(.ownThread) struct ManualPageTests {
    static let pages =
        [("intentctl", ManualPage.overview)]
        + CommandSpec.Name.allCases.map { ("intentctl-\($0.rawValue)", ManualPage.of(.named($0))) }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/mandoc"), "mandoc is not installed"),
        arguments: pages
    )
    func `mandoc finds no fault in a page, and shows its name`(_ name: String, _ page: String) throws {
        let file = URL(filePath: NSTemporaryDirectory()).appending(path: "\(UUID().uuidString).1")
        try Data((page + "\n").utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try mandoc("-Tlint", "-Wwarning", file) == "")
        let shown = try mandoc("-Tascii", "-Werror", file)
        #expect(shown.contains(name.uppercased() + "(1)"))
    }

    @Test func `a page has every option of its command, and its text`() throws {
        for name in CommandSpec.Name.allCases {
            let spec = CommandSpec.named(name)
            let page = ManualPage.of(spec)
            for option in spec.options { #expect(page.contains("\\-\\-\(option.name.replacing("-", with: "\\-"))")) }
            let words = Set(page.split(whereSeparator: \.isWhitespace))
            for word in spec.notes.joined(separator: " ").split(whereSeparator: \.isWhitespace)
            where !word.contains("\\") {
                #expect(words.contains(word) || words.contains("\\&\(word)"), "\(name): \(word)")
            }
        }
        for name in CommandSpec.Name.allCases {
            #expect(ManualPage.overview.contains("Xr intentctl-\(name.rawValue) 1"))
        }
    }

    private func mandoc(_ form: String, _ level: String, _ file: URL) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/mandoc")
        process.arguments = [form, level, file.path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}
