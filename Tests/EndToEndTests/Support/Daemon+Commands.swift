import Foundation
import Glibc
import Testing

extension Daemon {
    /// Writes a file of intentd.command(5) for the app of this name.
    @discardableResult
    func writeCommands(_ text: String, as app: String = "tools") throws -> URL {
        try write(text, to: folder.appending("commands/\(app).intents"), as: app)
    }

    /// Writes a file of intentd.shortcut(5).
    @discardableResult
    func writeShortcut(_ text: String, as name: String) throws -> URL {
        try write(text, to: folder.appending("shortcuts/\(name).shortcut"), as: name)
    }

    private func write(_ text: String, to file: URL, as app: String) throws -> URL {
        // As an editor does: the old content stays until the new one is complete.
        let new = file.deletingLastPathComponent().appending(path: ".\(app).new")
        try Data(text.utf8).write(to: new)
        chmod(new.path, 0o644)
        try #require(rename(new.path, file.path) == 0)
        return file
    }

    /// Writes or replaces a secret of intentd-egress.
    func writeSecret(_ secret: String, as name: String) throws {
        let folder = folder.appending("etc/egress")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data((secret + "\n").utf8).write(to: folder.appending(path: name))
    }

    /// Writes the apps `many`, `more` and `most` with the intents `Tell0` to `Tell399`. Each catalogue is larger than a
    /// record, and all of them together are larger than a frame of a client.
    func writeLargeCatalogs() throws {
        let intents = (0..<400).map { number in
            """
            [Intent Tell\(number)]
            Description=\(String(repeating: "Tells the number \(number) of the line. ", count: 18))
            Exec=/bin/echo \(number) %{word}
            Result=text
            ReadOnly=yes
            [Intent Tell\(number).Parameter word]
            Description=\(String(repeating: "A word that is told. ", count: 5))

            """
        }.joined()
        for app in ["many", "more", "most"] { try writeCommands(intents, as: app) }
    }

    /// The live processes with this word among their arguments, by number.
    func processes(with word: String) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { number in
            // The process may have exited meanwhile.
            guard let bytes = try? Data(contentsOf: URL(filePath: "/proc/\(number)/cmdline")) else { return false }
            return bytes.split(separator: 0).contains { String(decoding: $0, as: UTF8.self) == word }
        }
    }
}
