import Glibc
import IntentHistory
import IntentLifecycle
import IntentWire

/// Questions of clients about runs on record: asked on the history's own thread, answered here.
extension Supervisor {
    /// Asks the history; `run` is what the client calls the run that it is about.
    func ask(_ question: HistoryQuestion, about run: String? = nil, _ session: ClientSession, _ id: UInt64) {
        guard let history else {
            return session.send(.answer(id: id, .refused(Self.noHistory)))
        }
        recording.lastQuestion += 1
        let number = recording.lastQuestion
        let own = recording.questions.values.count { $0.user == session.user }
        guard FairShare.hasRoom(own: own, taken: recording.questions.count, limit: Recording.questionLimit) else {
            let busy = ErrorReport(
                .busy,
                "\(own) of your questions to the history wait already",
                hint: "try again when some of them are answered"
            )
            return session.send(.answer(id: id, .refused(busy)))
        }
        recording.questions[number] = Recording.Question(client: session.id, user: session.user, id: id, run: run)
        recording.waiting.append((number: number, question: question), of: session.user)
        askNext(history)
    }

    /// Asks for one user after the other, and only as much at once as keeps the reader at work.
    private func askNext(_ history: History) {
        while recording.asked.count < Recording.askedLimit, let (number, question) = recording.waiting.next() {
            guard let client = recording.questions[number]?.client, clients[client] != nil else {
                recording.questions[number] = nil
                continue
            }
            recording.asked.insert(number)
            guard history.ask(question, id: number) else { preconditionFailure("the history takes so many questions") }
        }
    }

    /// Asks history about one run. The text from the client may not name a run.
    func ask(about text: String, _ session: ClientSession, _ id: UInt64, _ question: (RunID) -> HistoryQuestion) {
        guard let run = RunID(text) else {
            return session.send(.answer(id: id, .refused(Self.notOnRecord(text))))
        }
        ask(question(run), about: text, session, id)
    }

    /// Removes runs from the record, for the operator.
    func prune(_ wish: PruneRequest, _ session: ClientSession, _ id: UInt64) {
        guard session.isOperator else {
            let error = ErrorReport(
                .notPermitted,
                "only operators may remove runs from the record",
                hint: "ask root or a member of intentd-operators; Keep= and MaxSize= in [History] say what is kept"
            )
            return session.send(.answer(id: id, .refused(error)))
        }
        guard let history else { return session.send(.answer(id: id, .refused(Self.noHistory))) }
        var retention: Retention?
        if wish.keep != nil || wish.keepCount != nil {
            var rule = Retention()
            rule.keep = wish.keep.map { max(.zero, $0) }
            rule.runCountMax = wish.keepCount.map { max(0, $0) }
            retention = rule
        }
        recording.lastQuestion += 1
        recording.questions[recording.lastQuestion] =
            Recording.Question(client: session.id, user: session.user, id: id, run: nil)
        history.prune(retention, id: recording.lastQuestion)
    }

    private static let noHistory = ErrorReport(
        .historyUnavailable,
        "this intentd serves one client and keeps no history",
        hint: "ask the one that runs as a service"
    )

    /// Asks for a run that only the record remembers.
    ///
    /// - Returns: False when that is no matter of the record.
    func askWhetherKnown(
        _ text: String,
        _ session: ClientSession,
        _ id: UInt64,
        for purpose: Recording.Purpose
    ) -> Bool {
        guard history != nil, let run = RunID(text), !runTable.remembers(run, for: session.user, session.rank) else {
            return false
        }
        ask(.known(run, by: session.viewer), about: text, session, id)
        recording.questions[recording.lastQuestion]?.purpose = purpose
        return true
    }

    private func tell(_ known: KnownRun, to question: Recording.Question) {
        guard let session = clients[question.client] else { return }
        guard let end = known.end else {
            let error = ErrorReport(
                .busy,
                "the end of run \(known.run) is not known yet",
                hint: "ask again in a moment"
            )
            return session.send(.answer(id: question.id, .refused(error)))
        }
        let asker = RunTable.WaitingAsker(client: session.id, id: question.id)
        switch question.purpose {
        case .cancelling: handle(.endRecalled(asker, known, end, for: .cancelling))
        case .fetching(let first):
            send(first..<(first + Frame.descriptorLimit), of: end, to: session, question.id)
        case .discarding: discard(end.run, session, question.id)
        case .undoing(let request): undo(known, end, request, session, question.id)
        case .watching, nil: handle(.endRecalled(asker, known, end, for: .watching))
        }
    }

    func take(_ answer: HistoryAnswer, to number: UInt64) {
        if let history, recording.asked.remove(number) != nil { askNext(history) }
        guard let question = recording.questions.removeValue(forKey: number) else { return }
        if case .known(let known?) = answer { return tell(known, to: question) }
        let missing = ClientAnswer.refused(Self.notOnRecord(question.run ?? ""))
        let said: ClientAnswer =
            switch answer {
            case .page(let page): .history(page)
            case .story(let story): story.map { .story($0) } ?? missing
            case .known: missing
            case .logs(let page): page.map { .logs($0) } ?? missing
            case .pruned(let count): .pruned(runCount: count)
            case .failed(let problem):
                .refused(ErrorReport(.historyUnavailable, problem.description, hint: problem.hint))
            }
        clients[question.client]?.send(.answer(id: question.id, said))
    }

    private static func notOnRecord(_ run: String) -> ErrorReport {
        ErrorReport(
            .unknownRun,
            "there is no run '\(run)' of yours on record",
            hint: "'intentctl history' shows those that are"
        )
    }
}
