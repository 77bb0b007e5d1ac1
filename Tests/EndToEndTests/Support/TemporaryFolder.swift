import Foundation
import Glibc

/// A folder of a test's own that everybody may walk through, removed with it.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "intentd-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        chmod(url.path, 0o755)
    }

    deinit {
        // What cannot be removed lies in the system's temporary folder, where it harms nobody.
        try? FileManager.default.removeItem(at: url)
    }

    func appending(_ name: String) -> URL { url.appending(path: name) }

    /// A new, empty file open for writing.
    func file(_ name: String) throws -> FileHandle {
        let file = appending(name)
        try Data().write(to: file)
        return try FileHandle(forWritingTo: file)
    }

    func text(_ name: String) -> String {
        String(decoding: (try? Data(contentsOf: appending(name))) ?? Data(), as: UTF8.self)
    }

    /// A file with bytes that do not compress, the same for the same seed.
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
