import Glibc
import IntentLinux

/// A folder that is removed when this object is released.
final class TemporaryFolder {
    let path: String

    init() throws {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        path = try File.makeTemporaryFolder("\(base)/intentd-benchmarks.")
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
