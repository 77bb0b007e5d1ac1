import Glibc
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// One client's connection: bytes in and out, and nothing about what they mean.
///
/// Belongs to the loop's thread.
final class ClientSession {
    /// What a client's bytes came to, and what they need.
    enum Input {
        /// More may be there to read: it wants a turn.
        case ready
        /// A whole payload; take its descriptors with ``takeDescriptors(_:)``.
        case payload([UInt8])
        /// Bytes that are no frame: there is no way back to frames from here.
        case malformed(String)
        case end(reason: String?)
        /// It has the files of a run, which were its own to have.
        case tookFiles(of: RunID)
        /// An answer that takes long to encode: it comes back to ``post(answer:)``.
        case encode(id: UInt64, ClientAnswer)
        /// An answer of so many bytes waits for the client.
        case answered(byteCount: Int)
        /// The client has taken answers of so many bytes.
        case took(byteCount: Int)
        /// A deadline begins.
        case owes
    }

    /// Bytes that may wait for a client that does not read; then it is disconnected.
    private static let backlogLimit = 8 << 20
    /// Descriptors that may wait for such a client.
    private static let openDescriptorLimit = 4 * Frame.descriptorLimit
    /// From here on, what a run prints is left out for this client.
    private static let outputBacklogLimit = 1 << 20
    /// Bytes of several frames that are sent in one go.
    private static let togetherLimit = 16 << 10
    /// Bytes that are received at once.
    private static let receiveByteCount = 64 << 10
    /// Bytes that are sent before others have their turn.
    private static let turnByteLimit = 256 << 10

    let id: ClientID
    let user: Caller
    /// The pid of the process that connected; 0 when that process has exited, since its pid can then be reused.
    var process: Int32 { peer?.number ?? 0 }
    private let peer: PeerProcess?
    /// What its program calls itself.
    var software = ""
    /// The user's groups, as they were when the connection was made.
    let groups: Set<UInt32>
    let rank: RunAccess.Rank
    var isOperator: Bool { rank == .operator }
    /// True after its `hello`.
    var isGreeted = false { didSet { patience.settle(.hello) } }
    /// A payload of it is being decoded beside the loop: what follows waits.
    var isDecoding = false
    /// Answers that are being encoded beside the loop.
    var encodingCount = 0
    /// It waits in the queue of turns.
    var isQueued = false
    /// Its requests are not read until its answers are.
    var isPaused = false { didSet { if isPaused { patience.settle(.frame) } else { settle() } } }
    private(set) var patience = ConnectionPatience()
    private let socket: SharedFileDescriptor
    private let closing: ClosingThreads
    private let buffer: ReceiveBuffer
    private var source: EventSource?
    private var watched: PollEvents = [.readable, .endOfInput, .edge]
    private var decoder = FrameDecoder(payloadLimit: Frame.clientPayloadLimit)
    private var descriptors: [PassedDescriptor] = []
    private var outbox: [Outgoing] = []
    private var backlog = 0
    private let input: (Input) -> Void
    private var hasEnded = false
    /// No more is read; the connection ends when all is written.
    private var isEnding = false
    /// The socket may have bytes: it tells only once that some have come.
    private var mayHaveBytes = true
    /// The socket takes bytes again: they are sent when the client has its turn.
    private var mayWrite = false
    /// The client sends no more: the end is behind the last bytes, and no event comes for it.
    private var isAtEndOfInput = false
    /// The peer has closed the connection. Nothing can be sent to it.
    private(set) var isHungUp = false

    private struct Outgoing {
        var frame: ArraySlice<UInt8>
        var descriptors: [SharedFileDescriptor]
        /// A newer message of the same key replaces this one while nothing of it was sent.
        var replaceKey: RunID?
        /// The run of the files in this message. The client owns them once they are sent.
        var given: RunID?
        /// The size of an answer; 0 for events.
        var answerByteCount = 0
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
        user: Caller,
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
        patience.begin(.hello, at: Now.current.monotonic)
        source = try loop.descriptor(socket, watched) { [weak self] events in
            // Held until the end of this closure: writing can end the session, and its owner then releases it.
            guard let self else { return }
            if events.contains(.endOfInput) { isAtEndOfInput = true }
            if !events.isDisjoint(with: [.readable, .endOfInput, .hungUp, .failed]) {
                mayHaveBytes = true
                if !events.isDisjoint(with: [.hungUp, .failed]) {
                    isHungUp = true
                    // What it asked for last still counts, and no answer waits for it.
                    isPaused = false
                }
            }
            if events.contains(.writable) { mayWrite = true }
            if isHungUp && !outbox.isEmpty { flush() }
            if wantsTurn { self.input(.ready) }
        }
    }

    var isDrained: Bool { outbox.isEmpty && encodingCount == 0 || hasEnded }

    /// True when there may be something to send, or to read that may be read.
    var wantsTurn: Bool { !hasEnded && mayWrite || wantsToRead }

    var wantsToRead: Bool {
        !hasEnded && !isEnding && !isPaused && !isDecoding && (mayHaveBytes || decoder.hasNext)
    }

    /// Files for its next run, which has more than one frame brings.
    var gathered: [SharedFileDescriptor] = [] {
        didSet { gathered.isEmpty ? patience.settle(.perform) : owe(.perform) }
    }

    /// Descriptors that came and were not taken yet.
    var heldDescriptorCount: Int { descriptors.count + gathered.count }

    /// Takes the descriptors that rode with the payload just given; fewer when fewer came.
    func takeDescriptors(_ count: Int) -> [PassedDescriptor] {
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
        var frame: ArraySlice<UInt8>?
        post(message, encoded: &frame, descriptors: descriptors, delivery, giving: run)
    }

    /// Puts a message into the outbox that goes to several clients. The first of them encodes it for the others.
    func post(
        _ message: ClientMessage,
        encoded: inout ArraySlice<UInt8>?,
        descriptors: [SharedFileDescriptor],
        _ delivery: Delivery,
        giving run: RunID?
    ) {
        guard !hasEnded else { return }
        if case .answer(let id?, let answer) = message, answer.isLarge {
            encodingCount += 1
            return input(.encode(id: id, answer))
        }
        let key: RunID?
        switch delivery {
        case .always: key = nil
        case .latest(let run): key = run
        case .whenKeepingUp:
            if backlog > Self.outputBacklogLimit { return }
            key = nil
        }
        let frame = encoded ?? Self.frame(of: message)
        encoded = frame
        if let key, let index = outbox.lastIndex(where: { $0.replaceKey == key }) {
            backlog += frame.count - outbox[index].frame.count
            outbox[index].frame = frame
        } else {
            outbox.append(Outgoing(frame: frame, descriptors: descriptors, replaceKey: key, given: run))
            backlog += frame.count
            if case .answer(_?, _) = message { count(frame) }
        }
    }

    /// Takes back an answer that was encoded beside the loop, and sends it.
    func post(answer frame: ArraySlice<UInt8>) {
        encodingCount -= 1
        guard !hasEnded else { return }
        outbox.append(Outgoing(frame: frame, descriptors: []))
        backlog += frame.count
        count(frame)
        flush()
    }

    private func count(_ answer: ArraySlice<UInt8>) {
        outbox[outbox.count - 1].answerByteCount = answer.count
        input(.answered(byteCount: answer.count))
    }

    func send(_ message: ClientMessage) {
        post(message)
        flush()
    }

    /// Ends the connection once everything is written, or the client has had its time to read it.
    func endAfterWriting() {
        isEnding = true
        descriptors = []
        gathered = []
        for debt in ConnectionPatience.Debt.allCases { patience.settle(debt) }
        flush()
        if !hasEnded { owe(.farewell) }
    }

    /// Begins to wait for the client to read its answers, or stops waiting for it.
    func setReading(isOwed: Bool) { isOwed ? owe(.reading) : patience.settle(.reading) }

    private func owe(_ debt: ConnectionPatience.Debt) {
        guard !patience.owes(debt), !hasEnded else { return }
        patience.begin(debt, at: Now.current.monotonic)
        input(.owes)
    }

    /// Tells a client why it gets no session. Never waits for a client that does not read.
    static func turnAway(_ socket: SharedFileDescriptor, _ error: ErrorReport) {
        let words = frame(of: .answer(id: nil, .refused(error)))
        // It may be gone already, and hears nothing then.
        _ = try? UnixSocket.send(words, on: socket.rawValue, waiting: .never)
    }

    static func frame(of message: ClientMessage) -> ArraySlice<UInt8> {
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
            var byteCount = 0
            while let next = outbox.first, byteCount < Self.turnByteLimit {
                let sent = try UnixSocket.send(
                    bytesToSend,
                    descriptors: next.descriptors,
                    on: socket.rawValue,
                    waiting: .never
                )
                guard let sent else { break }
                byteCount += sent
                take(sent)
            }
            if outbox.isEmpty && encodingCount == 0 && isEnding { return end(nil) }
            let openCount = outbox.reduce(0) { $0 + $1.descriptors.count }
            if backlog > Self.backlogLimit || openCount > Self.openDescriptorLimit {
                return end("it does not read what it asked for")
            }
            var events: PollEvents = [.readable, .endOfInput, .edge]
            if !outbox.isEmpty { events.insert(.writable) }
            // An edge that has been told is told again once the kernel is asked again.
            if events != watched || !outbox.isEmpty && byteCount > 0 { try source?.watch(events) }
            watched = events
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
        if patience.owes(.reading) {
            // It reads: it has all of its time again.
            patience.settle(.reading)
            owe(.reading)
        }
        var answerByteCount = 0
        var rest = byteCount
        while rest > 0 {
            let count = min(rest, outbox[0].frame.count)
            rest -= count
            // What has begun must be finished as it is, and its descriptors went with its first byte.
            outbox[0].frame = outbox[0].frame.dropFirst(count)
            outbox[0].descriptors = []
            outbox[0].replaceKey = nil
            guard outbox[0].frame.isEmpty else { continue }
            let sent = outbox.removeFirst()
            answerByteCount += sent.answerByteCount
            if let run = sent.given { input(.tookFiles(of: run)) }
        }
        if answerByteCount > 0 { input(.took(byteCount: answerByteCount)) }
    }

    /// Sends what waits, where the socket takes bytes again.
    func write() {
        guard mayWrite else { return }
        mayWrite = false
        flush()
    }

    /// Takes in what one receive brings, and gives one payload of it: others have their turn before the next.
    func takeTurn() {
        guard wantsToRead else { return }
        if !decoder.hasNext {
            guard receive() else { return }
        }
        do throws(FrameError) {
            guard let payload = try decoder.next() else { return settle() }
            patience.settle(.frame)
            input(.payload(payload))
        } catch {
            return input(.malformed("\(error)"))
        }
        settle()
    }

    /// False when nothing came, or the connection ends.
    private func receive() -> Bool {
        do throws(SystemError) {
            switch try UnixSocket.receive(
                from: socket.rawValue,
                upTo: Self.receiveByteCount,
                descriptorLimit: Frame.descriptorLimit,
                closer: closing.closer(for: .user(user.uid)),
                waiting: .never,
                by: buffer
            ) {
            case .wouldBlock:
                mayHaveBytes = false
                return false
            case .end:
                end(nil)
                return false
            case .truncated:
                input(.malformed("more than \(Frame.descriptorLimit) descriptors rode with one frame"))
                return false
            case .message(let bytes, let received):
                // Fewer bytes than there was room for are all that the socket had (epoll(7)). Descriptors end a receive
                // too (unix(7)).
                if bytes.count < Self.receiveByteCount, received.isEmpty, !isAtEndOfInput, !isHungUp {
                    mayHaveBytes = false
                }
                descriptors += received.map(PassedDescriptor.init)
                decoder.append(bytes)
            }
        } catch {
            end(nil)
            return false
        }
        // No client may fill our descriptor table before its hello. A hello has no files, but it can arrive together with
        // the next request, and the descriptors then belong to that request.
        guard isGreeted || descriptors.isEmpty || decoder.hasMoreThanNext else {
            input(.malformed("descriptors came before hello"))
            return false
        }
        return true
    }

    /// Goes on behind a payload that was decoded beside the loop.
    func continueAfterDecoding() {
        isDecoding = false
        settle()
    }

    /// Sees to what is left behind a frame, or of one.
    private func settle() {
        guard !hasEnded, !isEnding else { return }
        // Between frames, a descriptor that no frame claimed belongs to nothing. A frame that is being decoded takes its
        // own only then.
        if !isDecoding, decoder.isEmpty || descriptors.count > Frame.descriptorLimit { descriptors = [] }
        if decoder.isEmpty || decoder.hasNext { patience.settle(.frame) } else { owe(.frame) }
    }

    /// Ends the connection at once.
    func disconnect(_ reason: String?) { end(reason) }

    private func end(_ reason: String?) {
        guard !hasEnded else { return }
        hasEnded = true
        source = nil
        outbox = []
        descriptors = []
        input(.end(reason: reason))
    }
}

extension ClientAnswer {
    /// True of answers that grow with what is installed, runs or is on record: they are encoded beside the loop.
    fileprivate var isLarge: Bool {
        switch self {
        case .apps, .app, .runs, .history, .story, .logs, .metrics: true
        case .hello, .accepted, .ended, .watching, .asking, .answerAccepted, .filesReceived, .files, .filesDiscarded,
            .status,
            .pruned, .reloaded, .upgrading, .refused:
            false
        }
    }
}
