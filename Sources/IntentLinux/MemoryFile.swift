import CIntentLinux
import Glibc

/// Anonymous files in memory (memfd_create(2)), sealed so that no holder can change them.
package enum MemoryFile {
    /// A sealed file of these bytes. Its offset is at the start.
    package static func sealed(name: String, _ bytes: ArraySlice<UInt8>) throws(SystemError) -> SharedFileDescriptor {
        let file = try unsealed(name: name, bytes)
        try seal(file)
        return file
    }

    /// Seals a memory file, so that no holder can change it from now on.
    package static func seal(_ file: SharedFileDescriptor) throws(SystemError) {
        try syscall("fcntl", on: "F_ADD_SEALS") { intentd_seal(file.rawValue) }
    }

    /// A file of these bytes that is not sealed, so that every holder can write to it. Its offset is at the start.
    package static func unsealed(name: String, _ bytes: ArraySlice<UInt8>) throws(SystemError) -> SharedFileDescriptor {
        let file = FileDescriptor(owning: try syscall("memfd_create") { intentd_memfd(name) })
        try File.write(file.rawValue, bytes)
        try syscall("lseek") { lseek(file.rawValue, 0, SEEK_SET) }
        return SharedFileDescriptor(file)
    }

    /// True when the descriptor is a memory file. Any process that holds one may open it for writing through /proc.
    ///
    /// A file of a mounted tmpfs is not a memory file: its permissions and its folder protect it like any other file.
    package static func isMemory(_ descriptor: Int32) throws(SystemError) -> Bool {
        try syscall("memfd_create") { intentd_is_memory(descriptor) } == 1
    }

    /// True when the descriptor is a memory file that no process can write, grow or shrink any longer.
    package static func isSealed(_ descriptor: Int32) -> Bool {
        intentd_is_sealed(descriptor) == 1
    }
}
