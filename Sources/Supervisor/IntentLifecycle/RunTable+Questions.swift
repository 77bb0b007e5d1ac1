package import IntentLauncherMessages

/// The questions that runs ask, and the answers. Only the first valid answer to a question is used.
extension RunTable {
    mutating func questionAsked(_ id: RunID, _ asked: Question, at now: Now) -> [Action] {
        guard let run = runs[id] else { return [] }
        if run.hosts.open != nil, !run.hosts.hasWaitingWorker {
            runs[id]?.hosts.waiting.append(.ofWorker(asked))
            return []
        }
        let checked = AnswerCheck.withFittingSnippet(asked)
        if let problem = AnswerCheck.problem(with: checked, of: run.isDeclared ? run.intent : nil) {
            return withRun(id, at: now) { $0.violated(problem, at: now) }
        }
        let question = marked(checked, of: run)
        // The question is already open. Do not publish it again.
        if run.machine.openQuestion == question { return [] }
        // Answer the question again with the recorded answer: the earlier intentd exited before the worker received it.
        if let given = run.answerOnRecord, given.question == question.number, let known = given.value,
            let value = try? AnswerCheck.accept(known, for: question)
        {
            return withRun(id, at: now) { $0.questionAsked(question, at: now) }
                + withRun(id, at: now) { $0.questionAnswered(question.number, value, at: now) }
        }
        if let value = answerInAdvance(to: question, of: id) {
            return withRun(id, at: now) { $0.questionAsked(question, at: now) }
                + close(
                    question,
                    of: id,
                    with: value,
                    AnswerNotice(question: question.number, by: run.caller, isInAdvance: true),
                    at: now
                )
        }
        guard run.answers?.others != .refuse else {
            guard run.machine.visibleState == .running else {
                return withRun(id, at: now) { $0.questionRefused(question, at: now) }
            }
            return record(.asked(question.onRecord), of: run)
                + withRun(id, at: now) { $0.questionRefused(question, at: now) }
        }
        return withRun(id, at: now) { $0.questionAsked(question, at: now) } + publishQuestion(of: id, at: now)
    }

    /// Publishes the open question to the run's subscribers.
    mutating func publishQuestion(of id: RunID, at now: Now) -> [Action] {
        guard let asking = runs[id], let open = openQuestion(of: asking, at: now) else { return [] }
        return [.log(RunLine(.asking, of: asking))] + publish(.question(open), of: id)
            + notify(of: open, in: asking, at: now)
    }

    mutating func accept(_ answer: AnswerRequest, from origin: RequestOrigin, at now: Now) -> [Action] {
        func refuse(_ error: ErrorReport) -> [Action] { [.answer(origin.client, id: origin.id, .refused(error))] }
        let run: Run
        let question: Question
        let value: IntentValue
        do throws(ErrorReport) {
            (run, question) = try openQuestion(for: answer, from: origin)
            value = try AnswerCheck.accept(answer.value, for: question, fileCount: answer.files ?? 0)
            if let time = answer.scope, let refusal = refusal(ofLeavingOpen: time, question, value, run) {
                throw refusal
            }
        } catch {
            return refuse(error)
        }
        var notice = AnswerNotice(question: question.number, by: origin.caller)
        notice.entryPoint = answer.entryPoint
        if run.isOfAgent, question.isConfirmation, origin.user == run.owner, run.caller.agent == nil {
            notice.isSameUser = true
        }
        if question.number == Self.approvalNumber { notice.digest = ApprovalTerms(run).digest }
        if let time = answer.scope { notice.standing = leaveOpen(for: time, notice, of: run, at: now) }
        return close(question, of: run.id, with: value, notice, at: now)
            + [.answer(origin.client, id: origin.id, .answerAccepted(run: run.id, question: question.number))]
    }

    /// Returns the reason why the user may not answer this question now, or nil. The value is not checked.
    package func refusal(of answer: AnswerRequest, from origin: RequestOrigin) -> ErrorReport? {
        do throws(ErrorReport) {
            _ = try openQuestion(for: answer, from: origin)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the open question of a run to a user who may see it.
    package func describeQuestion(of text: String, to origin: RequestOrigin, at now: Now) -> ClientAnswer {
        do throws(ErrorReport) {
            let run = try run(askingAs: text, origin)
            _ = try openQuestion(of: run, numbered: nil)
            guard let question = openQuestion(of: run, at: now) else { throw Self.noQuestion(run) }
            return .asking(
                AskingRun(
                    run: run.id,
                    app: run.app.name.text,
                    intent: run.intent.name,
                    user: run.owner.uid,
                    title: run.title,
                    question: question
                )
            )
        } catch {
            return .refused(error)
        }
    }

    /// Returns the number of the run's open question, or nil if none is open.
    package func openQuestion(of run: RunID) -> UInt64? { runs[run]?.machine.openQuestion?.number }

    /// Returns the number of the run's open question if the owner of the run may answer it as a person, or nil.
    package func questionForOwner(of run: RunID) -> UInt64? {
        guard let run = runs[run], let question = run.machine.openQuestion,
            run.approval.permits(
                Approval.Answer(to: question),
                from: .caller,
                run.app.confirmRule(for: run.intent)
            )
        else { return nil }
        return question.number
    }

    /// Returns true if the run has an open question that this user may answer.
    func mayAnswer(_ run: Run, _ origin: RequestOrigin) -> Bool {
        guard let question = run.machine.openQuestion else { return false }
        return run.approval.permits(
            Approval.Answer(to: question),
            from: standing(of: origin, to: run),
            run.app.confirmRule(for: run.intent)
        )
    }

    /// Returns the open question of a run with its remaining time, or nil if none is open.
    func openQuestion(of run: Run, at now: Now) -> OpenQuestion? {
        guard let question = run.machine.openQuestion, let deadline = run.machine.questionDeadline else { return nil }
        let isOpenToRequester = run.approval.permits(
            Approval.Answer(to: question),
            from: run.caller.agent == nil ? .caller : .agent,
            run.app.confirmRule(for: run.intent)
        )
        var open = OpenQuestion(
            question,
            remaining: max(.zero, deadline - now.boottime),
            needsOther: isOpenToRequester ? nil : true
        )
        open.scope = approvalScope(of: run)
        return open
    }

    /// Closes a question with a valid answer.
    mutating func close(
        _ question: Question,
        of id: RunID,
        with value: IntentValue,
        _ notice: AnswerNotice,
        at now: Now
    ) -> [Action] {
        guard let run = runs[id], run.machine.openQuestion?.number == question.number else { return [] }
        runs[id]?.lastAnswer = notice
        // Record the value only if it cannot be a secret. A string that answers a question without a parameter may be
        // an unmarked secret. In an adopted run, any string may be a secret, because the parameters that the app itself
        // declares secret are unknown.
        let isDeclared = question.parameter.map { name in run.intent.parameters.contains { $0.name == name } }
        let isKept =
            question.isSecret != true
            && (isDeclared == true || isDeclared == nil && question.kind != nil && question.kind != .value)
        let actions =
            record(.answered(RecordedAnswer(notice, value: isKept ? value : nil)), of: run)
            + [.log(RunLine(.answered(notice, RunLine.AnswerKind(value, to: question)), of: run))]
            + publish(.answered(notice), of: id)
            + (question.number < Question.firstAboutHost ? [] : hostAnswered(value, of: id, by: notice.user, at: now))
            + withRun(id, at: now) { $0.questionAnswered(question.number, value, at: now) }
        return actions
            + (run.machine.isAwaitingApproval ? joinApproved(id, at: now) : askNext(of: id, at: now))
    }

    // MARK: Private

    /// Marks a question about a secret parameter. Removes from the question's snippet the controls that clients must
    /// not perform, and the images, which clients cannot fetch.
    private func marked(_ question: Question, of run: Run) -> Question {
        var question = question
        question.snippet = question.snippet.map { SnippetCheck.withoutImages(permitted($0, of: run.app)) }
        let secrets = run.app.secretNames(of: run.intent)
        question.isSecret = question.parameter.map(secrets.contains)?.trueOrNil
        // Clients display the default value as a suggested answer, so remove a secret default.
        if question.isSecret == true { question.defaultValue = nil }
        return question
    }

    /// Removes and returns the advance answer to a question. Returns nil if there is no valid advance answer. Each
    /// answer is used once.
    private mutating func answerInAdvance(to question: Question, of id: RunID) -> IntentValue? {
        guard let run = runs[id], let answers = run.answers,
            run.approval.permitsInAdvance(Approval.Answer(to: question), run.app.confirmRule(for: run.intent))
        else { return nil }
        if question.kind == .confirmation {
            return switch answers.confirmations {
            case nil: nil
            case .harmless: question.isDestructive == true ? nil : .bool(true)
            case .all: .bool(true)
            }
        }
        if question.isConfirmation { return nil }
        let ofChoice = question.kind == .choice && question.parameter == nil ? AnswersInAdvance.choiceName : nil
        guard let name = question.parameter ?? ofChoice, var value = answers.values?[name] else { return nil }
        var rest: IntentValue?
        // If the question asks for a single element, use only the first element of a list. The rest answers later
        // questions.
        if case .array(let elements) = value, let first = elements.first, !question.type.isList {
            value = first
            rest = elements.count > 1 ? .array(Array(elements.dropFirst())) : nil
        }
        runs[id]?.answers?.values?[name] = rest
        // Compare a choice by its title as well. The run creates the options, so a caller who answers in advance can
        // know only their titles.
        let isTitle =
            ofChoice != nil || (question.kind == .choice && (try? AnswerCheck.accept(value, for: question)) == nil)
        if isTitle, case .string(let title) = value, let meant = question.choice(titled: title) {
            value = .string(meant)
        }
        // Ignore an invalid answer, so that a user is asked instead.
        return try? AnswerCheck.accept(value, for: question)
    }

    private func standing(of origin: RequestOrigin, to run: Run) -> RunAccess.Standing {
        let standing = RunAccess.standing(
            of: origin.requester,
            origin.rank,
            groups: origin.groups,
            toRunOf: run.requester,
            run.app.confirmRule(for: run.intent),
            access: access(to: run)
        )
        // One person can have an account here and a name at an issuer, so the caller of a realm is no second person.
        return standing == .confirmer && capacity.realms.isOfService(origin.user) ? .unrelated : standing
    }

    /// Returns a run if the user may see the run itself or its open question.
    private func run(askingAs text: String, _ origin: RequestOrigin) throws(ErrorReport) -> Run {
        guard let id = RunID(text) else { throw Self.unknownRun(text) }
        guard let run = runs[id] else {
            guard let ended = endedRuns[id], origin.may(.see, withRunOf: ended.requester) else {
                throw Self.unknownRun(text)
            }
            throw ErrorReport(.noQuestion, "run \(id) has ended")
        }
        if origin.may(.see, withRunOf: run.requester) { return run }
        let rule = run.app.confirmRule(for: run.intent)
        guard let question = run.machine.openQuestion,
            RunAccess.may(
                question.isConfirmation ? .seeConfirmation : .answerValue,
                as: standing(of: origin, to: run),
                rule
            )
        else { throw Self.unknownRun(text) }
        return run
    }

    private func openQuestion(
        for answer: AnswerRequest,
        from origin: RequestOrigin
    ) throws(ErrorReport) -> (Run, Question) {
        let run = try run(askingAs: answer.run, origin)
        let question = try openQuestion(of: run, numbered: answer.question)
        try checkAccess(to: question, of: run, origin)
        try checkNumber(of: answer, to: question)
        return (run, question)
    }

    private func openQuestion(of run: Run, numbered number: UInt64?) throws(ErrorReport) -> Question {
        guard let question = run.machine.openQuestion else { throw Self.noQuestion(run) }
        guard let number, number != question.number else { return question }
        throw ErrorReport(
            .noQuestion,
            "question \(number) of run \(run.id) is not open" + Self.who(answered: number, run),
            hint: "the open question of the run is question \(question.number)"
        )
    }

    /// Checks that the answer to a confirmation names its question, because another question may have replaced the one
    /// that the user read.
    private func checkNumber(of answer: AnswerRequest, to question: Question) throws(ErrorReport) {
        guard question.isConfirmation, answer.question == nil else { return }
        throw ErrorReport(
            .badAnswer,
            "the answer to a confirmation must name its question",
            hint: "set 'question' to the number of the question that was displayed"
        )
    }

    private func checkAccess(to question: Question, of run: Run, _ origin: RequestOrigin) throws(ErrorReport) {
        guard !mayAnswer(run, origin) else { return }
        if origin.agent != nil {
            let refused =
                switch Approval.Answer(to: question) {
                case .approval, .confirmation: "approve or confirm \(run.app.name)/\(run.intent.name)"
                case .value:
                    "answer for \(run.app.name)/\(run.intent.name), because a person approved the run without it"
                }
            throw ErrorReport(
                .notPermitted,
                "an agent may not \(refused)",
                hint: "a person answers with 'intentctl answer \(run.id)'"
            )
        }
        throw ErrorReport(
            .notPermitted,
            "the caller of the run may not confirm \(run.app.name)/\(run.intent.name)",
            hint: run.app.shortcut?.isPersonal == true
                ? "an operator must confirm it, or another user who may run each of its steps (Confirm= and ConfirmGroups=)"
                : "another user must confirm it (Confirm= or ConfirmGroups= in [Access] of \(run.app.name).conf)"
        )
    }

    private static func noQuestion(_ run: Run) -> ErrorReport {
        let answered = run.lastAnswer.map { "; \(answerer($0)) answered the previous question" } ?? ""
        return ErrorReport(.noQuestion, "run \(run.id) has no open question\(answered)")
    }

    private static func who(answered number: UInt64, _ run: Run) -> String {
        guard let answer = run.lastAnswer, answer.question == number else { return "" }
        return ": \(answerer(answer)) answered it"
    }

    private static func answerer(_ notice: AnswerNotice) -> String {
        "user \(notice.user) (process \(notice.process))"
    }
}

extension ValueType {
    fileprivate var isList: Bool { if case .array = self { true } else { false } }
}

extension Question {
    /// Returns the value of the only choice with that title, ignoring case; nil unless exactly one choice matches.
    fileprivate func choice(titled title: String) -> String? {
        guard case .enumeration(let cases) = type else { return nil }
        let meant = cases.filter { $0.title.lowercased() == title.lowercased() }
        return meant.count == 1 ? meant[0].value : nil
    }
}
