import IntentHash

/// A file that the peer is sending: checks the amount and the digest of its contents.
struct IncomingFile {
    let announcement: FileAnnouncement
    private(set) var offset: UInt64 = 0
    private var hash = SHA256()

    init(_ announcement: FileAnnouncement) {
        self.announcement = announcement
    }

    mutating func add(_ bytes: [UInt8]) throws(RelayViolation) {
        guard UInt64(bytes.count) <= announcement.byteCount - offset else {
            throw RelayViolation("a file with more than the \(announcement.byteCount) bytes that were announced")
        }
        offset += UInt64(bytes.count)
        hash.add(bytes)
    }

    mutating func addZeros(_ count: UInt32) throws(RelayViolation) {
        try add([UInt8](repeating: 0, count: Int(count)))
    }

    mutating func end(_ digest: [UInt8]) throws(RelayViolation) {
        guard offset == announcement.byteCount else {
            throw RelayViolation("a file of \(offset) bytes; announced were \(announcement.byteCount)")
        }
        guard hash.finish() == digest else { throw RelayViolation("a file that does not have its SHA-256") }
    }
}
