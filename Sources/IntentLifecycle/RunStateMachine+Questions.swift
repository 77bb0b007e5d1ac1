package import IntentWire

extension RunStateMachine {
    package mutating func questionAsked(_ question: Question, at now: Now) -> [Action] {
        switch state {
        case .running(let deadline):
            state = .asking(question, deadline, since: now.monotonic)
            let held = heldQuestion
            heldQuestion = nil
            let end = held?.number == question.number ? held?.end : nil
            return [
                .armTimer(at: .boottime(end ?? now.boottime + limits.questionTimeout)),
                .publish(.state(.asking, reason: nil)),
            ]
        // It is ending: nobody is asked any more.
        case .stopping, .queued, .ended: return []
        case .asking: return violated("it asked a question while another was open", at: now)
        case .starting, .collecting, .leaving: return violated("it asked a question outside its run", at: now)
        }
    }

    /// Somebody answered; an answer to a question that is not open changes nothing.
    package mutating func questionAnswered(_ number: UInt64, _ value: IntentValue, at now: Now) -> [Action] {
        guard case .asking(let question, var deadline, let since) = state, question.number == number else { return [] }
        deadline.resume(after: now.monotonic - since)
        state = .running(deadline)
        return [
            .tell(.answer(question: number, value: value)),
            .armTimer(at: .monotonic(deadline.instant)),
            .publish(.state(.running, reason: nil)),
        ]
    }

    /// The question that is open.
    package var openQuestion: Question? {
        if case .asking(let question, _, _) = state { return question }
        return nil
    }
}
