package import IntentLauncherMessages
package import IntentLinux
package import IntentSystemd

/// A connected socket that carries frames with descriptors, without a decision about when to read and to write.
///
/// Use an instance only on the loop's thread.
package final class FrameConnection {
    /// The result of one receive operation.
    package enum Received {
        case nothing
        /// This number of bytes was appended to ``FrameConnection/decoder``. The descriptors belong to its frames.
        case bytes(Int, [SharedFileDescriptor])
        /// The peer passed more descriptors than the limit.
        case tooManyDescriptors
        case end
    }

    /// The maximum number of bytes to receive in one call.
    package static let receiveByteCount = 64 << 10

    private let socket: SharedFileDescriptor
    private let buffer: ReceiveBuffer
    private let descriptorLimit: Int
    private let closer: SharedFileDescriptor.Closer
    package var decoder: FrameDecoder
    package var outgoing = OutgoingMessages()

    /// - Parameters:
    ///   - descriptorLimit: The maximum number of descriptors in one receive operation.
    ///   - closer: Closes the descriptors that the peer passes.
    package init(
        _ socket: SharedFileDescriptor,
        payloadLimit: Int,
        descriptorLimit: Int,
        closer: @escaping SharedFileDescriptor.Closer,
        on loop: EventLoop
    ) throws(SystemError) {
        self.socket = socket
        self.descriptorLimit = descriptorLimit
        self.closer = closer
        buffer = loop.receiveBuffer
        decoder = FrameDecoder(payloadLimit: payloadLimit)
        try socket.setNonblocking()
    }

    package func receive() throws(SystemError) -> Received {
        switch try UnixSocket.receive(
            from: socket.rawValue,
            upTo: Self.receiveByteCount,
            descriptorLimit: descriptorLimit,
            closer: closer,
            waiting: .never,
            by: buffer
        ) {
        case .wouldBlock: return .nothing
        case .end: return .end
        case .truncated: return .tooManyDescriptors
        case .message(let bytes, let descriptors):
            decoder.append(bytes)
            return .bytes(bytes.count, descriptors)
        }
    }

    /// Sends queued messages while the socket accepts bytes.
    ///
    /// - Parameters:
    ///   - limit: The number of bytes after which to stop.
    ///   - sent: Receives the size of the answers that each send operation has completed.
    /// - Returns: The number of sent bytes.
    @discardableResult
    package func send(
        upTo limit: Int = .max,
        _ sent: (Int) -> Void = { _ in }
    ) throws(SystemError) -> Int {
        var byteCount = 0
        while !outgoing.isEmpty, byteCount < limit {
            guard
                let count = try UnixSocket.send(
                    outgoing.nextBytes,
                    descriptors: outgoing.nextDescriptors,
                    on: socket.rawValue,
                    waiting: .never
                )
            else { break }
            byteCount += count
            sent(outgoing.removeSent(count))
        }
        return byteCount
    }
}
