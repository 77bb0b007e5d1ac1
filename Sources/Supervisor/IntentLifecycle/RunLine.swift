package import IntentLauncherMessages

/// The app, the intent and the account of a run.
package struct RunNames: Equatable, Sendable {
    package var app: AppName
    package var intent: String
    /// The account that pays for the run's owner.
    package var account: Account

    package init(app: AppName, intent: String, account: Account) {
        self.app = app
        self.intent = intent
        self.account = account
    }
}

extension RunTable {
    /// Returns the app, the intent and the account of a live run; nil once the run has ended.
    package func names(of run: RunID) -> RunNames? {
        runs[run].map { RunNames(app: $0.app.name, intent: $0.intent.name, account: account(of: $0.owner)) }
    }
}

/// A journal line about a run, with the values of its fields.
package struct RunLine: Equatable, Sendable {
    /// The event that the line reports.
    package enum Event: Equatable, Sendable {
        case accepted
        /// The run has a slot. Its worker is a spare or is being launched.
        case started
        /// A new `intentd` adopted the run. The string describes what happens to the run next.
        case adopted(String)
        /// A question is open, which stops the run's clock: the run's question, or `intentd`'s request for approval.
        case asking
        case answered(AnswerNotice, AnswerKind)
        /// A user ended the standing approval that the run had left.
        case revoked(by: UInt32)
        /// The run must stop, because it was cancelled or a limit expired.
        case stopping
        case ended(RunOutcome)
        /// The failed run will be performed again (`Retry=`).
        case repeats(number: Int, of: Int, after: Duration)
        /// The run and all its repetitions have failed.
        case gaveUp(count: Int)
        /// The failed run is not performed again although `Retry=` requests it.
        case notRepeated(String)
    }

    /// The kind of answer, for audits. The answer's value is only in the history.
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
    /// The setting that caused the end; nil if no setting caused it.
    package var denial: SandboxDenial?

    init(_ event: Event, of run: RunTable.Run, reason: CancellationReason? = nil) {
        self.run = run.id
        app = run.app.name
        intent = run.intent.name
        user = run.owner
        self.event = event
        self.reason = reason
    }

    /// Creates a line about a standing approval. Its run has usually ended.
    init(_ event: Event, of approval: StandingApprovals.Entry) {
        run = approval.run
        app = approval.scope.app
        intent = approval.scope.intent
        user = approval.scope.requester.user
        self.event = event
    }

    /// Creates a line about a permitted host. Its run has usually ended.
    init(_ event: Event, of permission: PermittedHosts.Permission) {
        run = permission.run
        app = permission.app
        intent = permission.intent
        user = permission.requester.user
        self.event = event
    }

    package var text: String {
        switch event {
        case .accepted: "accepted"
        case .started: "started"
        case .adopted(let text): "adopted: \(text)"
        case .asking: "waits for an answer"
        case .answered(let notice, let kind):
            "\(kind.rawValue)\(notice.isInAdvance == true ? " in advance" : "") by user \(notice.user)"
                + (notice.standing.map { standing in
                    standing.run == run
                        ? ", for \(TimeSpan.format(standing.remaining)) also for \(standing.text)"
                        : ", with the standing approval of run \(standing.run)"
                } ?? "")
        case .revoked(let user): "standing approval revoked by user \(user)"
        case .stopping: "stopping" + (reason.map { ": \($0.name)" } ?? "")
        case .ended(let outcome): "ended: \(outcome.phrase)\(denial.map { "; \($0.explanation)" } ?? "")"
        case .repeats(let number, let count, let pause):
            "repetition \(number) of \(count) follows in \(TimeSpan.format(pause)) (Retry=)"
        case .gaveUp(let count): "gave up: the last of \(count) repetitions has failed (Retry=)"
        case .notRepeated(let reason): "is not repeated (Retry=): \(reason)"
        }
    }
}
