import Glibc

/// Space on the history's disk that is kept free, so that the ends of accepted runs can be recorded on a full one.
struct SpaceReserve {
    static let byteCount = 2 << 20

    private let path: String

    init(besides path: String) {
        self.path = path + "-reserve"
    }

    var isThere: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size == off_t(Self.byteCount)
    }

    /// Takes the space; false when there is not that much.
    func take() -> Bool {
        if isThere { return true }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        if posix_fallocate(descriptor, 0, off_t(Self.byteCount)) == 0 { return true }
        unlink(path)
        return false
    }

    /// Gives the space to whoever needs it now; false when there was none.
    func release() -> Bool { unlink(path) == 0 }
}
