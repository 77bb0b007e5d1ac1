import Glibc

/// A file that reserves space on the history's disk. If the disk becomes full, the space is released, so that the ends
/// of accepted runs can still be recorded.
struct SpaceReserve {
    static let byteCount = 2 << 20
    /// The free space, in addition to the reserve, that is required before a full disk is considered usable again.
    static let roomByteCount = 1 << 20

    private let path: String

    init(besides path: String) {
        self.path = path + "-reserve"
    }

    /// True if the file exists with its full size.
    var isAllocated: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size == off_t(Self.byteCount)
    }

    /// Reserves the space. Returns false if the disk has too little free space.
    func allocate() -> Bool {
        if isAllocated { return true }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        if posix_fallocate(descriptor, 0, off_t(Self.byteCount)) == 0 { return true }
        unlink(path)
        return false
    }

    /// Returns true if the disk has enough free space in addition to the reserve.
    ///
    /// A small write to the database is not a sufficient test, because it may go to a part of the log that is already
    /// allocated.
    func hasRoomBesides() -> Bool {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let isRoom = posix_fallocate(descriptor, 0, off_t(Self.byteCount + Self.roomByteCount)) == 0
        // Shrink the file even after a failure, because some file systems keep the space that they had already
        // allocated.
        return ftruncate(descriptor, off_t(Self.byteCount)) == 0 && isRoom
    }

    /// Releases the space for records that need it now. Returns false if no space was reserved.
    func release() -> Bool { unlink(path) == 0 }
}
