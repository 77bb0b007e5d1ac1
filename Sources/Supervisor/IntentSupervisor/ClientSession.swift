import Glibc
import IntentDaemon
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// The connection of one client. It reads and writes frames, and does not interpret them.
///
/// Must be used only on the event loop's thread.
final class ClientSession {
    /// The maximum number of unsent bytes for a client that does not read. A client that exceeds this limit is
    /// disconnected.
    private static let backlogLimit = 8 << 20
    /// The maximum number of unsent descriptors for a client that does not read.
    private static let openDescriptorLimit = 4 * Frame.descriptorLimit
    /// The number of unsent bytes above which the output of runs is no longer sent to the client.
    private static let outputBacklogLimit = 1 << 20
    /// The maximum number of bytes to send in one turn.
    private static let turnByteLimit = 256 << 10

    let id: ClientID
    /// The user that an agent acts for; for other clients, the user of the client's process.
    private(set) var user: Caller
    /// The account that pays for ``user``.
    let account: Account
    /// The fleet user that the client acts for; nil if it acts for ``user``.
    var fleetUser: Caller?
    /// The user who owns the runs that the client requests.
    var owner: Caller { fleetUser ?? user }
    /// The user of the client's process. It differs from `user` for an agent that acts for another user.
    private(set) var peerUser: Caller
    /// The groups of the client's process, as they were when the connection was made.
    let peerGroups: Set<UInt32>
    /// The user that the client acts for.
    private(set) var actor: AppDirectory.Actor
    /// The user of the HTTP API that the client acts for, and the user of the client's process; nil for another client.
    private(set) var web: (user: WebUser, service: Caller)?
    /// The agent's uid; nil for a person.
    var agent: UInt32? { actor.isAgent ? peerUser.uid : nil }
    /// Whether the client is a fleet's service, or acts for a fleet user.
    var fleet: FleetAccess { actor != .fleet ? .none : fleetUser == nil ? .service : .user }
    /// The pid of the process that connected. It is 0 once that process has exited, because the pid can be reused.
    var process: Int32 { peer?.number ?? 0 }
    private let peer: PeerProcess?
    /// The name and version of the client's program, as its `hello` reported them, truncated to 100 characters; empty
    /// before `hello`.
    var software = ""
    /// The user's groups, as they were when the connection was made.
    private(set) var groups: Set<UInt32>
    let rank: RunAccess.Rank
    var isOperator: Bool { rank == .operator }
    /// True once the client has sent `hello`.
    var isGreeted = false { didSet { patience.end(.hello) } }
    /// True while another thread is decoding one of this client's payloads. Later payloads must wait.
    var isDecoding = false
    /// The number of answers that another thread is encoding.
    var encodingCount = 0
    /// True while the session is waiting for its turn.
    var isQueued = false
    /// True while the client has too many unread answers, so that none of its requests are read.
    var isPaused = false { didSet { if isPaused { patience.end(.frame) } else { updateDeadlines() } } }
    private(set) var patience = ConnectionPatience()
    private let connection: FrameConnection
    private var source: EventSource?
    private var watched: PollEvents = [.readable, .endOfInput, .edge]
    /// The number of bytes that the session last reported with ``Input/queued(byteCount:)``.
    private var queuedByteCount = 0
    /// The number of bytes that the session last reported with ``Input/unfinished(byteCount:)``.
    private var unfinishedByteCount = 0
    private var descriptors: [PassedDescriptor] = []
    private let input: (Input) -> Void
    private var hasEnded = false
    /// True once no more requests are read. The connection is closed when all messages have been sent.
    private var isEnding = false
    /// True if the socket may have unread bytes. The edge-triggered source reports their arrival only once.
    private var mayHaveBytes = true
    /// True if the socket may accept bytes. The queued messages are sent in the client's next turn.
    private(set) var mayWrite = false
    /// True if the client has shut down its sending side. No further event reports the end of input, so read until the
    /// end is reached.
    private var isAtEndOfInput = false
    /// True if the peer has closed the connection, so that nothing can be sent to it.
    private(set) var isHungUp = false

    /// The rule for delivering a message to a client that does not read.
    enum Delivery {
        /// The message is always delivered.
        case always
        /// Newer progress of the same run replaces the message.
        case latest(RunID)
        /// The message is dropped if the client has too many unsent bytes.
        case whenKeepingUp
    }

    init(
        _ socket: SharedFileDescriptor,
        id: ClientID,
        user: Caller,
        actor: AppDirectory.Actor = .person,
        account: (Caller) -> Account,
        peer: PeerProcess?,
        groups: Set<UInt32>,
        rank: RunAccess.Rank,
        on loop: EventLoop,
        closing: ClosingThreads,
        input: @escaping (Input) -> Void
    ) throws(SystemError) {
        self.id = id
        peerUser = user
        peerGroups = groups
        self.actor = actor
        if case .agent(let person, let groupsOfPerson) = actor {
            self.user = person
            self.groups = groupsOfPerson
        } else {
            self.user = user
            self.groups = groups
        }
        self.account = account(self.user)
        self.peer = peer
        self.rank = rank
        self.input = input
        connection = try FrameConnection(
            socket,
            payloadLimit: Frame.clientPayloadLimit,
            descriptorLimit: Frame.descriptorLimit,
            closer: closing.closer(for: .account(self.account)),
            on: loop
        )
        patience.begin(.hello, at: Now.current.monotonic)
        source = try loop.descriptor(socket, watched) { [weak self] events in
            // Keep the session alive until the end of this closure, because writing can end the session, and its owner
            // then releases it.
            guard let self else { return }
            if events.contains(.endOfInput) { isAtEndOfInput = true }
            if !events.isDisjoint(with: [.readable, .endOfInput, .hungUp, .failed]) {
                mayHaveBytes = true
                if !events.isDisjoint(with: [.hungUp, .failed]) {
                    isHungUp = true
                    // Serve the client's last requests, although the client cannot receive the answers.
                    isPaused = false
                }
            }
            if events.contains(.writable) { mayWrite = true }
            if isHungUp && !connection.outgoing.isEmpty { flush() }
            if wantsTurn { self.input(.ready) }
        }
    }

    /// Acts for a user of the HTTP API from now on. The limits of connections, bytes and time remain those of the service,
    /// so that all its users together have the share of one account.
    func represent(_ user: WebUser) {
        web = (user, peerUser)
        (peerUser, actor) = (user.caller, user.actor)
        if case .agent(let person, let groupsOfPerson) = user.actor {
            (self.user, groups) = (person, groupsOfPerson)
        } else {
            (self.user, groups) = (user.caller, user.groups)
        }
    }

    var isDrained: Bool { connection.outgoing.isEmpty && encodingCount == 0 || hasEnded }

    /// True if the session may have bytes to send or to read.
    var wantsTurn: Bool { !hasEnded && mayWrite || wantsToRead }

    var wantsToRead: Bool {
        !hasEnded && !isEnding && !isPaused && !isDecoding && (mayHaveBytes || connection.decoder.hasNext)
    }

    /// The files that earlier `files` requests passed for the client's next run.
    var gathered: [SharedFileDescriptor] = [] {
        didSet { gathered.isEmpty ? patience.end(.perform) : require(.perform) }
    }

    /// The number of descriptors that have arrived but do not belong to a run yet.
    var heldDescriptorCount: Int { descriptors.count + gathered.count }

    /// Removes and returns up to this number of descriptors that arrived with the last payload.
    func removeDescriptors(_ count: Int) -> [PassedDescriptor] {
        let taken = Array(descriptors.prefix(count))
        descriptors.removeFirst(taken.count)
        return taken
    }

    /// Queues a message. ``flush()`` sends it.
    func post(
        _ message: ClientMessage,
        descriptors: [SharedFileDescriptor] = [],
        _ delivery: Delivery = .always
    ) {
        var frame: ArraySlice<UInt8>?
        post(message, encoded: &frame, descriptors: descriptors, delivery)
    }

    /// Queues a message that several clients receive. The first call encodes it; later calls reuse the frame in
    /// `encoded`.
    func post(
        _ message: ClientMessage,
        encoded: inout ArraySlice<UInt8>?,
        descriptors: [SharedFileDescriptor],
        _ delivery: Delivery
    ) {
        guard !hasEnded else { return }
        if case .answer(let id?, let answer) = message, answer.isLarge {
            encodingCount += 1
            return input(.encode(id: id, answer))
        }
        if case .whenKeepingUp = delivery, connection.outgoing.byteCount > Self.outputBacklogLimit { return }
        let frame = encoded ?? message.frame
        encoded = frame
        if case .latest(let run) = delivery { return connection.outgoing.append(frame, replacing: run) }
        if case .answer(_?, _) = message {
            connection.outgoing.append(frame, descriptors: descriptors, isAnswer: true)
            input(.answered(byteCount: frame.count))
        } else {
            connection.outgoing.append(frame, descriptors: descriptors)
        }
    }

    /// Sends an answer that was encoded on another thread.
    func post(answer frame: ArraySlice<UInt8>) {
        encodingCount -= 1
        guard !hasEnded else { return }
        connection.outgoing.append(frame, isAnswer: true)
        input(.answered(byteCount: frame.count))
        flush()
    }

    func send(_ message: ClientMessage) {
        post(message)
        flush()
    }

    /// Closes the connection once the client has read all messages, or has had enough time to read them.
    func endAfterWriting() {
        isEnding = true
        descriptors = []
        gathered = []
        for obligation in ConnectionPatience.Obligation.allCases { patience.end(obligation) }
        flush()
        if !hasEnded { require(.farewell) }
    }

    /// Starts or stops the deadline for reading answers.
    func setReadingDeadline(isRunning: Bool) { isRunning ? require(.reading) : patience.end(.reading) }

    private func require(_ obligation: ConnectionPatience.Obligation) {
        guard !patience.isPending(obligation), !hasEnded else { return }
        patience.begin(obligation, at: Now.current.monotonic)
        input(.deadlineBegan)
    }

    /// Sends a client the reason why its connection is refused. Does not wait until the client has read it.
    static func reject(_ socket: SharedFileDescriptor, _ error: ErrorReport) {
        let frame = ClientMessage.answer(id: nil, .refused(error)).frame
        // Ignore a failure, because the client may have disconnected already.
        _ = try? UnixSocket.send(frame, on: socket.rawValue, waiting: .never)
    }

    /// Sends as many bytes as the socket accepts.
    func flush() {
        mayWrite = false
        guard !hasEnded else { return }
        do throws(SystemError) {
            let byteCount = try connection.send(upTo: Self.turnByteLimit) { self.sent(answerByteCount: $0) }
            if connection.outgoing.isEmpty && encodingCount == 0 && isEnding { return end(nil) }
            if connection.outgoing.byteCount > Self.backlogLimit
                || connection.outgoing.descriptorCount > Self.openDescriptorLimit
            {
                return end("it does not read its messages")
            }
            var events: PollEvents = [.readable, .endOfInput, .edge]
            if !connection.outgoing.isEmpty { events.insert(.writable) }
            // An edge-triggered source does not report again that the socket is still writable. Watch the socket again,
            // so that the kernel checks it.
            if events != watched || !connection.outgoing.isEmpty && byteCount > 0 { try source?.watch(events) }
            watched = events
            if connection.outgoing.byteCount != queuedByteCount {
                queuedByteCount = connection.outgoing.byteCount
                input(.queued(byteCount: queuedByteCount))
            }
        } catch {
            end(nil)
        }
    }

    private func sent(answerByteCount: Int) {
        if patience.isPending(.reading) {
            // The client is reading, so restart its time limit.
            patience.end(.reading)
            require(.reading)
        }
        if answerByteCount > 0 { input(.receivedAnswers(byteCount: answerByteCount)) }
    }

    /// Receives once, and reports one payload. The next payload is reported in the client's next turn.
    func serveNext() {
        guard wantsToRead else { return }
        if !connection.decoder.hasNext {
            guard receive() else { return }
        }
        do throws(FrameError) {
            guard let payload = try connection.decoder.next() else { return updateDeadlines() }
            patience.end(.frame)
            input(.payload(payload))
        } catch {
            return input(.malformed("\(error)"))
        }
        updateDeadlines()
    }

    /// Receives bytes and descriptors. Returns false if nothing arrived or the connection ends.
    private func receive() -> Bool {
        do throws(SystemError) {
            switch try connection.receive() {
            case .nothing:
                mayHaveBytes = false
                return false
            case .end:
                end(nil)
                return false
            case .tooManyDescriptors:
                input(.malformed("expected at most \(Frame.descriptorLimit) descriptors with one frame"))
                return false
            case .bytes(let count, let received):
                // If fewer bytes arrived than the buffer holds, the socket is empty (epoll(7)), unless passed
                // descriptors ended the call early (unix(7)).
                if count < FrameConnection.receiveByteCount, received.isEmpty, !isAtEndOfInput, !isHungUp {
                    mayHaveBytes = false
                }
                descriptors += received.map(PassedDescriptor.init)
            }
        } catch {
            end(nil)
            return false
        }
        // A client must not fill intentd's descriptor table before its hello. A hello carries no files, but the next
        // request may arrive together with it. In that case the descriptors belong to that request.
        guard isGreeted || descriptors.isEmpty || connection.decoder.hasMoreThanNext else {
            input(.malformed("received descriptors before hello"))
            return false
        }
        return true
    }

    /// Resumes reading after a payload was decoded on another thread.
    func continueAfterDecoding() {
        isDecoding = false
        updateDeadlines()
    }

    private func updateDeadlines() {
        guard !hasEnded, !isEnding else { return }
        // Between frames, close descriptors that belong to no frame. Do not close them while a frame is being decoded,
        // because that frame has not claimed its descriptors yet.
        if !isDecoding, connection.decoder.isEmpty || descriptors.count > Frame.descriptorLimit { descriptors = [] }
        if connection.decoder.isEmpty || connection.decoder.hasNext { patience.end(.frame) } else { require(.frame) }
        let byteCount = connection.decoder.unfinishedByteCount
        guard !isDecoding, byteCount != unfinishedByteCount else { return }
        unfinishedByteCount = byteCount
        input(.unfinished(byteCount: byteCount))
    }

    func disconnect(_ reason: String?) { end(reason) }

    private func end(_ reason: String?) {
        guard !hasEnded else { return }
        hasEnded = true
        source = nil
        connection.outgoing.removeAll()
        descriptors = []
        input(.end(reason: reason))
    }
}
