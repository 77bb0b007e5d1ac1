import Glibc
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// One client's connection: bytes in and out, and nothing about what they mean.
///
/// Belongs to the loop's thread.
final class ClientSession {
    /// What a client's bytes came to.
    enum Input {
        /// A whole payload; take its descriptors with ``takeDescriptors(_:)``.
        case payload([UInt8])
        /// Bytes that are no frame: there is no way back to frames from here.
        case malformed(String)
        case end(reason: String?)
        /// It has the files of a run, which were its own to have.
        case tookFiles(of: RunID)
    }

    /// Bytes that may wait for a client that does not read; then it is disconnected.
    private static let backlogLimit = 8 << 20
    /// Descriptors that may wait for such a client.
    private static let openDescriptorLimit = 4 * Frame.descriptorLimit
    /// From here on, what a run prints is left out for this client.
    private static let outputBacklogLimit = 1 << 20
    /// Bytes of several frames that are sent in one go.
    private static let togetherLimit = 16 << 10

    let id: ClientID
    let user: UserID
    /// The process that made the connection; 0 when it is gone, and its number may be another's.
    var process: Int32 { peer?.number ?? 0 }
    private let peer: PeerProcess?
    /// What its program calls itself.
    var software = ""
    /// The user's groups, as they were when the connection was made.
    let groups: Set<UInt32>
    let rank: RunAccess.Rank
    var isOperator: Bool { rank == .operator }
    /// True after its `hello`.
    var isGreeted = false
    private let socket: SharedFileDescriptor
    private let closing: ClosingThreads
    private let buffer: ReceiveBuffer
    private var source: EventSource?
    private var decoder = FrameDecoder(payloadLimit: Frame.clientPayloadLimit)
    private var descriptors: [SharedFileDescriptor] = []
    private var outbox: [Outgoing] = []
    private var backlog = 0
    private let input: (Input) -> Void
    private var hasEnded = false
    /// No more is read; the connection ends when all is written.
    private var isEnding = false

    private struct Outgoing {
        var frame: ArraySlice<UInt8>
        var descriptors: [SharedFileDescriptor]
        /// A newer message of the same key replaces this one while nothing of it was sent.
        var replaceKey: RunID?
        /// A run whose files are the client's own with this.
        var given: RunID?
    }

    /// What may happen to a message for a client that does not read.
    enum Delivery {
        case always
        /// Replaced by newer progress of the same run.
        case latest(RunID)
        /// Left out when too much waits already.
        case whenKeepingUp
    }

    init(
        _ socket: SharedFileDescriptor,
        id: ClientID,
        user: UserID,
        peer: PeerProcess?,
        groups: Set<UInt32>,
        rank: RunAccess.Rank,
        on loop: EventLoop,
        closing: ClosingThreads,
        input: @escaping (Input) -> Void
    ) throws(SystemError) {
        self.socket = socket
        self.id = id
        self.user = user
        self.peer = peer
        self.groups = groups
        self.rank = rank
        self.closing = closing
        buffer = loop.receiveBuffer
        self.input = input
        try socket.setNonblocking()
        source = try loop.descriptor(socket, .readable) { [weak self] events in
            // Held for the whole of it: writing may end the session, and its owner then lets go of it.
            guard let self else { return }
            if events.contains(.writable) { flush() }
            if !events.isDisjoint(with: [.readable, .hungUp, .failed]) { receive() }
        }
    }

    var isDrained: Bool { outbox.isEmpty || hasEnded }

    /// Files for its next run, which has more than one frame brings.
    var gathered: [SharedFileDescriptor] = []

    /// Descriptors that came and were not taken yet.
    var heldDescriptorCount: Int { descriptors.count + gathered.count }

    /// Takes the descriptors that rode with the payload just given; fewer when fewer came.
    func takeDescriptors(_ count: Int) -> [SharedFileDescriptor] {
        let taken = Array(descriptors.prefix(count))
        descriptors.removeFirst(taken.count)
        return taken
    }

    /// Puts a message into the outbox; ``flush()`` sends what is there.
    func post(
        _ message: ClientMessage,
        descriptors: [SharedFileDescriptor] = [],
        _ delivery: Delivery = .always,
        giving run: RunID? = nil
    ) {
        guard !hasEnded else { return }
        let key: RunID?
        switch delivery {
        case .always: key = nil
        case .latest(let run): key = run
        case .whenKeepingUp:
            if backlog > Self.outputBacklogLimit { return }
            key = nil
        }
        let frame = Self.frame(of: message)
        if let key, let index = outbox.lastIndex(where: { $0.replaceKey == key }) {
            backlog += frame.count - outbox[index].frame.count
            outbox[index].frame = frame
        } else {
            outbox.append(Outgoing(frame: frame, descriptors: descriptors, replaceKey: key, given: run))
            backlog += frame.count
        }
    }

    func send(_ message: ClientMessage) {
        post(message)
        flush()
    }

    /// Ends the connection once everything is written.
    func endAfterWriting() {
        isEnding = true
        flush()
    }

    /// Says why somebody gets no session; of one that does not read, nothing is waited for.
    static func turnAway(_ socket: SharedFileDescriptor, _ error: ErrorReport) {
        let words = frame(of: .answer(id: nil, .refused(error)))
        // It may be gone already, and hears nothing then.
        _ = try? UnixSocket.send(words, on: socket.rawValue, waiting: .never)
    }

    // MARK: Private

    private static func frame(of message: ClientMessage) -> ArraySlice<UInt8> {
        do {
            return try Frame.encode(WireCoding.encode(message), limit: Frame.clientPayloadLimit)[...]
        } catch {
            // Only what was asked for can be this large, such as the catalogues of very many apps.
            return frame(of: tooLarge(for: message, error))
        }
    }

    private static func tooLarge(for message: ClientMessage, _ error: FrameError) -> ClientMessage {
        let report = ErrorReport(.tooLarge, "the answer cannot be sent: \(error)", hint: "ask for one app at a time")
        switch message {
        case .answer(let id, _): return .answer(id: id, .refused(report))
        case .event(let event):
            let end = RunEnd(run: event.run, outcome: .failed(message: report.message), account: RunAccount())
            return .event(NumberedEvent(run: event.run, serial: event.serial, .finished(end)))
        }
    }

    /// Sends as much as the client takes.
    func flush() {
        guard !hasEnded else { return }
        do throws(SystemError) {
            while let next = outbox.first {
                let sent = try UnixSocket.send(
                    bytesToSend,
                    descriptors: next.descriptors,
                    on: socket.rawValue,
                    waiting: .never
                )
                guard let sent else { break }
                take(sent)
            }
            if outbox.isEmpty && isEnding { return end(nil) }
            let openCount = outbox.reduce(0) { $0 + $1.descriptors.count }
            if backlog > Self.backlogLimit || openCount > Self.openDescriptorLimit {
                return end("it does not read what it asked for")
            }
            try source?.watch(outbox.isEmpty ? .readable : [.readable, .writable])
        } catch {
            end(nil)
        }
    }

    /// The first frame, with those behind it that can go at once: a client wakes up once for all of them.
    private var bytesToSend: ArraySlice<UInt8> {
        guard let first = outbox.first else { return [] }
        let others = outbox.dropFirst().prefix { $0.descriptors.isEmpty }
        guard !others.isEmpty, first.frame.count < Self.togetherLimit else { return first.frame }
        var bytes = Array(first.frame)
        for next in others {
            if bytes.count + next.frame.count > Self.togetherLimit { break }
            bytes += next.frame
        }
        return bytes[...]
    }

    /// Takes what was sent out of the outbox.
    private func take(_ byteCount: Int) {
        backlog -= byteCount
        var rest = byteCount
        while rest > 0 {
            let count = min(rest, outbox[0].frame.count)
            rest -= count
            // What has begun must be finished as it is, and its descriptors went with its first byte.
            outbox[0].frame = outbox[0].frame.dropFirst(count)
            outbox[0].descriptors = []
            outbox[0].replaceKey = nil
            guard outbox[0].frame.isEmpty else { continue }
            if let run = outbox.removeFirst().given { input(.tookFiles(of: run)) }
        }
    }

    /// Takes in what one receive brings: others have their turn before the next.
    private func receive() {
        guard !hasEnded else { return }
        do throws(SystemError) {
            switch try UnixSocket.receive(
                from: socket.rawValue,
                upTo: 64 << 10,
                descriptorLimit: Frame.descriptorLimit,
                closer: closing.closer,
                waiting: .never,
                by: buffer
            ) {
            case .wouldBlock: return
            case .end: return end(nil)
            case .truncated:
                return input(.malformed("more than \(Frame.descriptorLimit) descriptors rode with one frame"))
            case .message(let bytes, let received):
                if isEnding { return }
                // Hello brings no files, and nobody may fill our table of descriptors before it.
                guard isGreeted || received.isEmpty else {
                    return input(.malformed("descriptors came before hello"))
                }
                descriptors += received
                decoder.append(bytes)
            }
        } catch {
            return end(nil)
        }
        do throws(FrameError) {
            while !hasEnded, !isEnding, let payload = try decoder.next() { input(.payload(payload)) }
        } catch {
            return input(.malformed("\(error)"))
        }
        // Between frames, a descriptor that no frame claimed belongs to nothing.
        if decoder.isEmpty || descriptors.count > Frame.descriptorLimit {
            descriptors = []
        }
    }

    private func end(_ reason: String?) {
        guard !hasEnded else { return }
        hasEnded = true
        source = nil
        outbox = []
        input(.end(reason: reason))
    }
}
