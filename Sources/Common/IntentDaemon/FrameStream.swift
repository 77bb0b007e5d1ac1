package import IntentLauncherMessages
package import IntentLinux
package import IntentSystemd

/// A connection that reads and writes frames as soon as possible. Does not interpret their payloads.
///
/// Use an instance only on the loop's thread.
package final class FrameStream {
    /// The maximum number of unsent bytes. A peer that reads too slowly is disconnected.
    private static let backlogLimit = 3 << 19
    /// The maximum payload of a local user's request, in bytes. A run's values are limited to 64 KiB.
    private static let requestLimit = 256 << 10

    /// How to handle descriptors that a peer passes with its frames.
    package enum Files {
        /// Descriptors are stored for ``FrameStream/takeFiles(_:)``. A peer that leaves more descriptors unused than a
        /// frame can carry is disconnected. The peer is a local user's client, so its frames are small.
        case ofClient
        /// Descriptors are closed, because results stay on the host that created them.
        case closed
        /// Descriptors are stored for ``FrameStream/takeFiles(_:)``.
        case kept
    }

    private let connection: FrameConnection
    private let files: Files
    private let received: ([UInt8]) -> Void
    private let ended: (String) -> Void
    private var source: EventSource?
    private var keptFiles: [SharedFileDescriptor] = []
    private var watchesWriting = false
    private var hasEnded = false

    package init(
        _ socket: SharedFileDescriptor,
        files: Files,
        closer: @escaping SharedFileDescriptor.Closer = FileDescriptor.closeAtOnce,
        on loop: EventLoop,
        received: @escaping ([UInt8]) -> Void,
        ended: @escaping (String) -> Void
    ) throws(SystemError) {
        self.files = files
        self.received = received
        self.ended = ended
        connection = try FrameConnection(
            socket,
            payloadLimit: files == .ofClient ? Self.requestLimit : Frame.clientPayloadLimit,
            descriptorLimit: files == .ofClient ? Frame.descriptorLimit : UnixSocket.mostDescriptors,
            closer: closer,
            on: loop
        )
        source = try loop.descriptor(socket, .readable) { [weak self] events in self?.ready(events) }
    }

    /// Queues a message, and sends as much as the socket accepts. The files are attached to its first byte.
    package func send(_ message: some GeneratedMessage, files: [SharedFileDescriptor] = []) {
        guard !hasEnded else { return }
        do {
            let frame = try Frame.encode(WireCoding.encode(message), limit: Frame.clientPayloadLimit)
            connection.outgoing.append(frame[...], descriptors: files)
        } catch {
            return end("a message cannot be sent: \(error)")
        }
        flush()
    }

    /// Closes the connection without calling `ended`.
    package func close() {
        hasEnded = true
        source = nil
    }

    /// Returns and removes the first files that have arrived with messages.
    package func takeFiles(_ count: Int = .max) -> [SharedFileDescriptor] {
        defer { keptFiles.removeFirst(min(count, keptFiles.count)) }
        return Array(keptFiles.prefix(count))
    }

    private func ready(_ events: PollEvents) {
        if events.contains(.writable) { flush() }
        guard !hasEnded, !events.isDisjoint(with: [.readable, .hungUp, .failed]) else { return }
        receive()
    }

    private func receive() {
        do {
            switch try connection.receive() {
            case .nothing: return
            case .end: return end("the peer closed the connection")
            case .tooManyDescriptors: return end("the peer passed too many files")
            case .bytes(_, let descriptors): if files != .closed { keptFiles += descriptors }
            }
            guard files != .ofClient || keptFiles.count <= Frame.descriptorLimit else {
                return end("the peer passed too many files")
            }
            while !hasEnded, let payload = try connection.decoder.next() { received(payload) }
        } catch {
            end("\(error)")
        }
    }

    private func flush() {
        do throws(SystemError) {
            try connection.send()
            let byteCount = connection.outgoing.byteCount
            guard byteCount <= Self.backlogLimit else { return end("the peer reads too slowly") }
            guard watchesWriting != (byteCount > 0) else { return }
            watchesWriting = byteCount > 0
            try source?.watch(watchesWriting ? [.readable, .writable] : .readable)
        } catch {
            end("\(error)")
        }
    }

    private func end(_ reason: String) {
        guard !hasEnded else { return }
        close()
        ended(reason)
    }
}
