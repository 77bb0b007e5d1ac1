import Foundation
import Glibc
import IntentLinux

extension MemoryFile {
    /// Creates a sealed memfd. Returns nil if the sandbox denies memfd_create(2), as it does when the run's memory
    /// limit does not count memfds.
    static func permitted(_ data: Data) throws(SystemError) -> SharedFileDescriptor? {
        do throws(SystemError) {
            return try sealed(name: "intent-file", ArraySlice(data))
        } catch {
            if error.operation == "memfd_create", error.code.rawValue == EPERM { return nil }
            throw error
        }
    }
}

extension File {
    /// Creates an unlinked file in the run folder, writes the bytes to it, and returns it at offset 0.
    static func unlinked(_ data: Data) throws(SystemError) -> SharedFileDescriptor {
        let path = RunSurroundings.temporaryDirectory.appending(path: UUID().uuidString).path
        let file = try open(path, O_RDWR | O_CREAT | O_EXCL)
        try syscall("unlink", on: path) { unlink(path) }
        try write(file.rawValue, ArraySlice(data))
        try syscall("lseek") { lseek(file.rawValue, 0, SEEK_SET) }
        return SharedFileDescriptor(file)
    }
}
