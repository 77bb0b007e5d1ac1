/// `intentd`'s answer to a request. Each request has one answer.
public enum ClientAnswer: Hashable, Sendable {
    /// The answer to `hello`.
    case hello(Hello)
    /// The answer to `list`.
    case apps([AppDescription])
    /// The answer to `describe`.
    case app(AppDescription)
    /// The answer to `perform`: the run has been recorded, and its events follow.
    case accepted(run: RunID)
    /// The answer to `cancel`: all processes of the run have exited.
    case ended(RunEnd)
    /// The answer to `watch`: the client is now subscribed, and the run's events follow.
    case watching(WatchedRun)
    /// The answer to `question` and to `redeem`.
    case asking(AskingRun)
    /// The answer to `answer`: the client sent the first valid answer to the question, and the run continues with it.
    case answerAccepted(run: RunID, question: UInt64)
    /// The answer to `revoke`.
    case revoked(run: RunID)
    /// The answer to `ticket`.
    case ticket(text: String)
    /// The answer to `files`: `intentd` holds the files until the `perform` request arrives.
    case filesReceived(count: Int)
    /// The answer to `fetch`.
    case files(FilePart)
    /// The answer to `discardFiles`: `intentd` has discarded the files.
    case filesDiscarded(run: RunID)
    /// The answer to `runs`.
    case runs([LiveRun])
    /// The answer to `addShortcut`: the shortcut is stored.
    case shortcutAdded(OwnShortcut)
    /// The answer to `shortcuts`.
    case shortcuts([OwnShortcut])
    /// The answer to `removeShortcut`.
    case shortcutRemoved(name: String)
    /// The answer to `status`.
    case status(DaemonStatus)
    /// The answer to `history`.
    case history(HistoryPage)
    /// The answer to `story`.
    case story(RunStory)
    /// The answer to `logs`.
    case logs(LogPage)
    /// The answer to `startFailed`.
    case startFailureNoted
    /// The answer to `prune`.
    case pruned(runCount: Int)
    /// The answer to `import`.
    case imported(ImportReport)
    /// The answer to `metrics`.
    case metrics(text: String)
    /// The answer to `reload`: the new configuration is in effect.
    case reloaded(ReloadReport)
    /// The answer to `upgrade`: the connection closes now, and the new program listens on the same socket.
    case upgrading
    /// The answer to a request that failed. The request had no effect.
    case refused(ErrorReport)
}

/// The result of reloading the operator's files.
public struct ReloadReport: Hashable, Sendable, Codable {
    /// The number of apps that can be used.
    public var appCount: Int
    /// The apps that cannot be used, each with the reason, and probable mistakes in the operator's files.
    public var warnings: [String]

    /// Creates a report.
    public init(appCount: Int, warnings: [String]) {
        self.appCount = appCount
        self.warnings = warnings
    }
}

/// An app and its intents, or the reason why the intents could not be read.
public struct AppDescription: Hashable, Sendable, Codable {
    /// The app's name.
    public var name: String
    /// The path of the app's executable.
    public var executable: String
    /// The app's catalogue; nil when the app did not report one, or when the list of apps has no room for it.
    public var catalog: IntentCatalog?
    /// The reason why the catalogue is missing; nil when the catalogue is known.
    public var problem: String?
    /// The time limits of the app's runs.
    public var limits: RunLimits
    /// The time limits of intents that have limits of their own, by the name of the intent.
    public var intentLimits: [String: RunLimits]?
    /// The settings in effect, each with the place where it is set. A list of apps omits the defaults.
    public var settings: [SettingInEffect]?
    /// The isolation of the app's most recent worker; nil until the first worker has started.
    public var isolation: Isolation?

    /// Creates a description.
    public init(
        name: String,
        executable: String,
        catalog: IntentCatalog?,
        problem: String? = nil,
        limits: RunLimits,
        isolation: Isolation? = nil
    ) {
        self.name = name
        self.executable = executable
        self.catalog = catalog
        self.problem = problem
        self.limits = limits
        self.isolation = isolation
    }

    /// True when the list of apps has no room for the catalogue. Request the app itself.
    public var isIncomplete: Bool { catalog == nil && problem == nil }

    /// The time limits of an intent's runs.
    public func limits(of intent: String) -> RunLimits { intentLimits?[intent] ?? limits }

    /// The intents in the catalogue; nil when the catalogue is missing.
    public var intents: [IntentDeclaration]? { catalog?.intents }

    /// Looks up an intent by name. Returns nil if no intent or more than one matches.
    public func intent(named name: String) -> IntentDeclaration? {
        if case .intent(let intent)? = catalog?.intent(named: name) { intent } else { nil }
    }
}

/// The daemon's counters, isolation and problems.
public struct DaemonStatus: Hashable, Sendable, Codable {
    /// The daemon's name and version.
    public var software: String
    /// The time since the daemon started.
    @Milliseconds public var uptime: Duration
    /// The number of runs that have begun, except the runs that are waiting for an answer.
    public var runningCount: Int
    /// The number of runs that are waiting in the backlog.
    public var queuedCount: Int
    /// The number of runs that are waiting for an answer; nil when the daemon is too old to report it.
    public var waitingCount: Int?
    /// The number of runs that have ended since the daemon started.
    public var endedCount: Int
    /// The number of installed apps.
    public var appCount: Int
    /// The protections of a worker without special grants. The launcher has tested each of them.
    public var isolation: [String]
    /// The isolation grade of a worker without special grants; nil until the launcher reports it.
    public var isolationGrade: IsolationGrade?
    /// The protections that this host does not support, each with the reason; nil until the launcher reports them.
    public var isolationMissing: [String]?
    /// The kinds of the missing protections, in the order of ``isolationMissing``; nil when that list is nil.
    public var isolationNeeds: [Isolation.Need]?
    /// The problems that prevent runs or weaken limits; empty without problems, nil when the daemon is too old to report
    /// them.
    public var problems: [ServiceProblem]?
    /// The hosts of the fleet, by name; nil in the status of a single daemon.
    public var hosts: [FleetHost]?
    /// The uids that are agents (`User=` in `[Agents]`), in ascending order; nil when the operator has not configured any.
    public var agentUsers: [UInt32]?
    /// The folders from which agents may pass files (`AllowRoots=`); nil when the operator has not configured any.
    public var agentRoots: [String]?
    /// The reason why runs can delay the daemon: no `CPUWeight=` of a unit is in effect for it, as text for users. Nil if
    /// a weight is in effect.
    public var missingWeight: String?
    /// The live runs with a sandbox from before a change on the host, such as a mount that their sandbox keeps busy; nil
    /// without any. Users who are not operators receive only their own.
    public var outdatedRuns: [OutdatedRun]?
    /// The approvals that also cover later requests of agents; nil without any. Users who are not operators receive
    /// those for their own runs.
    public var standingApprovals: [StandingApproval]?
    /// The time on the host's clock, for clients on another machine; nil in the status of a fleet.
    public var time: Timestamp?

    /// Creates a status.
    public init(
        software: String,
        uptime: Duration,
        runningCount: Int,
        queuedCount: Int,
        waitingCount: Int? = nil,
        endedCount: Int,
        appCount: Int,
        isolation: Isolation?,
        problems: [ServiceProblem]? = nil
    ) {
        self.software = software
        self.uptime = uptime
        self.runningCount = runningCount
        self.queuedCount = queuedCount
        self.waitingCount = waitingCount
        self.endedCount = endedCount
        self.appCount = appCount
        self.isolation = isolation?.parts ?? []
        isolationGrade = isolation?.grade
        isolationMissing = isolation?.missing
        isolationNeeds = isolation?.needs
        self.problems = problems
    }

    private enum CodingKeys: String, CodingKey {
        case software
        case uptime = "uptimeMilliseconds"
        case runningCount, queuedCount, waitingCount, endedCount, appCount, isolation, isolationGrade, isolationMissing
        case isolationNeeds, problems, hosts, agentUsers, agentRoots, missingWeight, outdatedRuns
        case standingApprovals
        case time = "timeMilliseconds"
    }
}

/// A live run with a sandbox from before a change on the host.
public struct OutdatedRun: Hashable, Sendable, Codable {
    /// The run's identifier.
    public var run: RunID
    /// The run's app.
    public var app: String
    /// The path that has changed. The run sees the file, folder or mount from before the change.
    public var path: String

    package init(run: RunID, app: String, path: String) {
        self.run = run
        self.app = app
        self.path = path
    }
}

/// The end of a run: its outcome and the facts that explain it.
public struct RunEnd: Hashable, Sendable, Codable {
    /// The run's identifier.
    public var run: RunID
    /// The run's outcome.
    public var outcome: RunOutcome
    /// The times, signals and leftover processes of the run.
    public var account: RunAccount
    /// The number of descriptors that are sent with this frame. They are the result's ``files``, in order.
    public var fileCount: Int
    /// The number of the result's files if they do not fit into one frame; nil otherwise. If it is set, the frame has
    /// no files, and the client requests them in parts with `fetch`.
    public var keptFileCount: Int?

    /// Creates the end of a run.
    public init(run: RunID, outcome: RunOutcome, account: RunAccount, fileCount: Int = 0) {
        self.run = run
        self.outcome = outcome
        self.account = account
        self.fileCount = fileCount
    }

    /// The result's files in the order of their indices: the files in its value, then the pictures in its snippet.
    public var files: [FileReference] {
        guard case .done(let value, _) = outcome else { return [] }
        return (value?.files ?? []) + (account.details?.snippet?.images ?? [])
    }

    private enum CodingKeys: String, CodingKey {
        case run, outcome, account
        case fileCount = "files"
        case keptFileCount = "keptFiles"
    }
}

/// Some of the files in a run's result.
public struct FilePart: Hashable, Sendable, Codable {
    /// The run's identifier.
    public var run: RunID
    /// The files that are sent with this frame, in order. Each reference contains the index of the file in the run's
    /// result.
    public var references: [FileReference]
    /// The number of files in the whole result.
    public var totalCount: Int
    /// The number of descriptors that are sent with this frame.
    public var fileCount: Int

    /// Creates a part.
    public init(run: RunID, references: [FileReference], totalCount: Int) {
        self.run = run
        self.references = references
        self.totalCount = totalCount
        fileCount = references.count
    }

    private enum CodingKeys: String, CodingKey {
        case run, references, totalCount
        case fileCount = "files"
    }
}

extension ClientAnswer: Codable {
    private enum CodingKeys: String, CaseName {
        case hello, apps, app, accepted, ended, watching, asking, answerAccepted, runs, status, history, story, logs,
            pruned, imported, metrics, reloaded, upgrading, filesReceived, files, filesDiscarded, ticket,
            startFailureNoted, revoked, shortcutAdded, shortcuts, shortcutRemoved
        case refused = "error"
    }

    private enum AppsCodingKeys: String, CodingKey { case _0 = "apps" }
    private enum AppCodingKeys: String, CodingKey { case _0 = "app" }
    private enum TicketCodingKeys: String, CodingKey { case text = "ticket" }
    private enum RunsCodingKeys: String, CodingKey { case _0 = "runs" }
    private enum ShortcutAddedCodingKeys: String, CodingKey { case _0 = "shortcut" }
    private enum ShortcutsCodingKeys: String, CodingKey { case _0 = "shortcuts" }
    private enum StatusCodingKeys: String, CodingKey { case _0 = "status" }
    private enum HistoryCodingKeys: String, CodingKey { case _0 = "history" }
    private enum StoryCodingKeys: String, CodingKey { case _0 = "story" }
    private enum LogsCodingKeys: String, CodingKey { case _0 = "logs" }
    private enum RefusedCodingKeys: String, CodingKey { case _0 = "error" }
}
