import Glibc
import IntentLinux

/// What this process has open, as the kernel lists it.
enum OpenDescriptors {
    /// True while the descriptor refers to the file of this inode: numbers are used again, inodes of open files are not.
    static func isOpen(_ descriptor: Int32, inode: UInt64) -> Bool {
        (try? File.status(of: descriptor))?.inode == inode
    }

    /// How many descriptors refer to the file of this inode: exact however many tests run beside this one.
    static func count(inode: UInt64) throws -> Int {
        try File.names(in: "/proc/self/fd").count { name in
            // A name that is no longer open was another test's.
            Int32(name).map { isOpen($0, inode: inode) } ?? false
        }
    }

    static func isCloseOnExec(_ descriptor: Int32) -> Bool {
        let flags = fcntl(descriptor, F_GETFD)
        return flags >= 0 && flags & FD_CLOEXEC != 0
    }
}
