import IntentHistory
import IntentLifecycle
import IntentWire

/// Clients' questions about recorded runs. The history answers them on a separate thread. Users take turns.
///
/// Belongs to the loop's thread.
final class HistoryRequests {
    struct Question {
        var client: ClientID
        var user: Caller
        var id: UInt64
        /// The client's text for the run, if the question is about one run.
        var run: String?
        /// Why the client needs an ended run; nil when it only reads the record.
        var purpose: Purpose?
    }

    enum Purpose {
        case watching
        case cancelling
        case fetching(from: Int)
        case discarding
        case undoing(PerformRequest)
    }

    /// The maximum number of open questions. Each user may have a share of these.
    private static let questionLimit = 256
    /// The maximum number of questions at the history. Two keep its thread busy, and a user with one question waits for
    /// few others.
    private static let askedLimit = 2

    private let history: History?
    private let decisions: RunDecisions
    private let clients: ClientSessions
    /// Receives an ended run that a client needs for a purpose.
    private var found: (Purpose?, KnownRun, RunEnd, ClientSession, UInt64) -> Void = { _, _, _, _, _ in }
    /// Open questions, by their number.
    private var questions: [UInt64: Question] = [:]
    private var lastNumber: UInt64 = 0
    /// Questions that are not sent to the history yet.
    private var waiting = FairQueue<Caller, (number: UInt64, question: HistoryQuestion)>()
    /// The numbers of questions that the history has not answered yet.
    private var asked: Set<UInt64> = []

    init(of history: History?, decisions: RunDecisions, clients: ClientSessions) {
        self.history = history
        self.decisions = decisions
        self.clients = clients
    }

    func start(found: @escaping (Purpose?, KnownRun, RunEnd, ClientSession, UInt64) -> Void) { self.found = found }

    /// Asks the history.
    ///
    /// - Parameter run: The client's text for the run that the question is about.
    func ask(
        _ question: HistoryQuestion,
        about run: String? = nil,
        for purpose: Purpose? = nil,
        _ session: ClientSession,
        _ id: UInt64
    ) {
        guard let history else { return session.refuse(id, Self.noHistory) }
        let own = questions.values.count { $0.user == session.user }
        guard FairShare.hasRoom(own: own, taken: questions.count, limit: Self.questionLimit) else {
            return session.refuse(
                id,
                ErrorReport(
                    .busy,
                    "\(own) of your requests to the history are already waiting",
                    hint: "try again when some of them have been answered"
                )
            )
        }
        let number = add(Question(client: session.id, user: session.user, id: id, run: run, purpose: purpose))
        waiting.append((number: number, question: question), of: session.user)
        askNext(history)
    }

    /// Asks about one run. Refuses a text that is not a run identifier.
    func ask(about text: String, _ session: ClientSession, _ id: UInt64, _ question: (RunID) -> HistoryQuestion) {
        guard let run = RunID(text) else { return session.refuse(id, Self.notOnRecord(text)) }
        ask(question(run), about: text, session, id)
    }

    /// Asks the history for a run that the run table no longer has.
    ///
    /// - Returns: False if the history is not needed, because the run table has the run, or if there is no history.
    func askWhetherKnown(_ text: String, _ session: ClientSession, _ id: UInt64, for purpose: Purpose) -> Bool {
        guard history != nil, let run = RunID(text),
            !decisions.table.remembers(run, for: session.requester, session.rank)
        else { return false }
        ask(.known(run, by: session.viewer), about: text, for: purpose, session, id)
        return true
    }

    /// Removes runs from the record, for an operator.
    func prune(_ request: PruneRequest, _ session: ClientSession, _ id: UInt64) {
        guard let history else { return session.refuse(id, Self.noHistory) }
        var retention: Retention?
        if request.keep != nil || request.keepCount != nil {
            var rule = Retention()
            rule.keep = request.keep.map { max(.zero, $0) }
            rule.runCountMax = request.keepCount.map { max(0, $0) }
            retention = rule
        }
        history.prune(retention, id: add(Question(client: session.id, user: session.user, id: id)))
    }

    /// Adds runs of another history to the record, for an operator.
    func importRuns(_ stories: [RunStory], _ session: ClientSession, _ id: UInt64) {
        guard let history else { return session.refuse(id, Self.noHistory) }
        history.importRuns(stories, id: add(Question(client: session.id, user: session.user, id: id)))
    }

    private func add(_ question: Question) -> UInt64 {
        lastNumber += 1
        questions[lastNumber] = question
        return lastNumber
    }

    /// Sends waiting questions to the history, in turns of the users, up to the limit.
    private func askNext(_ history: History) {
        while asked.count < Self.askedLimit, let (number, question) = waiting.next() {
            guard let client = questions[number]?.client, clients[client] != nil else {
                questions[number] = nil
                continue
            }
            asked.insert(number)
            guard history.ask(question, id: number) else {
                preconditionFailure("the history accepts this many questions")
            }
        }
    }

    // MARK: Answers

    func answered(_ number: UInt64, _ answer: HistoryAnswer) {
        if let history, asked.remove(number) != nil { askNext(history) }
        guard let question = questions.removeValue(forKey: number) else { return }
        if case .known(let known?) = answer { return pass(known, to: question) }
        let missing = ClientAnswer.refused(Self.notOnRecord(question.run ?? ""))
        let said: ClientAnswer =
            switch answer {
            case .page(let page): .history(page)
            case .story(let story): story.map { .story($0) } ?? missing
            case .known: missing
            case .logs(let page): page.map { .logs($0) } ?? missing
            case .pruned(let count): .pruned(runCount: count)
            case .imported(let report): .imported(report)
            case .failed(let problem):
                .refused(ErrorReport(.historyUnavailable, problem.description, hint: problem.hint))
            }
        clients[question.client]?.send(.answer(id: question.id, said))
    }

    private func pass(_ known: KnownRun, to question: Question) {
        guard let session = clients[question.client] else { return }
        guard let end = known.end else {
            return session.refuse(
                question.id,
                ErrorReport(.busy, "the end of run \(known.run) is not known yet", hint: "ask again in a moment")
            )
        }
        found(question.purpose, known, end, session, question.id)
    }

    private static let noHistory = ErrorReport(
        .historyUnavailable,
        "this intentd serves one client and keeps no history",
        hint: "ask the one that runs as a service"
    )

    private static func notOnRecord(_ run: String) -> ErrorReport {
        ErrorReport(
            .unknownRun,
            "you have no recorded run '\(run)'",
            hint: "'intentctl history' lists your recorded runs"
        )
    }
}
