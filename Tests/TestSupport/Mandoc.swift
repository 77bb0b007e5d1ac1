import Foundation

/// Checks and formats manual pages with mandoc(1).
package enum Mandoc {
    private static let program = "/usr/bin/mandoc"

    package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// True if cmark-gfm(1), which converts the guides to HTML, is installed.
    package static var hasMarkdown: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/cmark-gfm") }

    /// Returns mandoc's warnings and errors about a page.
    package static func faults(in page: String) throws -> String {
        try run(["-Tlint", "-Wwarning"], page)
    }

    /// Returns the page as plain text for a terminal.
    package static func text(of page: String) throws -> String { try run(["-Tascii", "-Werror"], page) }

    private static func run(_ options: [String], _ page: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).page")
        // mandoc warns about an empty line at the end.
        try Data((page.utf8.last == UInt8(ascii: "\n") ? page : page + "\n").utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = options + [file.path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}
