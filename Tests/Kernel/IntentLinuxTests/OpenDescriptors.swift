import Glibc
import IntentLinux

/// The open descriptors of this process, according to the kernel.
enum OpenDescriptors {
    /// Returns true if the descriptor refers to the file with this inode number. Descriptor numbers are reused, but
    /// inode numbers of open files are not.
    static func isOpen(_ descriptor: Int32, inode: UInt64) -> Bool {
        (try? File.status(of: descriptor))?.inode == inode
    }

    /// Returns the number of descriptors that refer to the file with this inode number. The result is exact even if
    /// other tests run at the same time.
    static func count(inode: UInt64) throws -> Int {
        try File.names(in: "/proc/self/fd").count { name in
            // Another test may have closed its descriptor since the names were listed.
            Int32(name).map { isOpen($0, inode: inode) } ?? false
        }
    }

    static func isCloseOnExec(_ descriptor: Int32) -> Bool {
        let flags = fcntl(descriptor, F_GETFD)
        return flags >= 0 && flags & FD_CLOEXEC != 0
    }
}
