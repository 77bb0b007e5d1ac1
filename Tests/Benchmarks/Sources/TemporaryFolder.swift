import Glibc
import IntentLinux

/// A folder that is removed when this object is released.
final class TemporaryFolder {
    let path: String

    init() throws {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/intentd-benchmarks.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw SystemError("mkdtemp", on: base, code: Errno(rawValue: errno))
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        Cleanup.add(folder: path)
        // Workers run as other users, which need search permission.
        try syscall("chmod", on: path) { chmod(path, 0o755) }
    }

    deinit { Cleanup.remove(folder: path) }

    func makeFolder(_ name: String) throws {
        let folder = "\(path)/\(name)"
        try syscall("mkdir", on: folder) { mkdir(folder, 0o755) }
        try syscall("chmod", on: folder) { chmod(folder, 0o755) }
    }

    func write(_ lines: [String], to name: String) throws {
        let file = try File.open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o644)
        try syscall("fchmod", on: name) { fchmod(file.rawValue, 0o644) }
        try File.write(file.rawValue, Array((lines.joined(separator: "\n") + "\n").utf8)[...])
    }
}
