/// Everything on record about one run, except its output.
public struct RunStory: Hashable, Sendable, Codable {
    public var summary: RecordedRun
    /// The client's process.
    public var process: Int32
    /// The client's name and version, from its hello.
    public var software: String
    public var request: RequestID
    public var key: String?
    public var retryOf: RunID?
    public var traceparent: String?
    public var traits: IntentTraits
    /// By parameter name, without the secret ones. A file is its name only.
    public var values: [String: IntentValue]
    /// Parameters of which no value is recorded.
    public var secretNames: [String]
    public var fileCount: Int
    public var limits: RunLimits
    public var changes: [RecordedChange]
    public var end: RecordedOutcome?
    public var departure: RecordedDeparture?
    public var printedByteCount: Int64

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
        changes: [RecordedChange],
        end: RecordedOutcome?,
        departure: RecordedDeparture?,
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
        self.departure = departure
        self.printedByteCount = printedByteCount
    }

    /// The end that the run's client received, rebuilt from the record; nil while the run has not ended.
    public var runEnd: RunEnd? {
        guard let end else { return nil }
        let account = RunAccount(
            runtime: summary.runtime ?? .zero,
            signals: changes.compactMap { if case .signal(let signal) = $0.event { signal.rawValue } else { nil } },
            leftoverProcessCount: departure?.leftoverProcessCount ?? 0,
            processEnd: departure?.processEnd,
            hadLateResult: departure?.hadLateResult ?? false,
            isolation: summary.isolation,
            details: end.details
        )
        return RunEnd(run: summary.run, outcome: end.outcome, account: account)
    }
}

/// One recorded event of a run.
public struct RecordedChange: Hashable, Sendable, Codable {
    public var time: Timestamp
    /// The time since acceptance, on CLOCK_MONOTONIC.
    @Milliseconds public var after: Duration
    public var event: Event

    public init(time: Timestamp, after: Duration, event: Event) {
        self.time = time
        self.after = after
        self.event = event
    }

    private enum CodingKeys: String, CodingKey {
        case time = "wallMilliseconds"
        case after = "afterMilliseconds"
        case event
    }

    public enum Event: Hashable, Sendable {
        case state(RunState, reason: CancellationReason?, slot: SlotID?)
        case question(Question)
        case answer(RecordedAnswer)
        case cancel(CallerProcess)
        case signal(StopSignal)
        case observation(WorkerObservation)
    }
}

/// The outcome of a run on record.
public struct RecordedOutcome: Hashable, Sendable, Codable {
    public var time: Timestamp
    @Milliseconds public var after: Duration
    public var outcome: RunOutcome
    public var clock: LimitClock?
    public var progress: ProgressReport?
    /// The time from the last progress report to the end.
    @OptionalMilliseconds public var progressAge: Duration?
    /// The time from the last progress that advanced to the end.
    @OptionalMilliseconds public var advanceAge: Duration?
    public var lastSerial: UInt64
    /// What the worker reported besides the outcome.
    public var details: RunDetails?

    public init(
        time: Timestamp,
        after: Duration,
        outcome: RunOutcome,
        clock: LimitClock?,
        progress: ProgressReport?,
        progressAge: Duration?,
        advanceAge: Duration?,
        lastSerial: UInt64,
        details: RunDetails? = nil
    ) {
        self.time = time
        self.after = after
        self.outcome = outcome
        self.details = details
        self.clock = clock
        self.progress = progress
        self.progressAge = progressAge
        self.advanceAge = advanceAge
        self.lastSerial = lastSerial
    }

    private enum CodingKeys: String, CodingKey {
        case time = "wallMilliseconds"
        case after = "afterMilliseconds"
        case outcome, clock, progress
        case progressAge = "progressAgeMilliseconds"
        case advanceAge = "advanceAgeMilliseconds"
        case lastSerial, details
    }
}

/// The end of a run's last process, as the kernel reported it.
public struct RecordedDeparture: Hashable, Sendable, Codable {
    public var time: Timestamp
    @Milliseconds public var after: Duration
    public var processEnd: ProcessEnd?
    public var exceeded: SandboxLimit?
    public var leftoverProcessCount: Int
    public var hadLateResult: Bool

    public init(
        time: Timestamp,
        after: Duration,
        processEnd: ProcessEnd?,
        exceeded: SandboxLimit?,
        leftoverProcessCount: Int,
        hadLateResult: Bool
    ) {
        self.time = time
        self.after = after
        self.processEnd = processEnd
        self.exceeded = exceeded
        self.leftoverProcessCount = leftoverProcessCount
        self.hadLateResult = hadLateResult
    }

    private enum CodingKeys: String, CodingKey {
        case time = "wallMilliseconds"
        case after = "afterMilliseconds"
        case processEnd, exceeded, leftoverProcessCount, hadLateResult
    }
}

extension RecordedChange.Event: Codable {
    private enum Kind: String { case state, question, answer, cancel, signal, observation }
    private enum Key: String, CodingKey {
        case state, reason, slot, question, user, process, software, signal, observation
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        switch try decoder.messageKind(Kind.self) {
        case .state:
            self = .state(
                try container.decode(RunState.self, forKey: .state),
                reason: try container.decodeIfPresent(CancellationReason.self, forKey: .reason),
                slot: try container.decodeIfPresent(SlotID.self, forKey: .slot)
            )
        case .question: self = .question(try container.decode(Question.self, forKey: .question))
        case .answer: self = .answer(try RecordedAnswer(from: decoder))
        case .cancel:
            self = .cancel(
                CallerProcess(
                    user: try container.decode(UInt32.self, forKey: .user),
                    process: try container.decode(Int32.self, forKey: .process),
                    software: try container.decode(String.self, forKey: .software)
                )
            )
        case .signal: self = .signal(try container.decode(StopSignal.self, forKey: .signal))
        case .observation:
            self = .observation(try container.decode(WorkerObservation.self, forKey: .observation))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .state(let state, let reason, let slot):
            try encoder.encodeMessage(Kind.state)
            try container.encode(state, forKey: .state)
            try container.encodeIfPresent(reason, forKey: .reason)
            try container.encodeIfPresent(slot, forKey: .slot)
        case .question(let question):
            try encoder.encodeMessage(Kind.question)
            try container.encode(question, forKey: .question)
        case .answer(let answer): try encoder.encodeMessage(Kind.answer, answer)
        case .cancel(let caller):
            try encoder.encodeMessage(Kind.cancel)
            try container.encode(caller.user, forKey: .user)
            try container.encode(caller.process, forKey: .process)
            try container.encode(caller.software, forKey: .software)
        case .signal(let signal):
            try encoder.encodeMessage(Kind.signal)
            try container.encode(signal, forKey: .signal)
        case .observation(let observation):
            try encoder.encodeMessage(Kind.observation)
            try container.encode(observation, forKey: .observation)
        }
    }
}
