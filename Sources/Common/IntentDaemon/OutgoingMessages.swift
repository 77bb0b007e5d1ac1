package import IntentLauncherMessages
package import IntentLinux

/// The queue of messages for a client's socket. A value type that performs no I/O.
package struct OutgoingMessages {
    /// The maximum total size, in bytes, of several frames that are sent together.
    package static let batchByteLimit = 16 << 10

    private struct Message {
        var frame: ArraySlice<UInt8>
        var descriptors: [SharedFileDescriptor]
        /// The key by which a newer message replaces this message, as long as no byte of this message has been sent.
        var replaceKey: RunID?
        /// The size of an answer in bytes; 0 for events.
        var answerByteCount: Int
    }

    private var messages: [Message] = []
    /// The number of queued bytes.
    package private(set) var byteCount = 0

    package init() {}

    package var isEmpty: Bool { messages.isEmpty }

    package var descriptorCount: Int { messages.reduce(0) { $0 + $1.descriptors.count } }

    package mutating func append(
        _ frame: ArraySlice<UInt8>,
        descriptors: [SharedFileDescriptor] = [],
        isAnswer: Bool = false
    ) {
        messages.append(
            Message(
                frame: frame,
                descriptors: descriptors,
                replaceKey: nil,
                answerByteCount: isAnswer ? frame.count : 0
            )
        )
        byteCount += frame.count
    }

    /// Appends a message, or replaces the earlier message with the same key.
    package mutating func append(_ frame: ArraySlice<UInt8>, replacing key: RunID) {
        guard let index = messages.lastIndex(where: { $0.replaceKey == key }) else {
            append(frame)
            messages[messages.count - 1].replaceKey = key
            return
        }
        byteCount += frame.count - messages[index].frame.count
        messages[index].frame = frame
    }

    package mutating func removeAll() {
        messages = []
        byteCount = 0
    }

    /// The descriptors to send together with ``nextBytes``.
    package var nextDescriptors: [SharedFileDescriptor] { messages.first?.descriptors ?? [] }

    /// The bytes to send next: the first frame, and later frames up to a size limit. The client wakes up once for all
    /// of these frames.
    package var nextBytes: ArraySlice<UInt8> {
        guard let first = messages.first else { return [] }
        let others = messages.dropFirst().prefix { $0.descriptors.isEmpty }
        guard !others.isEmpty, first.frame.count < Self.batchByteLimit else { return first.frame }
        var bytes = Array(first.frame)
        for next in others {
            if bytes.count + next.frame.count > Self.batchByteLimit { break }
            bytes += next.frame
        }
        return bytes[...]
    }

    /// Removes bytes that were sent. Returns the size of the answers that are now sent completely.
    package mutating func removeSent(_ sentCount: Int) -> Int {
        byteCount -= sentCount
        var answerByteCount = 0
        var rest = sentCount
        while rest > 0 {
            let count = min(rest, messages[0].frame.count)
            rest -= count
            // A message that is partly sent can no longer be replaced, and its descriptors were sent with its first
            // byte.
            messages[0].frame = messages[0].frame.dropFirst(count)
            messages[0].descriptors = []
            messages[0].replaceKey = nil
            guard messages[0].frame.isEmpty else { continue }
            answerByteCount += messages.removeFirst().answerByteCount
        }
        return answerByteCount
    }
}
