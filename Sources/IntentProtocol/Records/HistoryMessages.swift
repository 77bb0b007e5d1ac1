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
