import IntentDaemon
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// The connections of all clients. Admits connections, reads requests in turn, and sends the messages that are posted
/// to clients.
///
/// Must be used only on the event loop's thread. It does not interpret requests.
final class ClientSessions {
    enum Event {
        case asked(ClientSession, ReadRequest)
        /// A client has disconnected.
        case left(ClientID)
        /// The ids that are subordinate to accounts have changed.
        case subordinatesRead(SubordinateIDs)
        /// The loop can no longer serve clients.
        case failed
    }

    private let loop: EventLoop
    private let journal: Journal
    private let closing: ClosingThreads
    let operators: OperatorRule
    private let coding: CodingThread
    private var event: (Event) -> Void = { _ in }
    private var codingSource: EventSource?
    private let table = Table()
    private var lastNumber: UInt64 = 0
    private var admission = ConnectionAdmission()
    private var users: LocalUsers
    private var frames = ByteBudget.frames
    private var messages = ByteBudget.messages
    let turns: ClientTurns
    let outbox: ClientOutbox
    private var patienceTimer: EventSource?
    private var patienceDeadline: Now.Monotonic?
    /// The closure that determines the user that a client acts for, from the user and groups of the client's process.
    var actor: (Caller, Set<UInt32>) -> AppDirectory.Actor = { _, _ in .person }
    /// The closure that determines the user that the service of the HTTP API may act for.
    var webUser: (String, OperatorRule) throws(ErrorReport) -> WebUser = { _, _ throws(ErrorReport) in
        throw ErrorReport(.notPermitted, "there is no service of the HTTP API")
    }
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
        operators: OperatorRule,
        users: LocalUsers = LocalUsers()
    ) throws(SystemError) {
        self.loop = loop
        self.journal = journal
        self.closing = closing
        self.operators = operators
        self.users = users
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
        for problem in subordinateProblems() { journal.write(.warning, problem) }
    }

    /// The open sessions, by client.
    private final class Table { var sessions: [ClientID: ClientSession] = [:] }

    var sessions: [ClientID: ClientSession] {
        get { table.sessions }
        _modify { yield &table.sessions }
    }

    subscript(id: ClientID) -> ClientSession? { table.sessions[id] }

    var count: Int { sessions.count }

    var isDrained: Bool { sessions.values.allSatisfy(\.isDrained) }

    /// The number of descriptors that clients have passed but that do not belong to a run yet.
    var heldDescriptorCount: Int { sessions.values.reduce(0) { $0 + $1.heldDescriptorCount } }

    /// Returns the number of descriptors that the account's clients have passed but that do not belong to a run yet.
    func heldDescriptorCount(of account: Account) -> Int {
        sessions.values.reduce(0) { $0 + ($1.account == account ? $1.heldDescriptorCount : 0) }
    }

    // MARK: Connections

    /// Admits a connection, or refuses it with a reason. ``ClosingThreads`` closes the descriptors that the client
    /// sends.
    @discardableResult
    func add(_ connection: consuming FileDescriptor) -> ClientID? {
        let user = (try? UnixSocket.peer(of: connection.rawValue)).map { users.caller($0.user) }
        let lane = user.map { ClosingThreads.Lane.account(account(of: $0)) } ?? .others
        return add(SharedFileDescriptor(connection, closer: closing.closer(for: lane)), of: user)
    }

    /// Admits a connection, or refuses it with a reason.
    ///
    /// - Parameter known: The user of the client's process, if it is known.
    /// - Returns: The identifier of the client; nil if the connection was refused.
    @discardableResult
    func add(_ socket: SharedFileDescriptor, of known: Caller? = nil) -> ClientID? {
        lastNumber += 1
        let id = ClientID(number: lastNumber)
        do {
            let process = try PeerProcess(of: socket.rawValue)
            if let refusal = refusal(of: process) {
                ClientSession.reject(socket, refusal)
                return nil
            }
            let user = try known ?? users.caller(UnixSocket.peer(of: socket.rawValue).user)
            let groups = try UnixSocket.peerGroups(of: socket.rawValue)
            let actor = actor(of: user, groups)
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
            // Neither an agent nor a service that acts for others is ever an operator.
            let rank = actor == .person ? operators.rank(of: user, groups: groups) : .user
            let kind: ConnectionAdmission.Kind =
                actor == .fleet ? .fleet : actor == .web ? .web : rank == .operator ? .operator : .user
            guard admission.admit(id, of: account(of: user), as: kind) else {
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
                account: account(of:),
                peer: process,
                groups: groups,
                rank: rank,
                on: loop,
                closing: closing,
                input: { [weak self] input in self?.received(input, from: id) }
            )
            sessions[id] = session
            armPatience(at: session.patience.deadline)
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

    /// Returns the user that a client acts for. The ids that are subordinate to an agent's account are the agent.
    func actor(of user: Caller, _ groups: Set<UInt32>) -> AppDirectory.Actor {
        let payer = actor(account(of: user).payer, groups)
        return payer.isAgent ? payer : actor(user, groups)
    }

    /// Returns the account that pays for a user.
    private func account(of user: Caller) -> Account { readUsers { $0.account(of: user) } }

    /// Returns the problems with the ids that are subordinate to accounts.
    func subordinateProblems() -> [String] { readUsers { $0.problems() } }

    /// Reads the users, and reports the ids that are subordinate to accounts if they have changed.
    private func readUsers<Result>(_ body: (inout LocalUsers) -> Result) -> Result {
        let before = users.subordinates
        defer { if users.subordinates != before { event(.subordinatesRead(users.subordinates)) } }
        return body(&users)
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
        if session.isDecoding || session.encodingCount > 0 { coding.drop(workOf: id, of: session.account) }
        frames.left(id, of: session.account)
        messages.left(id, of: session.account)
        turns.left(session)
        event(.left(id))
    }

    // MARK: Receiving

    private func received(_ input: ClientSession.Input, from id: ClientID) {
        guard let session = sessions[id] else { return }
        switch input {
        case .ready: turns.serveOrAppend(session)
        case .payload(let payload):
            turns.budget.asked(session.id, of: session.account)
            guard payload.count > ReadRequest.promptByteLimit else {
                return event(.asked(session, ReadRequest(payload)))
            }
            session.isDecoding = true
            coding.add(.decode(id, payload), of: session.account)
        case .malformed(let reason): end(session, id: nil, reason)
        case .end(let reason):
            if let reason { journal.write(.notice, "disconnected a client of user \(session.user.uid): \(reason)") }
            ended(id)
        case .encode(let number, let answer): coding.add(.encode(id, number, answer), of: session.account)
        case .answered(let byteCount):
            turns.budget.answered(byteCount, id, of: session.account)
            turns.resumeReading(of: session.account)
        case .receivedAnswers(let byteCount):
            turns.budget.received(byteCount, id, of: session.account)
            turns.resumeReading(of: session.account)
        case .deadlineBegan: armPatience(at: session.patience.deadline)
        case .queued(let byteCount):
            if !messages.holds(byteCount, id, of: session.account) {
                session.disconnect("its account's connections do not read their messages")
            }
        case .unfinished(let byteCount):
            guard !frames.holds(byteCount, id, of: session.account) else { return }
            session.send(.answer(id: nil, .refused(Self.unfinished)))
            session.endAfterWriting()
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
                turns.pace.served(session.account, for: duration, at: .current)
                event(.asked(session, request))
                session.continueAfterDecoding()
                turns.append(session)
            case .answer(let client, let id, let frame):
                guard let session = sessions[client] else { continue }
                turns.pace.served(session.account, for: duration, at: .current)
                if turns.budget.mayAnswer(frame.count, to: session.account) {
                    session.post(answer: frame)
                } else {
                    session.post(answer: ClientMessage.answer(id: id, .refused(Self.unread)).frame)
                }
            }
        }
    }

    // MARK: Sending

    /// Queues a message for a client. ``outbox`` sends it together with related messages.
    func post(
        _ message: ClientMessage,
        to client: ClientID,
        descriptors: [SharedFileDescriptor] = [],
        _ delivery: ClientSession.Delivery = .always
    ) {
        guard let session = sessions[client] else { return }
        session.post(message, descriptors: descriptors, delivery)
        outbox.posted(for: client, delivery)
    }

    /// Queues an event for its subscribers. The event is encoded only once.
    func post(
        _ event: NumberedEvent,
        to subscribers: [ClientID],
        descriptors: [SharedFileDescriptor] = []
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
            session.post(.event(event), encoded: &frame, descriptors: descriptors, delivery)
            outbox.posted(for: client, delivery)
        }
    }

    // MARK: Patience

    /// Arms the timer for the session's next deadline.
    private func armPatience(at deadline: Now.Monotonic?) {
        guard let deadline, patienceDeadline.map({ $0 > deadline }) ?? true else { return }
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
        armPatience(at: sessions.values.compactMap(\.patience.deadline).min())
    }
}
