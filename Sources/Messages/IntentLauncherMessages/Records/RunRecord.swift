/// A fact about one run. Facts are recorded in the order in which they occur.
package struct RunRecord: Equatable, Sendable {
    package var run: RunID
    package var fact: Fact

    package init(_ run: RunID, _ fact: Fact) {
        self.run = run
        self.fact = fact
    }

    /// A fact about a run.
    ///
    /// Cases with large values are indirect, because a record is copied several times before it is written to history,
    /// and most records are small.
    package enum Fact: Equatable, Sendable {
        /// The run was accepted. This is the first fact of every run.
        indirect case accepted(AcceptedRun)
        /// The run's state changed. The slot is nil if the run has not been assigned a slot.
        case state(RunState, reason: CancellationReason?, slot: SlotID?)
        /// The run asked a question. This fact follows the state `asking`.
        indirect case asked(Question)
        /// The question was answered.
        indirect case answered(RecordedAnswer)
        /// A user cancelled the run.
        indirect case cancelRequested(CallerProcess)
        /// `intentd` sent a signal to the run's processes.
        case signalled(StopSignal)
        /// The launcher inspected the worker's threads, because most of a time limit had elapsed.
        indirect case observed(WorkerObservation)
        /// The launcher measured the run's processes.
        case sampled(UsageSample)
        /// The run wrote this output.
        case printed(OutputStream, text: String)
        /// `byteCount` bytes of output are missing at this point, because the run wrote more than is recorded.
        case leftOut(OutputStream, byteCount: Int64)
        /// The run's outcome was decided.
        indirect case ended(RecordedEnd)
        /// The run's last process exited.
        indirect case exited(WorkerExit)
        /// A row of `intentd`'s own state, which is no fact about a run, has this value; nil if the row was removed.
        case stored(name: String, value: String?)
    }

    /// True if `intentd` delays the actions that depend on this record until the record is safe (`Durability=`).
    package var isAwaited: Bool {
        switch fact {
        case .accepted, .ended, .asked, .answered, .cancelRequested, .stored: true
        case .state(let state, _, _):
            switch state {
            // An action follows these states: a worker starts, a user answers the question, or the run is stopped.
            case .queued, .starting, .asking, .stopping, .unknown: true
            // No action follows this state, which the worker reports.
            case .running: false
            }
        case .signalled, .observed, .sampled, .printed, .leftOut, .exited: false
        }
    }
}

extension RunRecord.Fact: Codable {
    private enum CodingKeys: CaseName {
        case accepted, state, asked, answered, cancelRequested, signalled, observed, sampled, printed, leftOut, ended,
            exited, stored
    }

    private enum StateCodingKeys: String, CodingKey { case _0 = "state", reason, slot }
    private enum AskedCodingKeys: String, CodingKey { case _0 = "question" }
    private enum AnsweredCodingKeys: String, CodingKey { case _0 = "answer" }
    private enum CancelRequestedCodingKeys: String, CodingKey { case _0 = "caller" }
    private enum SignalledCodingKeys: String, CodingKey { case _0 = "signal" }
    private enum PrintedCodingKeys: String, CodingKey { case _0 = "stream", text }
    private enum LeftOutCodingKeys: String, CodingKey { case _0 = "stream", byteCount }
}

/// Encodes the records for which ``RunRecord/isAwaited`` is true. The record log keeps them until SQLite has stored
/// them.
extension RunRecord: Codable {
    package static let valueLimit = Int.max

    private enum Key: CodingKey { case run }

    package init(from decoder: any Decoder) throws {
        run = try decoder.container(keyedBy: Key.self).decode(RunID.self, forKey: .run)
        fact = try Fact(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(run, forKey: .run)
        try fact.encode(to: encoder)
    }
}

/// The acceptance of a run, as recorded in history. It never changes.
package struct AcceptedRun: Equatable, Sendable, Codable {
    package var caller: CallerProcess
    package var entryPoint: EntryPoint
    package var request: RequestID
    /// The request's idempotency key (`--key`); nil when the request had none.
    package var key: String?
    /// The earlier run that this run retries; nil for a first attempt.
    package var retryOf: RunID?
    /// The W3C Trace Context of the request; nil when it had none.
    package var traceparent: String?
    package var app: AppName
    package var intent: String
    package var traits: IntentTraits
    /// The values by parameter name, except those of ``secretNames``.
    package var values: RunValues
    /// The names of the parameters with secret values, which must not be recorded.
    package var secretNames: [String]
    package var fileCount: Int
    /// True if a person must approve the run before it starts; nil when no approval is needed.
    package var needsApproval: Bool?
    /// The strictest authentication policy that the caller satisfied; nil if the caller satisfied none.
    package var authentication: String?
    /// The name of the parameter for which the request queries options; nil for a run that performs its intent.
    package var query: String?
    /// The caller's locale.
    package var locale: String?
    package var onDisconnect: DisconnectRule
    package var limits: RunLimits

    package init(
        caller: CallerProcess,
        entryPoint: EntryPoint,
        request: RequestID,
        key: String? = nil,
        retryOf: RunID? = nil,
        traceparent: String? = nil,
        app: AppName,
        intent: String,
        traits: IntentTraits,
        values: RunValues,
        secretNames: [String] = [],
        fileCount: Int,
        query: String? = nil,
        locale: String? = nil,
        onDisconnect: DisconnectRule = .cancel,
        limits: RunLimits
    ) {
        self.caller = caller
        self.entryPoint = entryPoint
        self.request = request
        self.key = key
        self.retryOf = retryOf
        self.traceparent = traceparent
        self.app = app
        self.intent = intent
        self.traits = traits
        self.values = values
        self.secretNames = secretNames
        self.fileCount = fileCount
        self.query = query
        self.locale = locale
        self.onDisconnect = onDisconnect
        self.limits = limits
    }
}
