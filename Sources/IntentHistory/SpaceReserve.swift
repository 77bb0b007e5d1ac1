import Glibc

/// Reserved space on the history's disk, so that the ends of accepted runs can be recorded when the disk is full.
struct SpaceReserve {
    static let byteCount = 2 << 20
    /// The free space, besides the reserve, above which a disk no longer counts as full.
    static let roomByteCount = 1 << 20

    private let path: String

    init(besides path: String) {
        self.path = path + "-reserve"
    }

    var isThere: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size == off_t(Self.byteCount)
    }

    /// Allocates the reserve; false if the disk has too little space.
    func allocate() -> Bool {
        if isThere { return true }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        if posix_fallocate(descriptor, 0, off_t(Self.byteCount)) == 0 { return true }
        unlink(path)
        return false
    }

    /// True if the disk has room besides the reserve.
    ///
    /// A write of a few bytes proves nothing, because it may go to a part of the log that is already allocated.
    func leavesRoom() -> Bool {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let isRoom = posix_fallocate(descriptor, 0, off_t(Self.byteCount + Self.roomByteCount)) == 0
        // Some file systems keep the space that they allocated before they failed.
        return ftruncate(descriptor, off_t(Self.byteCount)) == 0 && isRoom
    }

    /// Frees the space for records that need it now; false if no space was reserved.
    func release() -> Bool { unlink(path) == 0 }
}
