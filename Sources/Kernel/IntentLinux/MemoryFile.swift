import CIntentLinux
import Glibc

/// Creates and inspects anonymous files in memory (memfd_create(2)).
package enum MemoryFile {
    /// Creates a memory file that contains these bytes and that no process can change. Its offset is 0.
    package static func sealed(name: String, _ bytes: ArraySlice<UInt8>) throws(SystemError) -> SharedFileDescriptor {
        let file = try unsealed(name: name, bytes)
        try seal(file)
        return file
    }

    /// Seals a memory file, so that no process can change it from now on.
    package static func seal(_ file: SharedFileDescriptor) throws(SystemError) {
        try syscall("fcntl", on: "F_ADD_SEALS") { intentd_seal(file.rawValue) }
    }

    /// Creates a memory file that contains these bytes. Every process that has the file open can write to it. Its
    /// offset is 0.
    package static func unsealed(name: String, _ bytes: ArraySlice<UInt8>) throws(SystemError) -> SharedFileDescriptor {
        let file = FileDescriptor(owning: try syscall("memfd_create") { intentd_memfd(name) })
        try File.write(file.rawValue, bytes)
        try syscall("lseek") { lseek(file.rawValue, 0, SEEK_SET) }
        return SharedFileDescriptor(file)
    }

    /// Returns true if the descriptor refers to a memory file. Every process that has a memory file open may reopen it
    /// for writing through /proc.
    ///
    /// A file on a mounted tmpfs is not a memory file. Its permissions and its folder protect it like any other file.
    package static func isMemory(_ descriptor: Int32) throws(SystemError) -> Bool {
        try syscall("memfd_create") { intentd_is_memory(descriptor) } == 1
    }

    /// Returns true if the descriptor refers to a memory file that no process can write to or resize.
    package static func isSealed(_ descriptor: Int32) -> Bool {
        intentd_is_sealed(descriptor) == 1
    }
}
