import Foundation

/// mandoc(1), which checks and shows manual pages.
package enum Mandoc {
    private static let program = "/usr/bin/mandoc"

    package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// cmark-gfm(1) makes HTML of the guides.
    package static var hasMarkdown: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/cmark-gfm") }

    /// What mandoc finds wrong with a page, from warnings upwards.
    package static func faults(in page: String) throws -> String {
        try run(["-Tlint", "-Wwarning"], page)
    }

    /// The page as a terminal shows it.
    package static func text(of page: String) throws -> String { try run(["-Tascii", "-Werror"], page) }

    private static func run(_ options: [String], _ page: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).page")
        // An empty line at the end would be a fault.
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
