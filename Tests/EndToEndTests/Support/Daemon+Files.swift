import Foundation
import Glibc
import Testing

extension Daemon {
    /// Starts a detached run and returns its identifier.
    func detach(_ arguments: String...) throws -> String { try detach(arguments) }

    func detach(_ arguments: [String]) throws -> String {
        let command = try start(["run", "--detach"] + arguments)
        try #require(command.exitCode() == 0, "\(command.errors)")
        return command.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func makeFolder(_ name: String) throws -> URL {
        let made = folder.appending(name)
        try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        return made
    }

    /// The runs that have kept result files.
    var keptResults: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.appending("cache/results").path) }
    }

    /// The disk space that a file occupies.
    func blockByteCount(of file: URL) throws -> Int {
        var status = stat()
        try #require(stat(file.path, &status) == 0)
        return Int(status.st_blocks) * 512
    }

    /// The peak resident memory of intentd.
    var peakMemoryByteCount: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
            return try #require(Int(line.split(whereSeparator: \.isWhitespace)[1])) * 1024
        }
    }
}
