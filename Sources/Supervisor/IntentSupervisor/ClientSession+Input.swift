import IntentLauncherMessages

extension ClientSession {
    /// An event that the session reports to its owner.
    enum Input {
        /// The session needs a turn, because it may have bytes to read or to send.
        case ready
        /// A complete payload has arrived. ``removeDescriptors(_:)`` returns the payload's descriptors.
        case payload([UInt8])
        /// Bytes that are not a frame have arrived, so nothing after them can be decoded.
        case malformed(String)
        case end(reason: String?)
        /// An answer that takes a long time to encode must be encoded on another thread. The owner passes the result to
        /// ``post(answer:)``.
        case encode(id: UInt64, ClientAnswer)
        /// An answer of this size, in bytes, was queued for the client.
        case answered(byteCount: Int)
        /// The client has received this many bytes of answers.
        case receivedAnswers(byteCount: Int)
        /// This number of bytes is queued for the client.
        case queued(byteCount: Int)
        /// An unfinished frame of the client, or a frame that is being decoded, has this number of bytes.
        case unfinished(byteCount: Int)
        /// A new deadline has begun for the client.
        case deadlineBegan
    }
}
