package import IntentWire

/// The names of a run, besides its identifier.
package struct RunNames: Equatable, Sendable {
    package var app: AppName
    package var intent: String
}

extension RunTable {
    /// Nil for a run that has ended.
    package func names(of run: RunID) -> RunNames? {
        runs[run].map { RunNames(app: $0.app.name, intent: $0.intent.name) }
    }
}

/// A line about a run for the journal, with the data for its fields.
package struct RunLine: Equatable, Sendable {
    /// What happened to the run.
    package enum Event: Equatable, Sendable {
        case accepted
        /// The run has a slot, and its worker is launched.
        case started
        /// An earlier `intentd` left the run. The text says what happens to it.
        case adopted(String)
        /// Its question is open, which stops its clock.
        case asking
        case answered(AnswerNotice, AnswerKind)
        /// The run was told to stop.
        case stopping
        case ended(RunOutcome)
        /// Its end, and further ones of the app and user, are not reported in this hour.
        case unreported(perHour: Int)
    }

    /// What an answer was, for the audit. Its value is in history.
    package enum AnswerKind: String, Sendable {
        case value = "answered"
        case approval = "approved"
        case refusal = "declined"

        init(_ value: IntentValue, to question: Question) {
            self = question.isDeclined(by: value) ? .refusal : question.isConfirmation ? .approval : .value
        }
    }

    package var run: RunID
    package var app: AppName
    package var intent: String
    package var user: Caller
    package var event: Event
    package var reason: CancellationReason?

    init(_ event: Event, of run: RunTable.Run, reason: CancellationReason? = nil) {
        self.run = run.id
        app = run.app.name
        intent = run.intent.name
        user = run.owner
        self.event = event
        self.reason = reason
    }

    /// True for a line that no client hears of.
    package var isUnreported: Bool { if case .unreported = event { true } else { false } }

    package var text: String {
        switch event {
        case .accepted: "accepted"
        case .started: "started"
        case .adopted(let text): "adopted: \(text)"
        case .asking: "asks, and waits for an answer"
        case .answered(let notice, let kind):
            "\(kind.rawValue)\(notice.isInAdvance == true ? " in advance" : "") by user \(notice.user)"
        case .stopping: "told to stop" + (reason.map { ": \($0.name)" } ?? "")
        case .ended(let outcome): "ended: \(outcome.phrase)"
        case .unreported(let perHour):
            """
            not reported: \(perHour) ends of the app's runs for this user were reported within an hour (PerHour=); further \
            ones are not reported until the hour is over
            """
        }
    }
}
