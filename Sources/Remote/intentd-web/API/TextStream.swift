import IntentLinux

/// Text for one client that is sent as it arrives: Server-Sent Events.
///
/// Use an instance only on the loop's thread.
final class TextStream {
    private var unsent: [UInt8] = []
    private var sentCount = 0
    private(set) var hasEnded = false
    /// Called when text can be sent, or when the stream has ended.
    var whenReadable: () -> Void = {}

    /// True if all text has been sent.
    var isSent: Bool { unsent.count == sentCount }

    /// Appends text. A client that reads too slowly loses the stream.
    func append(_ text: [UInt8]) {
        guard !hasEnded else { return }
        guard unsent.count - sentCount <= WebLimits.waitingByteCount else { return end() }
        unsent += text
        whenReadable()
    }

    /// Sends a comment, so that a connection without a client is noticed.
    func keepAlive() { if isSent { append(Array(":\n\n".utf8)) } }

    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        whenReadable()
    }

    /// Copies unsent text to a buffer. Returns the number of bytes; 0 if all text has been sent.
    func take(into buffer: UnsafeMutablePointer<CChar>, upTo limit: Int) -> Int {
        let count = min(limit, unsent.count - sentCount)
        guard count > 0 else { return 0 }
        unsent[sentCount..<sentCount + count].withUnsafeBytes {
            UnsafeMutableRawBufferPointer(start: buffer, count: count).copyMemory(from: $0)
        }
        sentCount += count
        if sentCount == unsent.count { (unsent, sentCount) = ([], 0) }
        return count
    }
}
