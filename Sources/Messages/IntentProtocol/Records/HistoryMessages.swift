/// A query for recorded runs. The result contains the runs that meet every specified condition.
public struct HistoryQuery: Hashable, Sendable, Codable {
    /// The time at or after which the runs were accepted; nil for any time.
    public var since: Timestamp?
    /// The time before which the runs were accepted; nil for any time.
    public var until: Timestamp?
    /// The app's name.
    public var app: String?
    /// The intent's name, with or without the suffix `Intent`.
    public var intent: String?
    /// The state of a live run, the kind of an outcome, or one of the words `live` and `ended`.
    public var state: String?
    /// The owner's uid; nil for the caller's own runs. Only operators can query runs of other users.
    public var user: UInt32?
    /// The name of the owners' account, or of an owner without an account, such as `alice@home`. For operators only.
    public var account: String?
    /// True to select the runs of all users. For operators only.
    public var everybody: Bool?
    /// True to select only runs in which a user answered a question.
    public var isAnswered: Bool?
    /// True to select only runs that failed: see ``RecordedRun/isFailure``.
    public var isFailure: Bool?
    /// The run of a shortcut, to select the runs of its steps and the runs that undo them; nil to select any runs.
    public var shortcut: RunID?
    /// The maximum number of runs to return. The newest runs are returned first.
    public var count: Int?
    /// The ``HistoryPage/next`` of the previous page; nil for the first page. Only runs with a smaller
    /// ``RecordedRun/number`` are returned.
    public var before: Int64?

    /// Creates a query. Without conditions, it selects all of the caller's runs.
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
        case app, intent, state, user, account, everybody, isAnswered, isFailure, shortcut, count, before
    }
}

/// A request to remove runs from history. Without conditions, it removes the runs that exceed the configured retention.
public struct PruneRequest: Hashable, Sendable, Codable {
    /// The maximum age of a run, measured from its end. Older runs are removed.
    @OptionalMilliseconds public var keep: Duration?
    /// The number of newest runs to keep.
    public var keepCount: Int64?

    /// Creates a prune request.
    public init(keep: Duration? = nil, keepCount: Int64? = nil) {
        self.keep = keep
        self.keepCount = keepCount
    }

    private enum CodingKeys: String, CodingKey {
        case keep = "keepMilliseconds"
        case keepCount
    }
}

/// The result of an import into history.
public struct ImportReport: Hashable, Sendable, Codable {
    /// The number of runs that were added.
    public var runCount: Int
    /// The number of runs that were skipped because history already contains the run, its request or its key, or
    /// because the app's name is invalid.
    public var knownCount: Int
    /// The number of runs that were skipped because they have no recorded end.
    public var unfinishedCount: Int

    /// Creates a report.
    public init(runCount: Int = 0, knownCount: Int = 0, unfinishedCount: Int = 0) {
        self.runCount = runCount
        self.knownCount = knownCount
        self.unfinishedCount = unfinishedCount
    }
}

/// A page of recorded runs, the newest first.
public struct HistoryPage: Hashable, Sendable, Codable {
    /// The runs of this page.
    public var runs: [RecordedRun]
    /// The value of ``HistoryQuery/before`` for the next page; nil on the last page.
    public var next: Int64?
    /// The heads of the chains of decisions that the query selects, if the query has ``HistoryQuery/isAnswered``; nil
    /// otherwise, and for an agent, who sees only parts of a chain.
    public var heads: [DecisionHead]?

    /// Creates a page.
    public init(runs: [RecordedRun], next: Int64?) {
        self.runs = runs
        self.next = next
    }
}

/// The summary of a recorded run.
public struct RecordedRun: Hashable, Sendable, Codable {
    /// The run's number. Numbers increase with every run in this history and are never reused.
    public var number: Int64
    /// The run's identifier.
    public var run: RunID
    /// The app's name.
    public var app: String
    /// The intent's name.
    public var intent: String
    /// The owner's uid.
    public var user: UInt32
    /// The name of the owner's account when the run was accepted; nil when no account had the uid.
    public var userName: String?
    /// The entry point of the request.
    public var entryPoint: EntryPoint
    /// The run's current state; nil when the run has ended.
    public var state: RunState?
    /// The kind of outcome, such as `done`; nil until the run has ended.
    public var outcome: String?
    /// The reason for the cancellation; nil unless the run was cancelled.
    public var reason: CancellationReason?
    /// The beginning of the error message from the app or from `intentd`, at most 500 characters; nil for a run without
    /// an error message.
    public var message: String?
    /// The setting that caused the end; nil if no setting caused it.
    public var denial: SandboxDenial?
    /// The wall-clock time at which the run was accepted.
    public var accepted: Timestamp
    /// The wall-clock time at which the outcome was decided; nil until the run has ended.
    public var ended: Timestamp?
    /// The time between the acceptance of the run and the assignment of a slot, or the end of a run that never got a
    /// slot.
    @OptionalMilliseconds public var queued: Duration?
    /// The time between the assignment of a slot and the outcome.
    @OptionalMilliseconds public var runtime: Duration?
    /// The exit code of the worker; nil unless the worker exited on its own.
    public var exitCode: Int32?
    /// The number of the signal that killed the worker; nil unless a signal killed it.
    public var exitSignal: Int32?
    /// The resources that the run used; nil when the kernel did not report them.
    public var usage: ResourceUsage?
    /// The isolation grade of the worker; nil when no worker was started.
    public var isolation: IsolationGrade?
    /// True for a run that an operator imported from another history.
    public var isImported: Bool?
    /// The step that the run performs; nil unless a shortcut requested the run.
    public var step: StepOfShortcut?
    /// The run that this run undoes; nil unless it undoes a run.
    public var undoOf: RunID?

    /// Creates a summary of an accepted run.
    public init(
        number: Int64,
        run: RunID,
        app: String,
        intent: String,
        user: UInt32,
        entryPoint: EntryPoint,
        accepted: Timestamp
    ) {
        self.number = number
        self.run = run
        self.app = app
        self.intent = intent
        self.user = user
        self.entryPoint = entryPoint
        self.accepted = accepted
    }

    /// The exit status of the worker; nil while the worker is alive, and for a run without a worker.
    public var processEnd: ProcessEnd? {
        exitSignal.map { .signaled(signal: $0) } ?? exitCode.map { .exited(code: $0) }
    }

    private enum CodingKeys: String, CodingKey {
        case number, run, app, intent, user, userName, entryPoint, state, outcome, reason, message, denial
        case accepted = "acceptedMilliseconds"
        case ended = "endedMilliseconds"
        case queued = "queuedMilliseconds"
        case runtime = "runtimeMilliseconds"
        case exitCode, exitSignal, usage, isolation, isImported, step, undoOf
    }
}

extension RecordedRun {
    /// True for a run that ended without success, unless a user, the run's client or a newer run cancelled it.
    public var isFailure: Bool {
        guard let outcome, outcome != EndRow.done.name else { return false }
        return outcome != EndRow.cancelled.name || Self.reasonsOfFailures.contains { $0 == reason }
    }

    /// The reasons for which a cancelled run has failed.
    package static var reasonsOfFailures: [CancellationReason] {
        CancellationReason.known.filter { $0.row.cause != .caller }
    }
}

/// The place of a run in a shortcut.
public struct StepOfShortcut: Hashable, Sendable, Codable {
    /// The run of the shortcut.
    public var shortcut: RunID
    /// The name of the step.
    public var name: String
    /// The number of the element of `ForEach=`, or of the repetition, from 0.
    public var index: Int
    /// The number of the attempt, from 1.
    public var attempt: Int

    /// Creates a place in a shortcut.
    public init(shortcut: RunID, name: String, index: Int = 0, attempt: Int = 1) {
        self.shortcut = shortcut
        self.name = name
        self.index = index
        self.attempt = attempt
    }
}

/// The resources that a run used, as the kernel accounts for them (cgroups(7)).
public struct ResourceUsage: Hashable, Sendable, Codable {
    /// Processor time in user mode.
    @Microseconds public var userTime: Duration
    /// Processor time in kernel mode.
    @Microseconds public var systemTime: Duration
    /// The peak memory use of the run, in bytes; nil when the kernel does not report it.
    public var peakMemoryByteCount: Int64?

    /// The total processor time, in user and kernel mode.
    public var processorTime: Duration { userTime + systemTime }

    /// Creates a resource summary.
    public init(userTime: Duration, systemTime: Duration, peakMemoryByteCount: Int64?) {
        self.userTime = userTime
        self.systemTime = systemTime
        self.peakMemoryByteCount = peakMemoryByteCount
    }

    private enum CodingKeys: String, CodingKey {
        case userTime = "userMicroseconds"
        case systemTime = "systemMicroseconds"
        case peakMemoryByteCount
    }
}
