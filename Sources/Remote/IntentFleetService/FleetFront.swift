import IntentConfiguration
import IntentDaemon
import IntentFleet
import IntentLauncherMessages
import IntentLinux
import IntentProtocol
import IntentSystemd

/// The socket for local users. It serves intentd's client protocol for the runs of the fleet.
///
/// The kernel identifies the user, and the database determines the users that this host may act for.
///
/// Use an instance only on the loop's thread.
final class FleetFront {
    /// The maximum number of runs in one statement.
    private static let pollSize = 5000
    private static let pollInterval: Duration = .seconds(1)
    private static let helloPatience: Int64 = 10_000_000_000

    let realm: String
    let database: DatabaseRequests
    let startedAt = ClockReading.monotonicNanoseconds()
    private let loop: EventLoop
    private let journal: Journal
    private var listener: SocketListener?
    private var listenTimer: EventSource?
    private var sessions: [UInt64: FrontSession] = [:]
    private var lastSession: UInt64 = 0
    /// The uids that intentd treats as agents; nil until intentd has named them.
    private var agents: Set<UInt32>?
    /// The uids of sandboxes on this host. No user has one of them.
    private let appIDs: [HostIDs]
    private var users = LocalUsers()
    private var watches = RunWatches()
    /// The cancel requests to answer when their run has ended, by run.
    private var cancelWaiters: [Int64: [(session: UInt64, id: UInt64)]] = [:]
    private var pollTimer: EventSource?
    /// The number of the current poll's statements that have no answer yet.
    private var pollCount = 0
    /// The runs to query in the next poll.
    private var due: Set<Int64> = []
    private(set) var catalog = OfferedApps()
    /// Answers other hosts' requests. Set before the loop runs.
    var desk: ErrandDesk?
    /// The files that local users pass with their runs. Set before the loop runs.
    var inputs: InputSpool?
    /// Returns true if the database has refused this process, because another process is the host with its name.
    var isNameTaken: () -> Bool = { false }
    private let certificatePaths: [String]
    /// The folder in which files from other hosts are stored until clients have received them.
    private let folder: String
    private var questions: [UInt64: HostQuestion] = [:]
    private var lastQuestion: UInt64 = 0

    /// The maximum number of concurrent requests from local users to other hosts.
    private static let questionLimit = 32

    /// - Parameters:
    ///   - name: The host's name, which is also its role in the database.
    ///   - folder: A folder that only this program uses.
    ///   - appIDs: The uids of sandboxes on this host.
    init(
        name: String,
        realm: String,
        servers: [String],
        folder: String,
        appIDs: [HostIDs],
        on loop: EventLoop,
        journal: Journal
    ) throws(SystemError) {
        self.realm = realm
        self.appIDs = appIDs
        self.folder = folder
        let paths = servers.flatMap { server in
            ["sslcert", "sslrootcert"].compactMap { ConnectionString.value(of: $0, in: server) }
        }
        certificatePaths = Set(paths).sorted()
        self.loop = loop
        self.journal = journal
        database = try DatabaseRequests(name: name, servers: servers, on: loop)
        database.opened = { [weak self] in self?.poll() }
        database.ended = { [weak self] runs in self?.heard(runs) }
        database.errandsOf = { [weak self] host in if host == name { self?.lookForErrands() } }
    }

    /// Serves local users when intentd has named its agents, or after 5 s. Until intentd has named them, only requests for
    /// the state of the fleet are served.
    func start(on sockets: [SharedFileDescriptor]) {
        listener = SocketListener(on: sockets, of: loop, journal: journal)
        listenTimer = LoopTimer.after(.seconds(5), on: loop) { [weak self] in self?.listen() }
    }

    /// Accepts connections from now on.
    private func listen() {
        guard listenTimer != nil else { return }
        listenTimer = nil
        listener?.start(
            accepted: { [weak self] connection throws(SystemError) in try self?.add(SharedFileDescriptor(connection)) },
            failed: { [loop] in loop.exit(1) }
        )
    }

    /// Refuses the users that intentd treats as agents. A client that has become an agent is disconnected.
    func refuse(agents new: Set<UInt32>) {
        agents = new
        for session in sessions.values where new.contains(session.account.payer.uid) {
            end(session, FrontSession.agentRefusal)
        }
        listen()
    }

    /// Disconnects the clients. Requests to the database stay unanswered: an answer can require a timer, and a loop
    /// that has ended has none.
    func close() {
        listener = nil
        listenTimer = nil
        for session in sessions.values { session.stream.close() }
        sessions = [:]
    }

    /// The certificates in the connection strings, and their expiry.
    var certificates: [(path: String, expiry: Timestamp?)] {
        certificatePaths.map { path in
            // An unreadable file is reported as a problem.
            (path, (try? File.text(at: path)).flatMap { Certificate.expiry(ofPEM: $0) })
        }
    }

    // MARK: Connections

    private func add(_ connection: SharedFileDescriptor) throws(SystemError) {
        let user = users.caller(try UnixSocket.peer(of: connection.rawValue).user)
        let account = users.account(of: user)
        lastSession += 1
        let number = lastSession
        let stream = try FrameStream(
            connection,
            files: .ofClient,
            closer: inputs?.closing.closer(for: .account(account)) ?? FileDescriptor.closeAtOnce,
            on: loop,
            received: { [weak self] payload in self?.received(payload, from: number) },
            ended: { [weak self] _ in self?.left(number) }
        )
        let refusal = FrontSession.refusal(
            of: user,
            account,
            appIDs: appIDs,
            agents: agents,
            among: sessions.values
        )
        if let refusal {
            stream.send(ClientMessage.answer(id: nil, .refused(refusal)))
            return stream.close()
        }
        sessions[number] = FrontSession(
            id: number,
            user: user.uid,
            account: account,
            owner: FleetUser.name(user: user.uid, account: user.account, realm: realm),
            stream: stream,
            helloDeadline: ClockReading.monotonicNanoseconds() + Self.helloPatience
        )
        armPoll()
    }

    private func left(_ number: UInt64) {
        guard let session = sessions.removeValue(forKey: number) else { return }
        watches.left(number)
        for run in session.attached.sorted() { cancel(run, .clientDisconnected) }
    }

    private func received(_ payload: [UInt8], from number: UInt64) {
        guard let session = sessions[number] else { return }
        let numbered: NumberedRequest
        do throws(WireError) {
            numbered = try WireCoding.decode(NumberedRequest.self, from: payload)
        } catch {
            guard let id = NumberedRequest.id(in: payload), session.isGreeted else {
                return end(session, "cannot decode the request: \(error)")
            }
            session.openCount += 1
            // The files of an unknown request must not become the files of the next request.
            _ = session.stream.takeFiles()
            return session.refuse(id, ErrorReport(.badRequest, "cannot decode the request: \(error)"))
        }
        session.openCount += 1
        guard session.isGreeted else { return greet(session, numbered) }
        guard session.openCount <= FrontSession.openLimit else {
            return session.refuse(
                numbered.id,
                ErrorReport(.busy, "\(session.openCount - 1) requests of this connection have no answer yet")
            )
        }
        guard agents != nil || numbered.request.isAboutState else {
            _ = session.stream.takeFiles()
            return session.refuse(numbered.id, FrontSession.unknownAgents)
        }
        FrontRequests(self, session, numbered.id).serve(numbered.request)
    }

    private func greet(_ session: FrontSession, _ numbered: NumberedRequest) {
        guard case .hello(let hello) = numbered.request else { return end(session, "the first message must be hello") }
        guard hello.fleetUser == nil else {
            return end(session, "'fleetUser': a client of this service may act only for its own user")
        }
        guard hello.protocolVersion == Hello.currentVersion else {
            let (own, other) = (Hello.currentVersion, hello.protocolVersion)
            return end(
                session,
                "this service uses version \(own) of the protocol, but the client uses version \(other)"
            )
        }
        session.isGreeted = true
        session.answer(numbered.id, .hello(Hello(software: FleetRun.software)))
    }

    func end(_ session: FrontSession, _ message: String) {
        end(session, ErrorReport(.protocolViolation, message))
    }

    private func end(_ session: FrontSession, _ error: ErrorReport) {
        session.stream.send(ClientMessage.answer(id: nil, .refused(error)))
        session.stream.close()
        left(session.id)
    }

    func session(_ number: UInt64) -> FrontSession? { sessions[number] }

    // MARK: Other hosts

    /// Sends a request to the host that performed a run.
    func ask(_ kind: Errand.Kind, _ number: Int64, about run: Int64, _ answer: @escaping HostQuestion.Answer) {
        guard questions.count < Self.questionLimit else {
            return answer(.refused(.busy, "too many requests to other hosts in progress", hint: "try again later"))
        }
        ask(.ask(run: run, kind, number: number), limit: ErrandBytes.contentLimit, into: nil, answer)
    }

    /// Sends a request to another host.
    ///
    /// - Parameters:
    ///   - limit: The maximum size of the file in the answer, in bytes.
    ///   - spool: An empty file for the contents; nil for a file without a name.
    func ask(
        _ statement: ErrandStatement,
        limit: Int64,
        into spool: SharedFileDescriptor?,
        _ answer: @escaping HostQuestion.Answer
    ) {
        lastQuestion += 1
        let id = lastQuestion
        let question = HostQuestion(statement, limit: limit, into: spool, folder: folder, database: database, on: loop)
        {
            [weak self] result in
            self?.questions[id] = nil
            answer(result)
        }
        questions[id] = question
        question.start()
    }

    private func lookForErrands() {
        desk?.look()
        for question in questions.values { question.collect() }
    }

    // MARK: Apps

    /// Returns the apps with the given name that hosts of the fleet offer. Uses the cached list if it is current and
    /// contains the intent; otherwise, queries the database.
    func apps(
        named name: String,
        with intent: String,
        _ answer: @escaping (Result<[AppDescription], ErrorReport>) -> Void
    ) {
        if let known = catalog.apps(named: name, with: intent, at: ClockReading.monotonicNanoseconds()) {
            return answer(.success(known))
        }
        database.ask(.apps(named: name)) { [weak self] result in
            let apps = result.map { rows in OfferedApps.descriptions(rows) }
            if case .success(let apps) = apps {
                self?.catalog.keep(apps, named: name, at: ClockReading.monotonicNanoseconds())
            }
            answer(apps)
        }
    }

    // MARK: Runs

    /// Subscribes a client to a run, and immediately queries the run's state.
    func watch(_ run: Int64, by session: FrontSession) {
        subscribe(session, to: run)
        ask(for: [run])
    }

    /// Subscribes a client to a run that its request has created. ``DatabaseRequests`` always reports the end of the
    /// run after the answer to the submission, so a short run costs only one query.
    func watchNew(_ run: Int64, by session: FrontSession) { subscribe(session, to: run) }

    private func subscribe(_ session: FrontSession, to run: Int64) {
        let serial = UInt64(ClockReading.realtimeNanoseconds() / 1000)
        if watches.watch(run, by: session.id, after: serial) { session.watchCount += 1 }
    }

    /// Cancels a run that a client is no longer waiting for.
    func cancel(_ run: Int64, _ reason: CancellationReason) {
        // The run's record shows whether the cancellation succeeded.
        database.cancel(run, reason) { _ in }
    }

    /// Answers a request to cancel a run once the run has ended.
    func awaitEnd(of run: Int64, for session: FrontSession, _ id: UInt64) {
        cancelWaiters[run, default: []].append((session.id, id))
        ask(for: [run])
    }

    private func heard(_ ended: [Int64]) {
        ask(for: ended.filter { watches.contains($0) || cancelWaiters[$0] != nil })
    }

    /// Queries the state of every run that a client is waiting for.
    private func poll() { ask(for: watches.runs + cancelWaiters.keys) }

    /// Queries the state of runs. Only one query is in progress at a time. Runs that become due in the meantime share
    /// the next query.
    private func ask(for runs: [Int64]) {
        due.formUnion(runs)
        guard pollCount == 0, !due.isEmpty else { return }
        let runs = due.sorted()
        due = []
        let parts = stride(from: 0, to: runs.count, by: Self.pollSize).map {
            Array(runs[$0..<min($0 + Self.pollSize, runs.count)])
        }
        pollCount = parts.count
        for part in parts {
            database.ask(.runs(part)) { [weak self] result in
                guard let self else { return }
                pollCount -= 1
                if case .success(let rows) = result { update(rows.compactMap(FleetRecord.init), asked: part) }
                guard pollCount == 0 else { return }
                armPoll()
                ask(for: [])
            }
        }
    }

    /// Reports the end of a run that this host has performed. The database has stored the end, so no query is needed.
    func ended(_ end: FleetRunEnd) {
        if watches.contains(end.run) || cancelWaiters[end.run] != nil, let end = end.forClients {
            answerCancellations(end)
            deliver(watches.ended(end))
        } else {
            database.heard([end.run])
        }
    }

    private func update(_ records: [FleetRecord], asked: [Int64]) {
        for record in records { if let end = record.end { answerCancellations(end) } }
        deliver(watches.update(records, asked: asked))
    }

    private func answerCancellations(_ end: RunEnd) {
        for waiter in cancelWaiters.removeValue(forKey: end.run.fleetNumber) ?? [] {
            sessions[waiter.session]?.answer(waiter.id, .ended(end))
        }
    }

    private func deliver(_ deliveries: [RunWatches.Delivery]) {
        for delivery in deliveries {
            guard let session = sessions[delivery.client] else { continue }
            if case .finished = delivery.event.event {
                session.attached.remove(delivery.event.run.fleetNumber)
                session.watchCount -= 1
            }
            session.stream.send(ClientMessage.event(delivery.event))
        }
    }

    private func armPoll() {
        guard pollTimer == nil, !sessions.isEmpty || !cancelWaiters.isEmpty else { return }
        pollTimer = LoopTimer.after(Self.pollInterval, on: loop) { [weak self] in
            guard let self else { return }
            pollTimer = nil
            let now = ClockReading.monotonicNanoseconds()
            for session in sessions.values where !session.isGreeted && session.helloDeadline < now {
                end(session, "no hello within 10 s")
            }
            cancelWaiters = cancelWaiters.compactMapValues { waiters in
                let rest = waiters.filter { sessions[$0.session] != nil }
                return rest.isEmpty ? nil : rest
            }
            poll()
            armPoll()
        }
    }
}
