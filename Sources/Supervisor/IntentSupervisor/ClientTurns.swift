import Glibc
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// The order in which clients are served. Users are served in turn, and a user gets only a share of the time while
/// other users have requests.
///
/// Must be used only on the event loop's thread.
final class ClientTurns {
    private let loop: EventLoop
    private let journal: Journal
    private let find: (ClientID) -> ClientSession?
    /// Called when the loop can no longer schedule turns, so that no client can be served.
    var failed: () -> Void = {}
    /// Clients with bytes to read or to send, in the order of their users' turns.
    private var queue = FairQueue<Account, ClientID>()
    private var source: EventSource?
    /// The processor time and the new runs of each user.
    var pace = UserPace(processorCount: sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    /// Clients of users who must wait until other users have been served.
    private var held: [ClientID] = []
    private var paceTimer: EventSource?
    /// The answers that clients have not read. After a change, call ``resumeReading(of:)``.
    var budget = AnswerBudget()
    /// Clients that must read answers before more of their requests are read.
    private var paused: Set<ClientID> = []

    /// - Parameter find: Returns the client's session; nil when it has ended.
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

    /// Serves a client immediately if no other client is waiting, because a separate turn would cost another iteration
    /// of the loop.
    func serveOrAppend(_ session: ClientSession) {
        guard queue.isEmpty, !session.isQueued, session.wantsTurn else { return append(session) }
        serve(session)
    }

    /// Queues a client for a turn after the waiting clients of other users.
    func append(_ session: ClientSession) {
        guard !session.isQueued, session.wantsTurn else { return }
        session.isQueued = true
        queue.append(session.id, of: session.account)
        requestTurn()
    }

    /// Serves the next client. All other pending events of the loop are handled before the next turn.
    private func serveNext() {
        guard let client = queue.next() else { return }
        defer { if !queue.isEmpty { requestTurn() } }
        // Skip a client that has disconnected since it was queued.
        guard let session = find(client) else { return }
        session.isQueued = false
        serve(session)
    }

    /// Sends as many bytes as the socket accepts, and reads at most one request.
    private func serve(_ session: ClientSession) {
        if session.mayWrite { session.flush() }
        guard session.wantsToRead else { return }
        let begin = Now.current.monotonic
        if !session.isHungUp, let instant = pace.resumption(of: session.account, at: begin) {
            return hold(session, until: instant)
        }
        guard session.isHungUp || budget.mayAsk(session.id, of: session.account) else { return pause(session) }
        session.serveNext()
        let end = Now.current.monotonic
        pace.served(session.account, for: end - begin, at: end)
        append(session)
    }

    private func requestTurn() {
        do {
            try source?.fireOnce()
        } catch {
            journal.write(
                .error,
                "cannot schedule the turns of clients (\(error)); exiting so that systemd restarts intentd"
            )
            failed()
        }
    }

    // MARK: Pace

    /// Delays a client until its user may be served again. One timer wakes all delayed clients.
    private func hold(_ session: ClientSession, until instant: Now.Monotonic) {
        session.isQueued = true
        held.append(session.id)
        guard paceTimer == nil else { return }
        do {
            paceTimer = try loop.timer(atNanoseconds: instant.nanoseconds) { [weak self] in self?.resumeHeld() }
        } catch {
            journal.write(
                .error,
                "cannot arm the timer for turns (\(error)); continuing without rate limits for users"
            )
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

    func left(_ session: ClientSession) {
        budget.left(session.id, of: session.account)
        paused.remove(session.id)
        resumeReading(of: session.account)
    }

    /// Stops reading the client's requests until the client has read its answers.
    private func pause(_ session: ClientSession) {
        session.isPaused = true
        paused.insert(session.id)
        session.setReadingDeadline(isRunning: budget.hasUnread(session.id))
    }

    /// Resumes reading requests from the clients of a user who has read enough answers.
    func resumeReading(of account: Account) {
        guard !paused.isEmpty, budget.hasRoom(account) else { return }
        for id in paused {
            guard let session = find(id) else {
                paused.remove(id)
                continue
            }
            guard session.account == account, budget.mayAsk(id, of: account) else { continue }
            paused.remove(id)
            session.isPaused = false
            session.setReadingDeadline(isRunning: false)
            append(session)
        }
    }
}
