package import IntentLauncherMessages

extension RunStateMachine {
    /// Opens a question that the worker asked.
    package mutating func questionAsked(_ question: Question, at now: Now) -> [Action] {
        switch state {
        case .running(let deadline):
            guard let counted = counting(question, at: now) else {
                let held = heldQuestion
                heldQuestion = nil
                let end = held?.number == question.number ? held?.end : nil
                let asked = AskedQuestion(question: question, until: end ?? now.boottime + limits.questionTimeout)
                state = .asking(asked, deadline, since: now.monotonic)
                return [.armTimer(at: .boottime(asked.until)), .publish(.state(.asking, reason: nil))]
            }
            return counted
        // Ignore the question, because the run is ending or has no worker.
        case .stopping, .approving, .queued, .ended: return []
        // Ignore a question that is already open, because the worker repeats its question in answer to `resume`.
        case .asking(let asked, _, _) where asked.question == question: return []
        case .asking: return violated("it asked a question while another question was open", at: now)
        case .starting, .collecting, .leaving:
            return violated("it asked a question while its intent was not running", at: now)
        }
    }

    /// Opens a question of intentd itself about a host. The run must be running.
    mutating func hostQuestionAsked(_ question: Question, at now: Now) -> [Action] {
        guard case .running(let deadline) = state else { return [] }
        let asked = AskedQuestion(question: question, until: now.boottime + limits.questionTimeout)
        state = .asking(asked, deadline, since: now.monotonic)
        return [.armTimer(at: .boottime(asked.until)), .publish(.state(.asking, reason: nil))]
    }

    /// Refuses a question because the caller requested that the run ask no questions. The intent continues without an
    /// answer, or fails.
    package mutating func questionRefused(_ question: Question, at now: Now) -> [Action] {
        switch state {
        case .running: counting(question, at: now) ?? [.send(.refuse(question: question.number))]
        case .stopping, .approving, .queued, .ended: []
        case .asking: violated("it asked a question while another question was open", at: now)
        case .starting, .collecting, .leaving: violated("it asked a question while its intent was not running", at: now)
        }
    }

    /// Answers a question. Has no effect if the question is not open.
    package mutating func questionAnswered(_ number: UInt64, _ value: IntentValue, at now: Now) -> [Action] {
        if case .approving(let asked) = state, asked.question.number == number {
            return asked.question.isDeclined(by: value) ? end(.cancelled(.userCancelled), at: now) : approved(at: now)
        }
        guard case .asking(let asked, let deadline, let since) = state, asked.question.number == number else {
            return []
        }
        // The worker has not asked a question about a host.
        guard number < Question.firstAboutHost else { return resumeRunning(deadline, since: since, at: now) }
        if asked.question.isDeclined(by: value) { isDeclined = true }
        return [.send(.answer(question: number, value: value))] + resumeRunning(deadline, since: since, at: now)
    }

    /// Closes a question that the worker withdrew.
    package mutating func questionWithdrawn(_ number: UInt64, at now: Now) -> [Action] {
        switch state {
        case .asking(let asked, let deadline, let since) where asked.question.number == number:
            resumeRunning(deadline, since: since, at: now)
        // The question is no longer open: it was answered, or the run is ending.
        case .running, .asking, .stopping, .approving, .queued, .ended: []
        case .starting, .collecting, .leaving:
            violated("it withdrew a question while its intent was not running", at: now)
        }
    }

    var isAsking: Bool { if case .asking = state { true } else { false } }

    /// The open question; nil when none is open.
    package var openQuestion: Question? {
        switch state {
        case .asking(let asked, _, _), .approving(let asked): asked.question
        case .queued, .starting, .running, .collecting, .leaving, .stopping, .ended: nil
        }
    }

    /// The instant at which the open question expires.
    package var questionDeadline: Now.Boottime? {
        switch state {
        case .asking(let asked, _, _), .approving(let asked): asked.until
        case .queued, .starting, .running, .collecting, .leaving, .stopping, .ended: nil
        }
    }

    // MARK: Private

    /// Moves a run that a person has approved to the backlog.
    private mutating func approved(at now: Now) -> [Action] {
        state = .queued
        return accepted(at: now) + [.publish(.state(.queued, reason: nil))]
    }

    /// Counts a new question. Returns the actions that end the run if the question is not permitted, otherwise nil.
    private mutating func counting(_ question: Question, at now: Now) -> [Action]? {
        guard question.number > lastQuestion else {
            return violated(
                "the number of its question is not greater than the number of the previous question",
                at: now
            )
        }
        guard question.number <= Question.countLimit else {
            return violated("it asked more than \(Question.countLimit) questions", at: now)
        }
        lastQuestion = question.number
        return nil
    }

    private mutating func resumeRunning(_ deadline: Deadline, since: Now.Monotonic, at now: Now) -> [Action] {
        var deadline = deadline
        deadline.resume(after: now.monotonic - since)
        state = .running(deadline)
        return [.armTimer(at: .monotonic(deadline.instant)), .publish(.state(.running, reason: nil))]
    }
}
