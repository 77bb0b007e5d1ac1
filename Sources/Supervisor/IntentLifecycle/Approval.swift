package import IntentLauncherMessages

/// The state of a run's approval, which determines who may tell the run what, and when.
///
/// What a person approves is all that the agent can tell the run. The question shows every part of the agent's request
/// (``RequestPart``), and its digest covers them. After the approval, values, choices and files come from a person.
///
/// | | who answers directly | what answers in advance |
/// |---|---|---|
/// | ``ofNoAgent`` | those that ``RunAccess`` permits | values; confirmations without `Confirm=` |
/// | ``notRequired`` | those that ``RunAccess`` permits; the agent gives only values | values |
/// | ``awaited`` | a person, question 0 | nothing |
/// | ``given`` | a person | values; question 0 has shown them, unless a standing approval covers the run |
package enum Approval: Hashable, Sendable, CaseIterable {
    /// A person requested the run.
    case ofNoAgent
    /// An agent requested the run, and the operator requires no approval of it.
    case notRequired
    /// Question 0 is open, and the run has not started.
    case awaited
    /// A person has approved the run, or an earlier request with a standing approval, which covers it
    /// (``StandingApprovals``).
    case given

    /// What an answer tells a run.
    package enum Answer: Hashable, Sendable, CaseIterable {
        /// The decision on question 0.
        case approval
        /// A decision whether to continue, or a choice that cannot be undone.
        case confirmation
        /// A value, another choice, or files.
        case value

        package init(to question: Question) {
            if question.number == RunTable.approvalNumber {
                self = .approval
            } else {
                self = question.isConfirmation ? .confirmation : .value
            }
        }
    }

    /// Returns true if a sender may answer an open question of the run.
    package func permits(_ answer: Answer, from sender: RunAccess.Standing, _ rule: ConfirmRule) -> Bool {
        switch (self, answer) {
        case (.awaited, .approval): RunAccess.may(.confirm, as: sender, rule)
        // Question 0 is the only question of a run that waits for its approval, and no other run asks it.
        case (.awaited, .confirmation), (.awaited, .value), (.ofNoAgent, .approval), (.notRequired, .approval),
            (.given, .approval):
            false
        case (.ofNoAgent, .confirmation), (.notRequired, .confirmation), (.given, .confirmation):
            RunAccess.may(.confirm, as: sender, rule)
        case (.ofNoAgent, .value), (.notRequired, .value): RunAccess.may(.answerValue, as: sender, rule)
        // The person has approved the run without this value.
        case (.given, .value): sender != .agent && RunAccess.may(.answerValue, as: sender, rule)
        }
    }

    /// Returns true if the request's answers in advance may answer a question of the run.
    package func permitsInAdvance(_ answer: Answer, _ rule: ConfirmRule) -> Bool {
        switch (self, answer) {
        // If a second person must confirm, ignore the caller's advance answers.
        case (.ofNoAgent, .confirmation): rule == .caller
        case (.ofNoAgent, .value), (.notRequired, .value), (.given, .value): true
        // Only a person may confirm an agent's request.
        case (.notRequired, .confirmation), (.given, .confirmation): false
        case (.awaited, .confirmation), (.awaited, .value): false
        case (.ofNoAgent, .approval), (.notRequired, .approval), (.awaited, .approval), (.given, .approval):
            false
        }
    }
}

extension RunTable.Run {
    var approval: Approval {
        guard isOfAgent else { return .ofNoAgent }
        guard accepted.needsApproval == true else { return .notRequired }
        return machine.isAwaitingApproval ? .awaited : .given
    }
}

/// A part of a `perform` request, and its treatment if an agent makes the request and a person must approve it.
package enum RequestPart: Hashable, Sendable, CaseIterable {
    case request
    case app
    case intent
    case plan
    case values
    case secretValues
    case files
    case writable
    case limit
    case ceiling
    case onDisconnect
    case locale
    case query
    case key
    case retryOf
    case undoOf
    case entryPoint
    case traceparent
    case isInteractive
    case answerValues
    case secretAnswerValues
    case answerConfirmations
    case answerOthers

    package enum Treatment: Hashable, Sendable {
        /// The question shows it, and the digest covers it.
        case shown
        /// It has no effect.
        case ignored
        /// The request is refused.
        case refused
        /// The request performs no intent, so it needs no approval.
        case unapproved
    }

    package var treatment: Treatment {
        switch self {
        // `intentd` replaces `undoOf` by the intent, its values and a key that contains the run to undo.
        case .app, .intent, .plan, .values, .files, .writable, .limit, .ceiling, .onDisconnect, .locale, .key, .retryOf,
            .undoOf, .traceparent, .answerValues, .answerOthers:
            .shown
        // A person cannot approve what must not be displayed.
        case .secretValues, .secretAnswerValues: .refused
        // The identifier serves to recognize a repetition, and the entry point declares the sender an agent. The run
        // receives neither.
        case .request, .entryPoint: .ignored
        // No person waits for an agent's run.
        case .isInteractive: .ignored
        case .answerConfirmations: .ignored
        case .query: .unapproved
        }
    }
}
