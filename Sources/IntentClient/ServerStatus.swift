internal import IntentWire

/// The daemon at a glance.
public struct ServerStatus: Hashable, Sendable {
    /// Name and version.
    public var software: String
    public var uptime: Duration
    public var runningCount: Int
    public var queuedCount: Int
    /// Runs that ended since the daemon started.
    public var endedCount: Int
    public var appCount: Int
    /// What isolates a run here, as found by trying.
    public var isolation: [String]

    /// Makes a status.
    public init(
        software: String,
        uptime: Duration,
        runningCount: Int,
        queuedCount: Int,
        endedCount: Int,
        appCount: Int,
        isolation: [String]
    ) {
        self.software = software
        self.uptime = uptime
        self.runningCount = runningCount
        self.queuedCount = queuedCount
        self.endedCount = endedCount
        self.appCount = appCount
        self.isolation = isolation
    }
}

extension ServerStatus {
    init(_ status: DaemonStatus) {
        self.init(
            software: status.software,
            uptime: .milliseconds(status.uptimeMilliseconds),
            runningCount: status.runningCount,
            queuedCount: status.queuedCount,
            endedCount: status.endedCount,
            appCount: status.appCount,
            isolation: status.isolation
        )
    }
}
