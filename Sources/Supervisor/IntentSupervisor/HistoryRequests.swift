import IntentHistory
import IntentLauncherMessages
import IntentLifecycle

/// Clients' queries about recorded runs. The history answers the queries on a separate thread, and users take turns.
///
/// Must be used only on the event loop's thread.
final class HistoryRequests {
    /// A query that the history has not answered yet.
    struct Query {
        var client: ClientID
        /// Receives the answer to a query of `intentd` itself; nil for a client's query.
        var receive: ((HistoryAnswer?) -> Void)?
        var account: Account
        var id: UInt64
        /// The run identifier that the client sent, if the query is about one run.
        var run: String?
        /// The purpose for which the client needs the ended run; nil if the client only reads the record.
        var purpose: Purpose?
    }

    enum Purpose {
        case watching
        case cancelling
        case fetching(from: Int)
        case discarding
        case undoing(PerformRequest)
    }

    /// The maximum number of open queries. Each user may have only a share of these queries.
    private static let queryLimit = 256
    /// The maximum number of queries that are sent to the history at a time. Two queries keep its thread busy. Other
    /// queries stay in ``waiting``, where users take turns.
    private static let sentLimit = 2

    private let history: History?
    private let decisions: RunDecisions
    private let clients: ClientSessions
    /// Called with an ended run that a client requested, and with the purpose of the request.
    private var found: (Purpose?, KnownRun, RunEnd, ClientSession, UInt64) -> Void = { _, _, _, _, _ in }
    /// The open queries, by number.
    private var queries: [UInt64: Query] = [:]
    private var lastNumber: UInt64 = 0
    /// The queries that have not been sent to the history yet.
    private var waiting = FairQueue<Account, (number: UInt64, question: HistoryQuestion)>()
    /// The numbers of queries that were sent to the history and have not been answered yet.
    private var sent: Set<UInt64> = []

    init(of history: History?, decisions: RunDecisions, clients: ClientSessions) {
        self.history = history
        self.decisions = decisions
        self.clients = clients
    }

    func start(found: @escaping (Purpose?, KnownRun, RunEnd, ClientSession, UInt64) -> Void) { self.found = found }

    /// Queues a query to the history.
    ///
    /// - Parameter run: The run identifier that the client sent, if the query is about one run.
    func ask(
        _ question: HistoryQuestion,
        about run: String? = nil,
        for purpose: Purpose? = nil,
        _ session: ClientSession,
        _ id: UInt64
    ) {
        guard let history else { return session.refuse(id, Self.noHistory) }
        let own = queries.values.count { $0.account == session.account }
        guard FairShare.hasRoom(own: own, taken: queries.count, limit: Self.queryLimit) else {
            return session.refuse(
                id,
                ErrorReport(
                    .busy,
                    "\(own) of your requests to the history \(own == 1 ? "is" : "are") already waiting",
                    hint: "try again when some of them have been answered"
                )
            )
        }
        let number = add(Query(client: session.id, account: session.account, id: id, run: run, purpose: purpose))
        waiting.append((number: number, question: question), of: session.account)
        sendNext(history)
    }

    /// Queues a query of `intentd` itself. The answer is nil if this daemon has no history.
    func ask(_ question: HistoryQuestion, for account: Account, then receive: @escaping (HistoryAnswer?) -> Void) {
        guard let history else { return receive(nil) }
        let number = add(Query(client: .shortcuts, receive: receive, account: account, id: 0))
        waiting.append((number: number, question: question), of: account)
        sendNext(history)
    }

    /// Queues a query about one run. Refuses a string that is not a run identifier.
    func ask(about text: String, _ session: ClientSession, _ id: UInt64, _ question: (RunID) -> HistoryQuestion) {
        guard let run = RunID(text) else { return session.refuse(id, Self.notOnRecord(text)) }
        ask(question(run), about: text, session, id)
    }

    /// Queues a query for a run that is no longer in the run table.
    ///
    /// - Returns: False if the run is still in the run table, or if this daemon has no history. In that case, no query
    ///   is queued.
    func lookUpEnded(_ text: String, _ session: ClientSession, _ id: UInt64, for purpose: Purpose) -> Bool {
        guard history != nil, let run = RunID(text),
            !decisions.table.remembers(run, for: session.requester, session.rank)
        else { return false }
        ask(.known(run, by: session.viewer), about: text, for: purpose, session, id)
        return true
    }

    /// Removes runs from the history, for an operator.
    func prune(_ request: PruneRequest, _ session: ClientSession, _ id: UInt64) {
        guard let history else { return session.refuse(id, Self.noHistory) }
        var retention: Retention?
        if request.keep != nil || request.keepCount != nil {
            var rule = Retention()
            rule.keep = request.keep.map { max(.zero, $0) }
            rule.runCountMax = request.keepCount.map { max(0, $0) }
            retention = rule
        }
        history.prune(retention, id: add(Query(client: session.id, account: session.account, id: id)))
    }

    /// Adds runs from another history to this history, for an operator.
    func importRuns(_ stories: [RunStory], _ session: ClientSession, _ id: UInt64) {
        guard let history else { return session.refuse(id, Self.noHistory) }
        history.importRuns(stories, id: add(Query(client: session.id, account: session.account, id: id)))
    }

    private func add(_ query: Query) -> UInt64 {
        lastNumber += 1
        queries[lastNumber] = query
        return lastNumber
    }

    /// Sends waiting queries to the history, up to the limit. Users take turns.
    private func sendNext(_ history: History) {
        while sent.count < Self.sentLimit, let (number, question) = waiting.next() {
            guard let query = queries[number], query.receive != nil || clients[query.client] != nil else {
                queries[number] = nil
                continue
            }
            sent.insert(number)
            guard history.ask(question, id: number) else {
                preconditionFailure("the history refused a query below its own limit")
            }
        }
    }

    // MARK: Answers

    func answered(_ number: UInt64, _ answer: HistoryAnswer) {
        if let history, sent.remove(number) != nil { sendNext(history) }
        guard let query = queries.removeValue(forKey: number) else { return }
        if let receive = query.receive { return receive(answer) }
        if case .known(let known?) = answer { return pass(known, to: query) }
        let missing = ClientAnswer.refused(Self.notOnRecord(query.run ?? ""))
        let clientAnswer: ClientAnswer =
            switch answer {
            case .page(let page): .history(page)
            case .story(let story): story.map { .story($0) } ?? missing
            case .known: missing
            case .logs(let page): page.map { .logs($0) } ?? missing
            case .steps: missing
            case .pruned(let count): .pruned(runCount: count)
            case .imported(let report): .imported(report)
            case .failed(let problem):
                .refused(ErrorReport(.historyUnavailable, problem.description, hint: problem.hint))
            }
        clients[query.client]?.send(.answer(id: query.id, clientAnswer))
    }

    private func pass(_ known: KnownRun, to query: Query) {
        guard let session = clients[query.client] else { return }
        guard let end = known.end else {
            return session.refuse(
                query.id,
                ErrorReport(.busy, "the end of run \(known.run) is not recorded yet", hint: "try again in a moment")
            )
        }
        found(query.purpose, known, end, session, query.id)
    }

    private static let noHistory = ErrorReport(
        .historyUnavailable,
        "this intentd serves only one client and keeps no history",
        hint: "connect to the intentd that is running as a service"
    )

    private static func notOnRecord(_ run: String) -> ErrorReport {
        ErrorReport(
            .unknownRun,
            "you have no recorded run '\(WireCoding.excerpt(run))'",
            hint: "'intentctl history' lists your recorded runs"
        )
    }
}
