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
        case answered
        /// The run was told to stop.
        case stopping
        case ended(RunOutcome)
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

    package var text: String {
        switch event {
        case .accepted: "accepted"
        case .started: "started"
        case .adopted(let text): "adopted: \(text)"
        case .asking: "asks, and waits for an answer"
        case .answered: "answered"
        case .stopping: "told to stop" + (reason.map { ": \($0.name)" } ?? "")
        case .ended(let outcome): "ended: \(outcome.phrase)"
        }
    }
}
