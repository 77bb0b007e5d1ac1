internal import IntentWire

/// The daemon at a glance.
public struct ServerStatus: Hashable, Sendable {
    /// Name and version.
    public var software: String
    public var uptime: Duration
    public var runningCount: Int
    public var queuedCount: Int
    /// Runs that wait for an answer; nil where an older daemon does not tell.
    public var waitingCount: Int?
    /// Runs that ended since the daemon started.
    public var endedCount: Int
    public var appCount: Int
    /// What isolates a worker here that asks for nothing special, as found by trying.
    public var isolation: [String]
    /// How much of all isolation that is; nil where it is not known.
    public var isolationGrade: WorkerIsolation.Grade?
    /// What this host does not give, each with the reason.
    public var isolationMissing: [String]

    /// Makes a status.
    public init(
        software: String,
        uptime: Duration,
        runningCount: Int,
        queuedCount: Int,
        endedCount: Int,
        appCount: Int,
        isolation: [String],
        isolationGrade: WorkerIsolation.Grade? = nil,
        isolationMissing: [String] = []
    ) {
        self.software = software
        self.uptime = uptime
        self.runningCount = runningCount
        self.queuedCount = queuedCount
        self.endedCount = endedCount
        self.appCount = appCount
        self.isolation = isolation
        self.isolationGrade = isolationGrade
        self.isolationMissing = isolationMissing
    }
}

extension ServerStatus {
    init(_ status: DaemonStatus) {
        self.init(
            software: status.software,
            uptime: status.uptime,
            runningCount: status.runningCount,
            queuedCount: status.queuedCount,
            endedCount: status.endedCount,
            appCount: status.appCount,
            isolation: status.isolation,
            isolationGrade: status.isolationGrade.map(WorkerIsolation.Grade.init),
            isolationMissing: status.isolationMissing ?? []
        )
        waitingCount = status.waitingCount
    }
}
