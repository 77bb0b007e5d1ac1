/// Selects runs on record: all conditions that are set must hold.
public struct HistoryQuery: Hashable, Sendable, Codable {
    /// Accepted at that moment or later.
    public var since: Timestamp?
    /// Accepted before that moment.
    public var until: Timestamp?
    /// The app's name.
    public var app: String?
    /// The intent's name, with or without the suffix `Intent`.
    public var intent: String?
    /// A state of a live run, the kind of an outcome, `live` or `ended`.
    public var state: String?
    /// The owner's uid; nil: the caller. Only operators see runs of other users.
    public var user: UInt32?
    /// True: runs of all users, for operators only.
    public var everybody: Bool?
    /// At most this many of the newest runs.
    public var count: Int?
    /// Only runs with a smaller ``RecordedRun/number``: the rest of an earlier answer.
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

/// Selects the runs to remove from the record. Without a condition, those that the configuration does not keep.
public struct PruneRequest: Hashable, Sendable, Codable {
    /// Remove runs that ended longer ago than this.
    @OptionalMilliseconds public var keep: Duration?
    /// Remove all but this many of the newest runs.
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

/// A part of the runs on record, the newest first.
public struct HistoryPage: Hashable, Sendable, Codable {
    public var runs: [RecordedRun]
    /// The ``HistoryQuery/before`` of the next page; nil on the last one.
    public var next: Int64?

    public init(runs: [RecordedRun], next: Int64?) {
        self.runs = runs
        self.next = next
    }
}

/// The summary of a run on record.
public struct RecordedRun: Hashable, Sendable, Codable {
    /// Rises with every run of this history, and is never given twice.
    public var number: Int64
    public var run: RunID
    public var app: String
    public var intent: String
    /// The owner's uid.
    public var user: UInt32
    /// The name of the owner's account at that time; nil where it had none.
    public var userName: String?
    public var door: Door
    /// Nil when the run has ended.
    public var state: RunState?
    /// The kind of its outcome, such as `done`; nil while the run has not ended.
    public var outcome: String?
    /// Why it was cancelled.
    public var reason: CancellationReason?
    /// What failed, in the words of the app or of intentd.
    public var message: String?
    /// By the wall clock of that time.
    public var accepted: Timestamp
    /// By the wall clock of that time; nil while the run has not ended.
    public var ended: Timestamp?
    /// The time from acceptance to the assignment of a slot.
    @OptionalMilliseconds public var queued: Duration?
    /// The time from the assignment of a slot to the outcome.
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

    /// How its process ended; nil while the process runs, and for a run that never had one.
    public var processEnd: ProcessEnd? {
        exitSignal.map { .signaled(signal: $0) } ?? exitCode.map { .exited(code: $0) }
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

/// Resources that a run used, as the kernel counted them.
public struct ResourceUsage: Hashable, Sendable, Codable {
    public var userMicroseconds: Int64
    public var systemMicroseconds: Int64
    public var peakMemoryByteCount: Int64?

    /// In user and system mode together.
    public var processorTime: Duration { .microseconds(userMicroseconds) + .microseconds(systemMicroseconds) }

    public init(userMicroseconds: Int64, systemMicroseconds: Int64, peakMemoryByteCount: Int64?) {
        self.userMicroseconds = userMicroseconds
        self.systemMicroseconds = systemMicroseconds
        self.peakMemoryByteCount = peakMemoryByteCount
    }
}

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

/// A part of a run's output.
public struct LogPage: Hashable, Sendable, Codable {
    public var pieces: [LogPiece]
    /// The serial after which the next page begins; nil on the last page so far.
    public var next: Int64?

    public init(pieces: [LogPiece], next: Int64?) {
        self.pieces = pieces
        self.next = next
    }
}

/// A piece of a run's output: whole lines, as far as the app wrote lines.
public struct LogPiece: Hashable, Sendable, Codable {
    public var serial: Int64
    public var time: Timestamp
    public var stream: OutputStream
    public var text: String
    /// True: output is missing before this piece, because the run printed more than is kept.
    public var followsGap: Bool
    /// The number of bytes missing; nil where it is unknown.
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
