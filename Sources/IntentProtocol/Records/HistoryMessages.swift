/// Which runs on record a client asks for.
public struct HistoryQuery: Hashable, Sendable, Codable {
    /// Accepted at that moment or later.
    public var since: Timestamp?
    /// Accepted before that moment.
    public var until: Timestamp?
    public var app: String?
    public var intent: String?
    /// A state of a live run, the kind of an outcome, `live` or `ended`.
    public var state: String?
    /// Whose runs; nil: the caller's own. Others than his own are shown to operators alone.
    public var user: UInt32?
    /// Runs of everybody; to operators alone.
    public var everybody: Bool?
    /// At most so many, the newest.
    public var count: Int?
    /// Those with a number below this: the rest of an earlier answer.
    public var before: Int64?

    public init(
        since: Timestamp? = nil,
        until: Timestamp? = nil,
        app: String? = nil,
        intent: String? = nil,
        state: String? = nil,
        user: UInt32? = nil,
        everybody: Bool? = nil,
        count: Int? = nil,
        before: Int64? = nil
    ) {
        self.since = since
        self.until = until
        self.app = app
        self.intent = intent
        self.state = state
        self.user = user
        self.everybody = everybody
        self.count = count
        self.before = before
    }

    private enum CodingKeys: String, CodingKey {
        case since = "sinceMilliseconds"
        case until = "untilMilliseconds"
        case app, intent, state, user, everybody, count, before
    }
}

/// Which runs shall go from the record: all that any of these names; with none, what is not kept by configuration.
public struct PruneRequest: Hashable, Sendable, Codable {
    /// Those that ended longer ago.
    @OptionalMilliseconds public var keep: Duration?
    /// All but so many, the newest.
    public var keepCount: Int64?

    public init(keep: Duration? = nil, keepCount: Int64? = nil) {
        self.keep = keep
        self.keepCount = keepCount
    }

    private enum CodingKeys: String, CodingKey {
        case keep = "keepMilliseconds"
        case keepCount
    }
}

/// Some runs on record, the newest first.
public struct HistoryPage: Hashable, Sendable, Codable {
    public var runs: [RecordedRun]
    /// Where the rest begins, for ``HistoryQuery/before``; nil when this is all.
    public var next: Int64?

    public init(runs: [RecordedRun], next: Int64?) {
        self.runs = runs
        self.next = next
    }
}

/// A run on record, on one line.
public struct RecordedRun: Hashable, Sendable, Codable {
    /// Rises with every run of this history, and is never given twice.
    public var number: Int64
    public var run: RunID
    public var app: String
    public var intent: String
    public var user: UInt32
    /// The name of the owner's account at that time; nil where it had none.
    public var userName: String?
    public var door: Door
    /// Where it is; nil when it has ended.
    public var state: RunState?
    /// The kind of its outcome; nil when it has not ended.
    public var outcome: String?
    public var reason: CancellationReason?
    public var message: String?
    /// By the wall clock of that time.
    public var accepted: Timestamp
    /// By the wall clock of that time; nil while the run has not ended.
    public var ended: Timestamp?
    /// From its acceptance to its place.
    @OptionalMilliseconds public var queued: Duration?
    /// From its place to its outcome.
    @OptionalMilliseconds public var runtime: Duration?
    public var exitCode: Int32?
    public var exitSignal: Int32?
    public var usage: ResourceUsage?
    public var isolation: IsolationGrade?

    public init(
        number: Int64,
        run: RunID,
        app: String,
        intent: String,
        user: UInt32,
        door: Door,
        accepted: Timestamp
    ) {
        self.number = number
        self.run = run
        self.app = app
        self.intent = intent
        self.user = user
        self.door = door
        self.accepted = accepted
    }

    private enum CodingKeys: String, CodingKey {
        case number, run, app, intent, user, userName, door, state, outcome, reason, message
        case accepted = "acceptedMilliseconds"
        case ended = "endedMilliseconds"
        case queued = "queuedMilliseconds"
        case runtime = "runtimeMilliseconds"
        case exitCode, exitSignal, usage, isolation
    }
}

/// What a run used, as the kernel counted.
public struct ResourceUsage: Hashable, Sendable, Codable {
    public var userMicroseconds: Int64
    public var systemMicroseconds: Int64
    public var peakMemoryByteCount: Int64?

    public init(userMicroseconds: Int64, systemMicroseconds: Int64, peakMemoryByteCount: Int64?) {
        self.userMicroseconds = userMicroseconds
        self.systemMicroseconds = systemMicroseconds
        self.peakMemoryByteCount = peakMemoryByteCount
    }
}

/// All that is on record of one run but its output.
public struct RunStory: Hashable, Sendable, Codable {
    public var summary: RecordedRun
    public var process: Int32
    public var software: String
    public var request: RequestID
    public var key: String?
    public var retryOf: RunID?
    public var traceparent: String?
    public var traits: IntentTraits
    public var values: [String: IntentValue]
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
}

/// Something that happened to a run.
public struct RecordedChange: Hashable, Sendable, Codable {
    public var time: Timestamp
    /// Since its acceptance, on CLOCK_MONOTONIC.
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

/// What came of a run on record.
public struct RecordedOutcome: Hashable, Sendable, Codable {
    public var time: Timestamp
    @Milliseconds public var after: Duration
    public var outcome: RunOutcome
    public var clock: LimitClock?
    public var progress: ProgressReport?
    /// How long before the end that was reported.
    @OptionalMilliseconds public var progressAge: Duration?
    /// How long before the end its progress advanced last.
    @OptionalMilliseconds public var advanceAge: Duration?
    public var lastSerial: UInt64
    /// What came beside the outcome; nil when that was nothing.
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

/// The moment when nothing of a run was left, and what the kernel said then.
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

/// A part of what a run printed.
public struct LogPage: Hashable, Sendable, Codable {
    public var pieces: [LogPiece]
    /// For the next part; nil when this is all that there is now.
    public var next: Int64?

    public init(pieces: [LogPiece], next: Int64?) {
        self.pieces = pieces
        self.next = next
    }
}

public struct LogPiece: Hashable, Sendable, Codable {
    public var serial: Int64
    public var time: Timestamp
    public var stream: OutputStream
    public var text: String
    /// Something is missing before it: it printed more than is kept.
    public var followsGap: Bool
    /// How many bytes that are; nil where nobody counted.
    public var leftOutByteCount: Int64?

    public init(
        serial: Int64,
        time: Timestamp,
        stream: OutputStream,
        text: String,
        followsGap: Bool,
        leftOutByteCount: Int64? = nil
    ) {
        self.serial = serial
        self.time = time
        self.stream = stream
        self.text = text
        self.followsGap = followsGap
        self.leftOutByteCount = leftOutByteCount
    }

    private enum CodingKeys: String, CodingKey {
        case serial
        case time = "wallMilliseconds"
        case stream, text, followsGap, leftOutByteCount
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
