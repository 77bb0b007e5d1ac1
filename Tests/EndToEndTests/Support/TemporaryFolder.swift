import Foundation
import Glibc

/// A folder that every user may search, removed when this object is released.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "intentd-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        chmod(url.path, 0o755)
    }

    deinit {
        // A file that cannot be removed stays in the system's temporary folder, where it is harmless.
        try? FileManager.default.removeItem(at: url)
    }

    func appending(_ name: String) -> URL { url.appending(path: name) }

    /// Creates an empty file and opens it for writing.
    func file(_ name: String) throws -> FileHandle {
        let file = appending(name)
        try Data().write(to: file)
        return try FileHandle(forWritingTo: file)
    }

    /// Creates a file with a text, which every user may read.
    func file(_ name: String, _ text: String) throws -> URL {
        let file = appending(name)
        try Data(text.utf8).write(to: file)
        chmod(file.path, 0o644)
        return file
    }

    func text(_ name: String) -> String {
        String(decoding: (try? Data(contentsOf: appending(name))) ?? Data(), as: UTF8.self)
    }

    /// Creates a file of incompressible bytes, always with the same content.
    func noise(_ name: String, byteCount: Int) throws -> URL {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        var words = [UInt64](repeating: 0, count: (byteCount + 7) / 8)
        for index in words.indices {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            words[index] = state
        }
        let data = words.withUnsafeBytes { Data($0.prefix(byteCount)) }
        let file = appending(name)
        try data.write(to: file)
        chmod(file.path, 0o644)
        return file
    }
}
