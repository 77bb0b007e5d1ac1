import IntentDaemon
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// The connections of all clients. Admits connections, reads requests in turn, and sends the messages that are posted
/// to clients.
///
/// Must be used only on the event loop's thread. It does not interpret requests.
final class ClientSessions {
    enum Event {
        case asked(ClientSession, ReadRequest)
        /// A client has received the result files of a run that it owns.
        case receivedFiles(of: RunID)
        /// A client has disconnected.
        case left(ClientID)
        /// The loop can no longer serve clients.
        case failed
    }

    private let loop: EventLoop
    private let journal: Journal
    private let closing: ClosingThreads
    private let operators: OperatorRule
    private let coding: CodingThread
    private var event: (Event) -> Void = { _ in }
    private var codingSource: EventSource?
    private let table = Table()
    private var lastNumber: UInt64 = 0
    private var admission = ConnectionAdmission()
    private var accounts = LocalAccounts()
    let turns: ClientTurns
    let outbox: ClientOutbox
    private var patienceTimer: EventSource?
    private var patienceDeadline: Now.Monotonic?
    /// The closure that determines the user that a client acts for, from the user and groups of the client's process.
    var actor: (Caller, Set<UInt32>) -> AppDirectory.Actor = { _, _ in .person }
    /// True if this daemon serves only one user.
    var isOfOneUser: Bool { if case .owner = operators { true } else { false } }
    /// The pid of the launcher, which is an ancestor of every app process.
    var launcherProcess: Int32?
    /// True once the refusal of a connection from an app has been logged.
    private var hasRefusedApp = false

    init(
        on loop: EventLoop,
        journal: Journal,
        closing: ClosingThreads,
        operators: OperatorRule
    ) throws(SystemError) {
        self.loop = loop
        self.journal = journal
        self.closing = closing
        self.operators = operators
        coding = try CodingThread()
        turns = try ClientTurns(
            on: loop,
            journal: journal,
            find: { [table] id in table.sessions[id] }
        )
        outbox = ClientOutbox(on: loop) { [table] id in table.sessions[id]?.flush() }
    }

    /// Starts reporting clients' requests and the end of their connections.
    func start(_ event: @escaping (Event) -> Void) throws(SystemError) {
        self.event = event
        turns.failed = { event(.failed) }
        codingSource = try loop.descriptor(coding.outcomeCounter.rawValue, .readable) { [weak self] _ in
            self?.deliverCoded()
        }
    }

    /// The open sessions, by client.
    private final class Table {
        var sessions: [ClientID: ClientSession] = [:]
    }

    private var sessions: [ClientID: ClientSession] {
        get { table.sessions }
        _modify { yield &table.sessions }
    }

    subscript(id: ClientID) -> ClientSession? { table.sessions[id] }

    var count: Int { sessions.count }

    var isDrained: Bool { sessions.values.allSatisfy(\.isDrained) }

    /// The number of descriptors that clients have passed but that do not belong to a run yet.
    var heldDescriptorCount: Int { sessions.values.reduce(0) { $0 + $1.heldDescriptorCount } }

    /// Returns the number of descriptors that the user's clients have passed but that do not belong to a run yet.
    func heldDescriptorCount(of user: Caller) -> Int {
        sessions.values.reduce(0) { $0 + ($1.user == user ? $1.heldDescriptorCount : 0) }
    }

    // MARK: Connections

    /// Admits a connection, or refuses it with a reason. ``ClosingThreads`` closes the descriptors that the client
    /// sends.
    @discardableResult
    func add(_ connection: consuming FileDescriptor) -> ClientID? {
        let closer = closing.closer(forPeerOf: connection.rawValue)
        return add(SharedFileDescriptor(connection, closer: closer))
    }

    /// Admits a connection, or refuses it with a reason.
    ///
    /// - Returns: The identifier of the client; nil if the connection was refused.
    @discardableResult
    func add(_ socket: SharedFileDescriptor) -> ClientID? {
        lastNumber += 1
        let id = ClientID(number: lastNumber)
        do {
            let peer = try UnixSocket.peer(of: socket.rawValue)
            let process = try PeerProcess(of: socket.rawValue)
            if let refusal = refusal(of: process) {
                ClientSession.reject(socket, refusal)
                return nil
            }
            let user = Caller.local(user: peer.user, account: accounts.name(of: peer.user))
            let groups = try UnixSocket.peerGroups(of: socket.rawValue)
            let actor = actor(user, groups)
            if case .agentWithoutUser = actor {
                ClientSession.reject(
                    socket,
                    ErrorReport(
                        .notPermitted,
                        "the user that this agent acts for does not exist",
                        hint: "an operator must correct For= in [Agents] of intentd.conf"
                    )
                )
                return nil
            }
            // Neither an agent nor a fleet's service is ever an operator.
            let rank = actor == .person ? operators.rank(of: user, groups: groups) : .user
            let kind: ConnectionAdmission.Kind = actor == .fleet ? .fleet : rank == .operator ? .operator : .user
            guard admission.admit(id, of: user, as: kind) else {
                ClientSession.reject(
                    socket,
                    ErrorReport(
                        .busy,
                        "you have too many connections: the remaining connections are reserved for other users",
                        hint: "close some of your connections, then try again"
                    )
                )
                return nil
            }
            let session = try ClientSession(
                socket,
                id: id,
                user: user,
                actor: actor,
                peer: process,
                groups: groups,
                rank: rank,
                on: loop,
                closing: closing,
                input: { [weak self] input in self?.received(input, from: id) }
            )
            sessions[id] = session
            armPatience(for: session)
            return id
        } catch {
            admission.leave(id)
            journal.write(.error, "cannot serve a client (\(error)); closing its connection")
            ClientSession.reject(
                socket,
                ErrorReport(.busy, "intentd cannot serve this connection: \(error)", hint: "try again in a moment")
            )
            return nil
        }
    }

    /// Returns the reason why a process must not be a client, or nil if it may be one.
    ///
    /// An app must not request runs. Otherwise, an app that was granted this socket, or a folder that contains the
    /// socket, could become a client of the daemon that confines it.
    private func refusal(of process: PeerProcess?) -> ErrorReport? {
        guard let launcherProcess else { return nil }
        switch process?.ancestry(from: launcherProcess) {
        case .elsewhere: return nil
        case .below:
            // Log only the first refusal, because an app can connect any number of times.
            if !hasRefusedApp {
                journal.write(
                    .warning,
                    "refused a connection from an app that this intentd runs: check Sockets= in the app's settings"
                )
            }
            hasRefusedApp = true
            return ErrorReport(
                .notPermitted,
                "a process in a sandbox of this intentd cannot be its client",
                hint: "a run can exchange data with other apps only through its parameters and its result"
            )
        case .unknown, nil:
            return ErrorReport(
                .notPermitted,
                "the process that made this connection has exited, so intentd cannot check whether it may be a client",
                hint: "connect from a process that runs until the connection is closed"
            )
        }
    }

    /// Closes the connections for which a reload of `[Agents]` or `[Fleet]` has changed the result of ``actor``.
    func endChangedAgents() {
        for session in sessions.values where actor(session.peerUser, session.peerGroups) != session.actor {
            session.send(
                .answer(
                    id: nil,
                    .refused(
                        ErrorReport(.notPermitted, "the operator changed [Agents] or [Fleet]", hint: "connect again")
                    )
                )
            )
            session.endAfterWriting()
        }
    }

    /// Sends each client its last messages, and then closes all connections.
    func endAllAfterWriting() {
        for session in sessions.values { session.endAfterWriting() }
    }

    /// Sends the client a protocol error, and closes the connection.
    func end(_ session: ClientSession, id: UInt64?, _ message: String) {
        session.send(.answer(id: id, .refused(ErrorReport(.protocolViolation, message, hint: "see Protocol.md"))))
        session.endAfterWriting()
    }

    private func ended(_ id: ClientID) {
        guard let session = sessions.removeValue(forKey: id) else { return }
        admission.leave(id)
        if session.isDecoding || session.encodingCount > 0 { coding.drop(workOf: id, of: session.user) }
        turns.left(session)
        event(.left(id))
    }

    // MARK: Receiving

    private func received(_ input: ClientSession.Input, from id: ClientID) {
        guard let session = sessions[id] else { return }
        switch input {
        case .ready: turns.serveOrAppend(session)
        case .payload(let payload):
            turns.asked(session)
            guard payload.count > ReadRequest.promptByteLimit else {
                return event(.asked(session, ReadRequest(payload)))
            }
            session.isDecoding = true
            coding.add(.decode(id, payload), of: session.user)
        case .malformed(let reason): end(session, id: nil, reason)
        case .end(let reason):
            if let reason { journal.write(.notice, "disconnected a client of user \(session.user.uid): \(reason)") }
            ended(id)
        case .receivedFiles(let run): event(.receivedFiles(of: run))
        case .encode(let number, let answer): coding.add(.encode(id, number, answer), of: session.user)
        case .answered(let byteCount): turns.answered(session, byteCount: byteCount)
        case .receivedAnswers(let byteCount): turns.receivedAnswers(session, byteCount: byteCount)
        case .deadlineBegan: armPatience(for: session)
        }
    }

    /// Delivers the requests and answers that the coding thread has decoded or encoded.
    private func deliverCoded() {
        for (outcome, duration) in coding.removeOutcomes() {
            switch outcome {
            case .request(let client, let request):
                // Serve the request even if the client has hung up. Its session exists until all of its bytes have been
                // read.
                guard let session = sessions[client] else { continue }
                turns.served(session.user, for: duration)
                event(.asked(session, request))
                session.continueAfterDecoding()
                turns.append(session)
            case .answer(let client, let id, let frame):
                guard let session = sessions[client] else { continue }
                turns.served(session.user, for: duration)
                if turns.mayAnswer(frame.count, to: session.user) {
                    session.post(answer: frame)
                } else {
                    session.post(answer: ClientMessage.answer(id: id, .refused(Self.unread)).frame)
                }
            }
        }
    }

    private static let unread = ErrorReport(
        .busy,
        "your connections have \(AnswerBudget.userByteCeiling >> 20) MiB of unread answers",
        hint: "read the answers, then repeat the request"
    )

    // MARK: Sending

    /// Queues a message for a client. ``outbox`` sends it together with related messages.
    func post(
        _ message: ClientMessage,
        to client: ClientID,
        descriptors: [SharedFileDescriptor] = [],
        _ delivery: ClientSession.Delivery = .always,
        giving run: RunID? = nil
    ) {
        guard let session = sessions[client] else { return }
        session.post(message, descriptors: descriptors, delivery, giving: run)
        outbox.posted(for: client, delivery)
    }

    /// Queues an event for its subscribers. The event is encoded only once.
    func post(
        _ event: NumberedEvent,
        to subscribers: [ClientID],
        descriptors: [SharedFileDescriptor] = [],
        giving run: RunID? = nil
    ) {
        let delivery: ClientSession.Delivery =
            switch event.event {
            case .progress: .latest(event.run)
            case .output: .whenKeepingUp
            case .state, .question, .answered, .finished: .always
            }
        var frame: ArraySlice<UInt8>?
        for client in subscribers {
            guard let session = sessions[client] else { continue }
            session.post(.event(event), encoded: &frame, descriptors: descriptors, delivery, giving: run)
            outbox.posted(for: client, delivery)
        }
    }

    // MARK: Patience

    /// Arms the timer for the session's next deadline.
    private func armPatience(for session: ClientSession) {
        if let deadline = session.patience.deadline { armPatience(at: deadline) }
    }

    private func armPatience(at deadline: Now.Monotonic) {
        if let patienceDeadline, patienceDeadline <= deadline { return }
        do {
            patienceTimer = try loop.timer(atNanoseconds: deadline.nanoseconds) { [weak self] in self?.patienceEnded() }
            patienceDeadline = deadline
        } catch {
            journal.write(.error, "cannot arm the timer for client deadlines (\(error)); continuing without it")
        }
    }

    private func patienceEnded() {
        patienceTimer = nil
        patienceDeadline = nil
        endOverdue()
        if let next = sessions.values.compactMap(\.patience.deadline).min() { armPatience(at: next) }
    }

    private func endOverdue() {
        let now = Now.current.monotonic
        for session in sessions.values {
            guard let obligation = session.patience.overdue(at: now) else { continue }
            let seconds = obligation.limit.components.seconds
            switch obligation {
            case .hello: end(session, id: nil, "no hello within \(seconds) s")
            case .frame: end(session, id: nil, "a frame was incomplete after \(seconds) s")
            case .perform: end(session, id: nil, "no perform request for the passed files within \(seconds) s")
            case .reading: session.disconnect("it does not read its answers")
            case .farewell: session.disconnect(nil)
            }
        }
    }
}
