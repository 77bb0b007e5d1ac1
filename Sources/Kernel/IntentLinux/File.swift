import CIntentLinux
import Glibc

/// Reads, writes and inspects files by descriptor.
package enum File {
    /// The kind of file that a descriptor refers to.
    package enum Kind: Equatable, Sendable {
        case regular
        case directory
        case pipe
        case socket
        case device
        case other
    }

    /// The status of a file (stat(2)).
    package struct Status: Equatable, Sendable {
        package var kind: Kind
        package var byteCount: Int64
        /// The disk space that the file occupies in bytes, without holes.
        package var storedByteCount: Int64
        package var owner: UInt32
        package var group: UInt32
        /// The permission bits (chmod(2)).
        package var permissions: UInt32
        package var device: UInt64
        package var inode: UInt64
        /// The number of hard links.
        package var linkCount: UInt64
        package var modifiedNanoseconds: Int64
    }

    /// Opens a file by its path. The descriptor is close-on-exec.
    ///
    /// - Throws: ``SystemError`` from open(2).
    package static func open(
        _ path: String,
        _ flags: Int32 = O_RDONLY,
        permissions: UInt32 = 0o600
    ) throws(SystemError) -> FileDescriptor {
        let descriptor = try syscall("open", on: path) { Glibc.open(path, flags | O_CLOEXEC, permissions) }
        return FileDescriptor(owning: descriptor)
    }

    /// Opens a path that need not be UTF-8.
    package static func open(at path: [UInt8], _ flags: Int32) throws(SystemError) -> FileDescriptor {
        let bytes = path.map { CChar(bitPattern: $0) } + [0]
        return FileDescriptor(
            owning: try syscall("open", on: String(foreign: path)) { Glibc.open(bytes, flags | O_CLOEXEC) }
        )
    }

    /// Returns the absolute path without symbolic links (realpath(3)). Returns nil, with errno set, if the file does not
    /// exist, or if the path is not UTF-8 and stream-safe (EILSEQ).
    package static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        let path = String(validForeign: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
        free(resolved)
        if path == nil { errno = EILSEQ }
        return path
    }

    /// Opens a path with O_PATH (open(2)). The descriptor refers to the file but does not permit access to its
    /// contents.
    package static func openPath(_ path: String) throws(SystemError) -> FileDescriptor {
        FileDescriptor(owning: try syscall("open", on: path) { intentd_open_path(path) })
    }

    /// Opens a granted path with O_PATH. Fails with ELOOP if a component of the path is a symbolic link.
    package static func openGrant(_ path: String) throws(SystemError) -> FileDescriptor {
        FileDescriptor(owning: try syscall("openat2", on: path) { intentd_open_path_through_no_link(path) })
    }

    /// Returns true if the effective user and groups have the given access (`R_OK`, `W_OK`, `X_OK`) to an open file,
    /// regardless of how it was opened (faccessat(2)).
    package static func mayAccess(_ descriptor: Int32, _ permission: Int32) -> Bool {
        intentd_may_access(descriptor, permission) == 0
    }

    package static func status(of descriptor: Int32) throws(SystemError) -> Status {
        var status = stat()
        try syscall("fstat") { fstat(descriptor, &status) }
        return Status(status)
    }

    /// Returns the kind of a file from an untrusted peer, or nil on failure. Does not wait for a file system that may
    /// never respond.
    package static func kindWithoutWaiting(of descriptor: Int32) -> Kind? {
        let mode = intentd_file_mode_without_waiting(descriptor)
        return mode < 0 ? nil : Kind(mode: UInt32(mode))
    }

    /// The identity of a file from an untrusted peer. It is read without waiting for a file system that may never
    /// respond.
    package struct Identity {
        /// The file's path; nil for a file without a path, such as a pipe, a memory file or a deleted file.
        package var path: String?
        package var device: UInt64
        package var inode: UInt64
        package var byteCount: UInt64
        package var modifiedNanoseconds: Int64

        /// Reads the identity of an open file. Fails if it cannot be read.
        package init?(of descriptor: Int32) {
            var identity = intentd_file_identity()
            guard intentd_file_identity_without_waiting(descriptor, &identity) == 0 else { return nil }
            device = identity.device
            inode = identity.inode
            byteCount = identity.byte_count
            modifiedNanoseconds = identity.modified
            // Files without a path have names such as 'pipe:[…]', and the names of deleted files end with ' (deleted)'
            // (proc_pid_fd(5)).
            path = File.target(ofLink: "/proc/self/fd/\(descriptor)")
                .flatMap { path in
                    let isNamed = path.hasPrefix(utf8: "/") && !path.hasPrefix(utf8: "/memfd:")
                    return isNamed && !path.hasSuffix(utf8: " (deleted)") ? path : nil
                }
        }
    }

    /// The access mode of a descriptor.
    package enum Access: Equatable, Sendable {
        case reading
        case writing
        case both
    }

    /// Returns the access mode of a descriptor, or nil for an O_PATH descriptor or an invalid descriptor.
    package static func access(of descriptor: Int32) -> Access? {
        switch intentd_open_flags(descriptor) {
        case O_RDONLY: .reading
        case O_WRONLY: .writing
        case O_RDWR: .both
        default: nil
        }
    }

    /// Returns the status of the file at a path. Follows symbolic links.
    package static func status(at path: String) throws(SystemError) -> Status {
        var status = stat()
        try syscall("stat", on: path) { stat(path, &status) }
        return Status(status)
    }

    /// Reads up to `count` bytes. Returns no bytes at end of file, and nil if a non-blocking descriptor has no bytes
    /// yet.
    ///
    /// - Parameter buffer: A buffer of at least `count` bytes; nil to allocate one.
    package static func read(
        _ descriptor: Int32,
        upTo count: Int,
        by buffer: ReceiveBuffer? = nil
    ) throws(SystemError) -> [UInt8]? {
        try (buffer ?? ReceiveBuffer(byteCount: count)).fill(upTo: count, "read") { Glibc.read(descriptor, $0, count) }
    }

    /// Reads up to `count` bytes of a file, starting at an offset.
    package static func read(_ descriptor: Int32, upTo count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        let bytes = try ReceiveBuffer(byteCount: count)
            .fill(upTo: count, "pread") { pread(descriptor, $0, count, offset) }
        // EAGAIN is an error here, because an empty result is the end of the file. A FUSE server can return it.
        guard let bytes else { throw SystemError("pread", code: Errno(rawValue: EAGAIN)) }
        return bytes
    }

    /// Reads all bytes up to the end of the file. Returns nil if there are more than `limit` bytes.
    package static func readAll(_ descriptor: Int32, limit: Int) throws(SystemError) -> [UInt8]? {
        var all: [UInt8] = []
        while let bytes = try read(descriptor, upTo: 64 << 10), !bytes.isEmpty {
            all += bytes
            if all.count > limit { return nil }
        }
        return all
    }

    /// Writes all bytes to a blocking descriptor.
    package static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            rest = rest.dropFirst(
                try syscall("write") {
                    rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                }
            )
        }
    }

    /// Writes as many bytes as the descriptor accepts, and returns their number. Returns nil if a non-blocking
    /// descriptor is full.
    package static func writePart(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int? {
        try syscall("write", nilOn: EAGAIN) {
            bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        }
    }

    /// Sets the size of a file. Added bytes are zero (ftruncate(2)).
    package static func resize(_ descriptor: Int32, to byteCount: Int64) throws(SystemError) {
        try syscall("ftruncate") { ftruncate(descriptor, off_t(byteCount)) }
    }

    /// Sets the times of the last access and the last modification, in seconds since 1970 (futimens(3)).
    package static func setModified(_ descriptor: Int32, seconds: Int) throws(SystemError) {
        let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        try syscall("futimens") { futimens(descriptor, times) }
    }

    /// Creates a file without a name in a folder, and opens it for reading and writing. Other processes cannot give it
    /// a name.
    package static func openUnnamed(in folder: String) throws(SystemError) -> SharedFileDescriptor {
        // Do not use O_TMPFILE, because some file systems do not support it.
        let path = "\(folder)/.intentd-\(UInt64.random(in: 0 ... .max))"
        let file = try open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
        _ = unlink(path)
        return SharedFileDescriptor(file)
    }

    /// Writes text to an existing file with one write(2), as the kernel requires for files such as `cgroup.procs`.
    package static func put(_ text: String, at path: String) throws(SystemError) {
        let file = try open(path, O_WRONLY)
        try syscall("write", on: path) { Glibc.write(file.rawValue, text, text.utf8.count) }
    }

    /// The path of this process's working directory (getcwd(3)); nil if it was removed.
    package static var currentFolder: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(foreign: path)
    }

    /// Reads a small text file. Repairs invalid UTF-8.
    package static func text(at path: String, limit: Int = 1 << 20) throws(SystemError) -> String {
        String(foreign: try bytes(at: path, limit: limit))
    }

    /// Returns the target of a symbolic link as stored in the link (readlink(2)), or nil if the path is not a link.
    package static func target(ofLink path: String) -> String? { try? readLink(path) }

    /// Splits the contents of a kernel or system file into lines, without empty lines. Only a line feed ends a line.
    package static func lines(of text: String) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
    }

    /// Returns the rest of the first line of a file that starts with a prefix, or nil if there is no such line or the
    /// file cannot be read.
    package static func restOfLine(startingWith prefix: String, at path: String) -> Substring? {
        (try? lines(at: path))?.first { $0.hasPrefix(utf8: prefix) }?.dropFirst(scalars: prefix.scalarCount)
    }

    /// Reads the lines of a file, without empty lines.
    package static func lines(at path: String) throws(SystemError) -> [Substring] {
        lines(of: try text(at: path))
    }

    /// Reads the bytes of a file. Throws EFBIG if there are more than `limit` bytes.
    package static func bytes(at path: String, limit: Int = 1 << 20) throws(SystemError) -> [UInt8] {
        let file = try open(path)
        guard let bytes = try readAll(file.rawValue, limit: limit) else {
            throw SystemError("read", on: path, code: Errno(rawValue: EFBIG))
        }
        return bytes
    }

    /// Returns the sorted names in a directory, without `.` and `..`.
    package static func names(in path: String) throws(SystemError) -> [String] {
        guard let directory = opendir(path) else {
            throw SystemError("opendir", on: path, code: Errno(rawValue: errno))
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(foreign: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Returns the target of a symbolic link as stored in the link, up to 4096 bytes.
    package static func readLink(_ path: String) throws(SystemError) -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        // SAFETY: the line above creates a buffer that is not empty, so it has an address.
        let count = try syscall("readlink", on: path) {
            buffer.withUnsafeMutableBytes { room in
                readlink(path, room.baseAddress!.assumingMemoryBound(to: CChar.self), room.count)
            }
        }
        return String(foreign: buffer.prefix(count))
    }

    /// Copies the contents of a regular file to an empty file, and preserves holes. If the kernel can copy the data
    /// itself, the data does not pass through this process.
    ///
    /// - Returns: The size of the file in bytes, including holes.
    @discardableResult
    package static func copyContents(of source: Int32, to target: Int32) throws(SystemError) -> Int64 {
        try copyContents(of: source, to: target, stepByteCount: 1 << 30) { true } ?? 0
    }

    /// Copies the contents of a regular file to an empty file in steps of `stepByteCount` bytes, and preserves holes.
    ///
    /// - Parameter shouldContinue: Called after each step except the last. If it returns false, the copy stops.
    /// - Returns: The size of the file in bytes, including holes, or nil if the copy was stopped.
    package static func copyContents(
        of source: Int32,
        to target: Int32,
        stepByteCount: Int64,
        while shouldContinue: () -> Bool
    ) throws(SystemError) -> Int64? {
        var position: Int64 = 0
        while try syscall("copy_file_range", { intentd_copy_part(source, target, &position, stepByteCount) }) == 0 {
            guard shouldContinue() else { return nil }
        }
        return position
    }

    /// Flushes the contents of a file, or the names in a folder, to the disk (fsync(2)).
    package static func sync(_ descriptor: Int32) throws(SystemError) {
        try syscall("fsync") { fsync(descriptor) }
    }
}

extension File.Status {
    init(_ status: stat) {
        kind = File.Kind(mode: status.st_mode)
        byteCount = Int64(status.st_size)
        storedByteCount = Int64(status.st_blocks) * 512
        owner = status.st_uid
        group = status.st_gid
        permissions = status.st_mode & 0o7777
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        linkCount = UInt64(status.st_nlink)
        modifiedNanoseconds = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }
}

extension File.Kind {
    /// Determines the kind from the upper bits of `st_mode` (inode(7)).
    fileprivate init(mode: UInt32) {
        self =
            switch mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFIFO: .pipe
            case S_IFSOCK: .socket
            case S_IFCHR, S_IFBLK: .device
            default: .other
            }
    }
}
