/// Everything that is recorded about one run, except its output.
public struct RunStory: Hashable, Sendable, Codable {
    /// The run's summary.
    public var summary: RecordedRun
    /// The pid of the client that requested the run.
    public var process: Int32
    /// The name and version of the client that requested the run, as reported in its `hello`.
    public var software: String
    /// The request's identifier.
    public var request: RequestID
    /// The request's idempotency key; nil when the request had none.
    public var key: String?
    /// The earlier run that this run retries; nil for a first attempt.
    public var retryOf: RunID?
    /// The W3C Trace Context of the request; nil when it had none.
    public var traceparent: String?
    /// The intent's traits, which affect its time limits.
    public var traits: IntentTraits
    /// The values by parameter name. Values of ``secretNames`` are omitted, and a file is represented by its name only.
    public var values: [String: IntentValue]
    /// The names of the parameters with secret values. The values are not recorded.
    public var secretNames: [String]
    /// The number of files that the run received.
    public var fileCount: Int
    /// The time limits that applied to the run.
    public var limits: RunLimits
    /// The run's events before its end, the oldest first.
    public var changes: [Recorded<RunChange>]
    /// The run's outcome; nil until the run has ended.
    public var end: Recorded<RecordedEnd>?
    /// The exit of the run's last worker; nil until that worker has exited.
    public var exit: Recorded<WorkerExit>?
    /// The number of bytes of output that history stores for the run. Output that was not recorded does not count.
    public var printedByteCount: Int64

    /// Creates a story.
    public init(
        summary: RecordedRun,
        process: Int32,
        software: String,
        request: RequestID,
        key: String?,
        retryOf: RunID?,
        traceparent: String?,
        traits: IntentTraits,
        values: [String: IntentValue],
        secretNames: [String],
        fileCount: Int,
        limits: RunLimits,
        changes: [Recorded<RunChange>],
        end: Recorded<RecordedEnd>?,
        exit: Recorded<WorkerExit>?,
        printedByteCount: Int64
    ) {
        self.summary = summary
        self.process = process
        self.software = software
        self.request = request
        self.key = key
        self.retryOf = retryOf
        self.traceparent = traceparent
        self.traits = traits
        self.values = values
        self.secretNames = secretNames
        self.fileCount = fileCount
        self.limits = limits
        self.changes = changes
        self.end = end
        self.exit = exit
        self.printedByteCount = printedByteCount
    }

    /// The end of the run as the client received it, reconstructed from the record; nil until the run has ended.
    public var runEnd: RunEnd? { end.map { RunEnd(run: summary.run, outcome: $0.outcome, account: $0.account) } }
}

/// An event of a run, with the time at which it was recorded.
@dynamicMemberLookup
public struct Recorded<Event: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    /// The wall-clock time of the event.
    public var time: Timestamp
    /// The time between the acceptance of the run and the event, measured with CLOCK_MONOTONIC.
    @Milliseconds public var after: Duration
    /// The event.
    public var event: Event

    /// Creates a recorded event.
    public init(time: Timestamp, after: Duration, event: Event) {
        self.time = time
        self.after = after
        self.event = event
    }

    /// Accesses a property of the event.
    public subscript<Member>(dynamicMember path: KeyPath<Event, Member>) -> Member { event[keyPath: path] }

    private enum CodingKeys: String, CodingKey {
        case time = "wallMilliseconds"
        case after = "afterMilliseconds"
        case event
    }
}

/// An event between the acceptance of a run and its end.
public enum RunChange: Hashable, Sendable {
    /// The run's state changed. `reason` is set when the run is being stopped, and `slot` when a slot was assigned.
    case state(RunState, reason: CancellationReason?, slot: SlotID?)
    /// The run asked a question.
    case question(Question)
    /// A question was answered.
    case answer(RecordedAnswer)
    /// A user cancelled the run.
    case cancel(CallerProcess)
    /// `intentd` sent a signal to the run's processes.
    case signal(StopSignal)
    /// The launcher took a snapshot of the worker's threads, because most of a time limit had elapsed.
    case observation(WorkerObservation)
    /// The launcher measured the memory and processor time of the run's processes.
    case usage(UsageSample)
    /// An event that a later release added, with its name in messages.
    case unknown(String)
}

extension RunChange: Codable {
    private enum CodingKeys: CaseName {
        case state, question, answer, cancel, signal, observation, usage, unknown

        static var other: Self? { .unknown }
    }

    private enum StateCodingKeys: String, CodingKey { case _0 = "state", reason, slot }
    private enum QuestionCodingKeys: String, CodingKey { case _0 = "question" }
    private enum SignalCodingKeys: String, CodingKey { case _0 = "signal" }
    private enum ObservationCodingKeys: String, CodingKey { case _0 = "observation" }
    private enum UnknownCodingKeys: String, CodingKey { case _0 = "type" }
}
