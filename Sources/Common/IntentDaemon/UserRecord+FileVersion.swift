import Glibc

extension UserRecord {
    /// A version of a file, as text for the conditions under which a record applies.
    package struct FileVersion: Equatable, Sendable, CustomStringConvertible {
        /// The device, the inode, the size in bytes, and ``changedNanoseconds``.
        package let description: String
        /// The time of the last change of the file's contents or attributes, in nanoseconds since 1970. Unlike the time
        /// of the last modification, a user cannot set it (inode(7)).
        package let changedNanoseconds: Int64

        /// Follows symbolic links. Returns nil for a file that does not exist or cannot be inspected.
        package init?(of path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            changedNanoseconds = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
            description = "\(status.st_dev) \(status.st_ino) \(status.st_size) \(changedNanoseconds)"
        }
    }
}
