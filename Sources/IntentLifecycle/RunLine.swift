package import IntentWire

/// What a run is called beside its identifier.
package struct RunNames: Equatable, Sendable {
    package var app: AppName
    package var intent: String
}

extension RunTable {
    /// Nil for a run that has vanished.
    package func names(of run: RunID) -> RunNames? {
        runs[run].map { RunNames(app: $0.app.name, intent: $0.intent.name) }
    }
}

/// A line about a run for the journal, with what its fields need.
package struct RunLine: Equatable, Sendable {
    /// What happened to the run.
    package enum Event: Equatable, Sendable {
        case accepted
        /// It has its place, and its worker is made.
        case started
        /// An earlier `intentd` left it, and this is what becomes of it.
        case takenUp(String)
        /// Its question is open, and its clock stands still.
        case asking
        case answered
        /// It was told to stop.
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
        case .takenUp(let words): "taken up: \(words)"
        case .asking: "asks, and waits for an answer"
        case .answered: "answered"
        case .stopping: "told to stop" + (reason.map { ": \($0.name)" } ?? "")
        case .ended(let outcome): "ended: \(outcome.phrase)"
        }
    }
}
