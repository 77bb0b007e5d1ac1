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
    /// The answer to `status`.
    case status(DaemonStatus)
    /// The answer to `history`.
    case history(HistoryPage)
    /// The answer to `story`.
    case story(RunStory)
    /// The answer to `logs`.
    case logs(LogPage)
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
    /// The app's catalogue; nil when the app did not report one.
    public var catalog: IntentCatalog?
    /// The reason why the catalogue is missing; nil when the catalogue is known.
    public var problem: String?
    /// The time limits of the app's runs.
    public var limits: RunLimits
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
        case isolationNeeds, problems, hosts, agentUsers, agentRoots, missingWeight
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
    private enum Kind: String {
        case hello, apps, app, accepted, ended, watching, asking, answerAccepted, runs, status, history, story, logs,
            pruned, imported, metrics, reloaded, upgrading, filesReceived, files, filesDiscarded, ticket, error
    }

    public init(from decoder: any Decoder) throws {
        self =
            switch try decoder.messageKind(Kind.self) {
            case .hello: .hello(try Hello(from: decoder))
            case .apps: .apps(try decoder.field(.apps))
            case .app: .app(try decoder.field(.app))
            case .accepted: .accepted(run: try decoder.field(.run))
            case .ended: .ended(try RunEnd(from: decoder))
            case .watching: .watching(try WatchedRun(from: decoder))
            case .asking: .asking(try AskingRun(from: decoder))
            case .answerAccepted:
                .answerAccepted(run: try decoder.field(.run), question: try decoder.field(.question))
            case .runs: .runs(try decoder.field(.runs))
            case .status: .status(try decoder.field(.status))
            case .history: .history(try decoder.field(.history))
            case .story: .story(try decoder.field(.story))
            case .logs: .logs(try decoder.field(.logs))
            case .pruned: .pruned(runCount: try decoder.field(.runCount))
            case .imported: .imported(try ImportReport(from: decoder))
            case .filesReceived: .filesReceived(count: try decoder.field(.count))
            case .files: .files(try FilePart(from: decoder))
            case .filesDiscarded: .filesDiscarded(run: try decoder.field(.run))
            case .ticket: .ticket(text: try decoder.field(.ticket))
            case .metrics: .metrics(text: try decoder.field(.text))
            case .reloaded: .reloaded(try ReloadReport(from: decoder))
            case .upgrading: .upgrading
            case .error: .refused(try decoder.field(.error))
            }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .hello(let hello): try encoder.encodeMessage(Kind.hello, hello)
        case .apps(let apps): try encoder.encodeMessage(Kind.apps, (.apps, apps))
        case .app(let app): try encoder.encodeMessage(Kind.app, (.app, app))
        case .accepted(let run): try encoder.encodeMessage(Kind.accepted, (.run, run))
        case .ended(let end): try encoder.encodeMessage(Kind.ended, end)
        case .watching(let watched): try encoder.encodeMessage(Kind.watching, watched)
        case .asking(let asking): try encoder.encodeMessage(Kind.asking, asking)
        case .answerAccepted(let run, let question):
            try encoder.encodeMessage(Kind.answerAccepted, (.run, run), (.question, question))
        case .runs(let runs): try encoder.encodeMessage(Kind.runs, (.runs, runs))
        case .status(let status): try encoder.encodeMessage(Kind.status, (.status, status))
        case .history(let page): try encoder.encodeMessage(Kind.history, (.history, page))
        case .story(let story): try encoder.encodeMessage(Kind.story, (.story, story))
        case .logs(let page): try encoder.encodeMessage(Kind.logs, (.logs, page))
        case .pruned(let count): try encoder.encodeMessage(Kind.pruned, (.runCount, count))
        case .imported(let report): try encoder.encodeMessage(Kind.imported, report)
        case .filesReceived(let count): try encoder.encodeMessage(Kind.filesReceived, (.count, count))
        case .files(let part): try encoder.encodeMessage(Kind.files, part)
        case .filesDiscarded(let run): try encoder.encodeMessage(Kind.filesDiscarded, (.run, run))
        case .ticket(let text): try encoder.encodeMessage(Kind.ticket, (.ticket, text))
        case .metrics(let text): try encoder.encodeMessage(Kind.metrics, (.text, text))
        case .reloaded(let report): try encoder.encodeMessage(Kind.reloaded, report)
        case .upgrading: try encoder.encodeMessage(Kind.upgrading)
        case .refused(let error): try encoder.encodeMessage(Kind.error, (.error, error))
        }
    }
}
