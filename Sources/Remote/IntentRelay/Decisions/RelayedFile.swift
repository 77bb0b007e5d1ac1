import IntentHash

/// A file that the peer is sending. Checks the size and the digest of the received content.
struct RelayedFile {
    let announcement: FileAnnouncement
    private(set) var offset: UInt64 = 0
    private var hash = SHA256()

    init(_ announcement: FileAnnouncement) {
        self.announcement = announcement
    }

    mutating func add(_ bytes: [UInt8]) throws(RelayViolation) {
        guard UInt64(bytes.count) <= announcement.byteCount - offset else {
            throw RelayViolation("expected a file of \(announcement.byteCount) bytes, got more")
        }
        offset += UInt64(bytes.count)
        hash.add(bytes)
    }

    mutating func addZeros(_ count: UInt32) throws(RelayViolation) {
        try add([UInt8](repeating: 0, count: Int(count)))
    }

    mutating func end(_ digest: [UInt8]) throws(RelayViolation) {
        guard offset == announcement.byteCount else {
            throw RelayViolation("expected a file of \(announcement.byteCount) bytes, got \(offset) bytes")
        }
        guard hash.finish() == digest else { throw RelayViolation("the SHA-256 digest of a file does not match") }
    }
}
