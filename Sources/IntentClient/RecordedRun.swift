internal import IntentWire

/// A run as the history has it, on one line.
public struct RecordedRun: Hashable, Sendable {
    /// Rises with every run of this history, and is never given twice.
    public var number: Int64
    public var run: String
    public var app: String
    public var intent: String
    /// Who asked for it, by number.
    public var user: UInt32
    /// The name of the owner's account when the run was accepted; nil where it had none. The uid may have another name now.
    public var userName: String?
    /// The way by which the wish came: `commandLine`, `socket` or `mcp`.
    public var door: String
    /// Where it is; nil when it has ended.
    public var phase: RunPhase?
    /// The kind of its outcome, such as `done`; nil when it has not ended.
    public var outcome: String?
    /// Why it was cancelled.
    public var reason: StopReason?
    /// What went wrong, in the app's words or the daemon's.
    public var message: String?
    /// When it was accepted, in milliseconds since 1970, by the clock of the wall as it was then.
    public var acceptedMilliseconds: Int64
    /// When it ended, by the same clock.
    public var endedMilliseconds: Int64?
    /// From its acceptance to its place.
    public var queued: Duration?
    /// From its place to its outcome.
    public var runtime: Duration?
    /// How its process ended.
    public var processEnd: WorkerExit?
    /// Processor time that it used.
    public var processorTime: Duration?
    /// The most memory that it had at once, in bytes.
    public var peakMemoryByteCount: Int64?
    /// How its process was isolated.
    public var isolation: WorkerIsolation.Grade?

    init(_ run: IntentWire.RecordedRun) {
        number = run.number
        self.run = run.run.text
        app = run.app
        intent = run.intent
        user = run.user
        userName = run.userName
        door = run.door.rawValue
        phase = run.state.map(RunPhase.init)
        outcome = run.outcome
        reason = run.reason.map(StopReason.init)
        message = run.message
        acceptedMilliseconds = run.accepted.millisecondsSince1970
        endedMilliseconds = run.ended?.millisecondsSince1970
        queued = run.queued
        runtime = run.runtime
        if let code = run.exitCode { processEnd = .exited(code: code) }
        if let signal = run.exitSignal { processEnd = .signaled(signal: signal) }
        processorTime = run.usage.map { .microseconds($0.userMicroseconds) + .microseconds($0.systemMicroseconds) }
        peakMemoryByteCount = run.usage?.peakMemoryByteCount
        isolation = run.isolation.map(WorkerIsolation.Grade.init)
    }
}

/// Which runs of the history are asked for: those that fit everything that is given.
public struct HistoryFilter: Hashable, Sendable {
    /// Accepted at that moment or later, in milliseconds since 1970.
    public var sinceMilliseconds: Int64?
    /// Accepted before that moment.
    public var untilMilliseconds: Int64?
    public var app: String?
    /// With or without the suffix `Intent`.
    public var intent: String?
    /// A state, an outcome, `live` or `ended`.
    public var state: String?
    /// Whose; others than the caller's own are shown to operators alone.
    public var owner: Owner

    /// Whose runs.
    public enum Owner: Hashable, Sendable {
        case caller
        case user(UInt32)
        case everybody
    }

    /// Makes a filter.
    public init(
        sinceMilliseconds: Int64? = nil,
        untilMilliseconds: Int64? = nil,
        app: String? = nil,
        intent: String? = nil,
        state: String? = nil,
        owner: Owner = .caller
    ) {
        self.sinceMilliseconds = sinceMilliseconds
        self.untilMilliseconds = untilMilliseconds
        self.app = app
        self.intent = intent
        self.state = state
        self.owner = owner
    }

    func query(count: Int?, before: Int64?) -> HistoryQuery {
        var query = HistoryQuery(
            since: sinceMilliseconds.map(Timestamp.init),
            until: untilMilliseconds.map(Timestamp.init),
            app: app,
            intent: intent,
            state: state,
            count: count,
            before: before
        )
        switch owner {
        case .caller: break
        case .user(let number): query.user = number
        case .everybody: query.everybody = true
        }
        return query
    }
}
