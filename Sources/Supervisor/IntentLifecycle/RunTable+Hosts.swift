import IntentLauncherMessages

/// A run's questions about hosts that its app may reach only with a person's permission (`AllowHosts=ask`).
struct HostAnswers: Sendable {
    /// A question that waits until the open question of the run is closed, or until the run begins.
    enum Waiting: Sendable {
        case ofWorker(Question)
        case aboutHost(HostQuestion)
    }

    /// The maximum number of questions about hosts that a run asks.
    static let questionLimit: UInt64 = 256

    /// The values of an answer.
    enum Choice: String { case run, day, refuse }

    var open: HostQuestion?
    var waiting: [Waiting] = []
    /// The answers for this run, by host and port.
    var known: [String: Bool] = [:]
    var count: UInt64 = 0

    var hasWaitingWorker: Bool {
        waiting.contains { if case .ofWorker = $0 { true } else { false } }
    }
}

extension RunTable {
    /// Asks a person whether a run may connect to a host, or decides by an earlier answer.
    mutating func hostAsked(_ asked: HostQuestion, in slots: [SlotID], at now: Now) -> [Action] {
        let ids = slots.compactMap { run(of: $0) }
        // With several runs, no clock is known to be the right one. An app that asks has one run at a time for each user.
        guard ids.count == 1, let id = ids.first, let run = runs[id] else { return refuse(asked) }
        if let known = run.hosts.known[asked.grant] { return [.decide(id, asked, isPermitted: known)] }
        let pair = AppUser(app: run.app.name, user: run.owner)
        if let word = run.app.grants(to: run.intent).hostQuestions,
            permittedHosts.permits(asked.grant, to: pair, askingWith: word, at: now)
        {
            return [.decide(id, asked, isPermitted: true)]
        }
        switch run.machine.visibleState {
        case .running where run.hosts.open == nil:
            guard run.answers?.others != .refuse, run.hosts.count < HostAnswers.questionLimit else {
                return refuse(asked, of: id)
            }
            runs[id]?.hosts.open = asked
            runs[id]?.hosts.count += 1
            let question = question(about: asked, of: run)
            return withRun(id, at: now) { $0.hostQuestionAsked(question, at: now) } + publishQuestion(of: id, at: now)
        case .starting, .running, .asking:
            runs[id]?.hosts.waiting.append(.aboutHost(asked))
            return []
        case .queued, .stopping, .unknown, nil: return refuse(asked, of: id)
        }
    }

    private func refuse(_ asked: HostQuestion, of run: RunID? = nil) -> [Action] {
        [.decide(run, asked, isPermitted: false)]
    }

    /// The question whether a run may connect. A choice with a destructive case is a confirmation: no agent may answer it, and
    /// no answer in advance does.
    private func question(about asked: HostQuestion, of run: Run) -> Question {
        let cases = [
            EnumerationCase(value: HostAnswers.Choice.run.rawValue, title: "For this run", style: .destructive),
            EnumerationCase(value: HostAnswers.Choice.day.rawValue, title: "For a day", style: .destructive),
            EnumerationCase(value: HostAnswers.Choice.refuse.rawValue, title: "Refuse", style: .cancel),
        ]
        return Question(
            number: Question.firstAboutHost + run.hosts.count,
            text: "May \(run.app.name)/\(run.intent.name) connect to \(asked.host), port \(asked.port)?",
            type: .enumeration(cases),
            kind: .choice,
            title: run.intent.title
        )
    }

    /// Remembers the answer to a question about a host, and passes it on.
    mutating func hostAnswered(_ value: IntentValue, of id: RunID, by answerer: UInt32, at now: Now) -> [Action] {
        guard let run = runs[id], let asked = run.hosts.open else { return [] }
        var choice = HostAnswers.Choice.refuse
        if case .string(let word) = value { choice = HostAnswers.Choice(rawValue: word) ?? .refuse }
        runs[id]?.hosts.open = nil
        runs[id]?.hosts.known[asked.grant] = choice != .refuse
        var stored: [Action] = []
        if choice == .day, let word = run.app.grants(to: run.intent).hostQuestions {
            stored = store(permittedHosts.add(asked.grant, askedWith: word, by: run, answerer: answerer, at: now))
        }
        return stored + [.decide(id, asked, isPermitted: choice != .refuse)]
    }

    mutating func hostQuestionWithdrawn(_ asked: HostQuestion, in slots: [SlotID], at now: Now) -> [Action] {
        for id in slots.compactMap({ run(of: $0) }) {
            guard let run = runs[id] else { continue }
            if run.hosts.open == asked, let number = run.machine.openQuestion?.number {
                runs[id]?.hosts.open = nil
                return withRun(id, at: now) { $0.questionWithdrawn(number, at: now) } + askNext(of: id, at: now)
            }
            runs[id]?.hosts.waiting.removeAll { if case .aboutHost(asked) = $0 { true } else { false } }
        }
        return []
    }

    /// Closes a question that the worker withdrew, also one that waits.
    mutating func questionWithdrawn(_ id: RunID, _ number: UInt64, at now: Now) -> [Action] {
        if let index = runs[id]?.hosts.waiting.firstIndex(where: {
            if case .ofWorker(let question) = $0 { question.number == number } else { false }
        }) {
            runs[id]?.hosts.waiting.remove(at: index)
            return []
        }
        return withRun(id, at: now) { $0.questionWithdrawn(number, at: now) } + askNext(of: id, at: now)
    }

    /// Asks the questions that have waited, until one is open.
    mutating func askNext(of id: RunID, at now: Now) -> [Action] {
        var actions: [Action] = []
        while let run = runs[id], run.machine.visibleState == .running, !run.hosts.waiting.isEmpty, let slot = run.slot
        {
            switch runs[id]?.hosts.waiting.removeFirst() {
            case .ofWorker(let question)?: actions += questionAsked(id, question, at: now)
            case .aboutHost(let asked)?: actions += hostAsked(asked, in: [slot], at: now)
            case nil: break
            }
        }
        return actions
    }
}
