import Glibc
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// Decides which client is served next: users take turns, and no user gets more than a share while others ask.
///
/// Belongs to the loop's thread.
final class ClientTurns {
    private let loop: EventLoop
    private let journal: Journal
    private let find: (ClientID) -> ClientSession?
    /// Called when the loop can give no more turns. Then no client can be served.
    var failed: () -> Void = {}
    /// Clients with something to read, in the order of their users' turns.
    private var queue = FairQueue<Caller, ClientID>()
    private var source: EventSource?
    private var pace = UserPace(processorCount: sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    /// Clients of users who must wait until other users have been served.
    private var held: [ClientID] = []
    private var paceTimer: EventSource?
    private var budget = AnswerBudget()
    /// Clients that wait until their users have read their answers.
    private var paused: Set<ClientID> = []

    /// - Parameter find: The client's session; nil when it has ended.
    init(
        on loop: EventLoop,
        journal: Journal,
        find: @escaping (ClientID) -> ClientSession?
    ) throws(SystemError) {
        self.loop = loop
        self.journal = journal
        self.find = find
        source = try loop.deferred { [weak self] in self?.serveNext() }
    }

    // MARK: Turns

    /// Serves a client at once while no other waits: a turn of its own would cost another round of the loop.
    func serveOrAppend(_ session: ClientSession) {
        guard queue.isEmpty, !session.isQueued, session.wantsTurn else { return append(session) }
        serve(session)
    }

    /// Gives a client a turn when those of other users before it have had theirs.
    func append(_ session: ClientSession) {
        guard !session.isQueued, session.wantsTurn else { return }
        session.isQueued = true
        queue.append(session.id, of: session.user)
        requestTurn()
    }

    /// Serves the client that is next: all other ready events come before the turn after it.
    private func serveNext() {
        guard let client = queue.next() else { return }
        defer { if !queue.isEmpty { requestTurn() } }
        // The client may have disconnected since it was queued.
        guard let session = find(client) else { return }
        session.isQueued = false
        serve(session)
    }

    /// Writes what the client takes, and reads at most one of its requests.
    private func serve(_ session: ClientSession) {
        session.write()
        guard session.wantsToRead else { return }
        let begin = Now.current.monotonic
        if !session.isHungUp, let instant = pace.resumption(of: session.user, at: begin) {
            return hold(session, until: instant)
        }
        guard session.isHungUp || budget.mayAsk(session.id, of: session.user) else { return pause(session) }
        session.serveNext()
        let end = Now.current.monotonic
        pace.served(session.user, for: end - begin, at: end)
        append(session)
    }

    private func requestTurn() {
        do {
            try source?.fireOnce()
        } catch {
            journal.write(.error, "the loop gives no turns (\(error)); stopping, so that a fresh start can serve")
            failed()
        }
    }

    // MARK: Pace

    /// Adds processor time that a request of the user took outside of its turn.
    func served(_ user: Caller, for duration: Duration) {
        pace.served(user, for: duration, at: Now.current.monotonic)
    }

    /// Counts a run of the user.
    func beganRun(of user: Caller) { pace.beganRun(of: user, at: Now.current.monotonic) }

    /// Skips a client until its user may ask again. One timer serves all held clients.
    private func hold(_ session: ClientSession, until instant: Now.Monotonic) {
        session.isQueued = true
        held.append(session.id)
        guard paceTimer == nil else { return }
        do {
            paceTimer = try loop.timer(atNanoseconds: instant.nanoseconds) { [weak self] in self?.resumeHeld() }
        } catch {
            journal.write(.error, "no timer for turns (\(error)), continuing without a pace")
            resumeHeld()
        }
    }

    private func resumeHeld() {
        paceTimer = nil
        let clients = held
        held = []
        for session in clients.compactMap(find) {
            session.isQueued = false
            append(session)
        }
    }

    // MARK: Unread answers

    func asked(_ session: ClientSession) { budget.asked(session.id, of: session.user) }

    /// An answer of this size, in bytes, waits for the client.
    func answered(_ session: ClientSession, byteCount: Int) {
        budget.answered(byteCount, session.id, of: session.user)
        resumeReading(of: session.user)
    }

    /// The client has read answers of this size, in bytes.
    func tookAnswers(_ session: ClientSession, byteCount: Int) {
        budget.took(byteCount, session.id, of: session.user)
        resumeReading(of: session.user)
    }

    /// False when too many bytes of answers wait for the user's connections already.
    func mayAnswer(_ byteCount: Int, to user: Caller) -> Bool { budget.mayAnswer(byteCount, to: user) }

    func left(_ session: ClientSession) {
        budget.left(session.id, of: session.user)
        paused.remove(session.id)
        resumeReading(of: session.user)
    }

    /// Reads no more of a client's requests until its answers are read.
    private func pause(_ session: ClientSession) {
        session.isPaused = true
        paused.insert(session.id)
        session.setReading(isOwed: budget.hasUnread(session.id))
    }

    /// Reads again from the clients of a user who has read their answers.
    private func resumeReading(of user: Caller) {
        guard !paused.isEmpty, budget.hasRoom(user) else { return }
        for id in paused {
            guard let session = find(id) else {
                paused.remove(id)
                continue
            }
            guard session.user == user, budget.mayAsk(id, of: user) else { continue }
            paused.remove(id)
            session.isPaused = false
            session.setReading(isOwed: false)
            append(session)
        }
    }
}
