/// What `intentd` answers to a request, once per request.
public enum ClientAnswer: Hashable, Sendable {
    case hello(Hello)
    /// To `list`.
    case apps([AppDescription])
    /// To `describe`.
    case app(AppDescription)
    /// To `perform`: the run is on record, and its events follow.
    case accepted(run: RunID)
    /// To `cancel`: nothing of the run is left.
    case ended(RunEnd)
    /// To `watch`: the run's events follow.
    case watching(WatchedRun)
    /// To `question`.
    case asking(AskingRun)
    /// To `answer`: it was the first that fits, it is on record, and the run goes on with it.
    case answerTaken(run: RunID, question: UInt64)
    /// To `files`: they wait for the `perform` that is to have them.
    case filesTaken(count: Int)
    /// To `fetch`.
    case files(FilePart)
    /// To `discardFiles`: they are kept no longer.
    case filesDiscarded(run: RunID)
    /// To `runs`.
    case runs([LiveRun])
    /// To `status`.
    case status(DaemonStatus)
    /// To `history`.
    case history(HistoryPage)
    /// To `story`.
    case story(RunStory)
    /// To `logs`.
    case logs(LogPage)
    /// To `prune`.
    case pruned(runCount: Int)
    /// To `metrics`.
    case metrics(text: String)
    /// To `reload`: what was read holds.
    case reloaded(ReloadReport)
    /// To `upgrade`: the connection ends now, and the new program listens at the same place.
    case upgrading
    /// To any request: it failed, and nothing was changed.
    case refused(ErrorReport)
}

/// What came of reading the operator's files again.
public struct ReloadReport: Hashable, Sendable, Codable {
    /// Apps that can be used.
    public var appCount: Int
    /// Apps that cannot, each with the reason.
    public var warnings: [String]

    public init(appCount: Int, warnings: [String]) {
        self.appCount = appCount
        self.warnings = warnings
    }
}

/// An app and what it can do, or why that is not known.
public struct AppDescription: Hashable, Sendable, Codable {
    public var name: String
    public var executable: String
    /// Nil when the app could not give its catalogue.
    public var catalog: IntentCatalog?
    /// Why there is no catalogue.
    public var problem: String?
    /// The time limits of this app's runs.
    public var limits: RunLimits
    /// How its newest worker was isolated; nil when there was none.
    public var isolation: Isolation?

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

    /// The intents of the catalogue; nil when the app could not give one.
    public var intents: [IntentDeclaration]? { catalog?.intents }

    /// The intent of exactly that name, else the only one that answers to it.
    public func intent(named name: String) -> IntentDeclaration? {
        if case .intent(let intent)? = catalog?.intent(named: name) { intent } else { nil }
    }
}

/// The daemon at a glance.
public struct DaemonStatus: Hashable, Sendable, Codable {
    public var software: String
    @Milliseconds public var uptime: Duration
    public var runningCount: Int
    public var queuedCount: Int
    /// Runs that wait for an answer; nil from an older daemon.
    public var waitingCount: Int?
    /// Runs that ended since the daemon started.
    public var endedCount: Int
    public var appCount: Int
    /// What isolates a worker here that asks for nothing special, as found by trying.
    public var isolation: [String]
    /// How much of all isolation that is; nil before the launcher has said it.
    public var isolationGrade: IsolationGrade?
    /// What this host does not give, each with the reason; nil before the launcher has said it.
    public var isolationMissing: [String]?

    public init(
        software: String,
        uptime: Duration,
        runningCount: Int,
        queuedCount: Int,
        waitingCount: Int? = nil,
        endedCount: Int,
        appCount: Int,
        isolation: Isolation?
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
    }

    private enum CodingKeys: String, CodingKey {
        case software
        case uptime = "uptimeMilliseconds"
        case runningCount, queuedCount, waitingCount, endedCount, appCount, isolation, isolationGrade, isolationMissing
    }
}

/// The end of a run: what came of it, and what it took.
public struct RunEnd: Hashable, Sendable, Codable {
    public var run: RunID
    public var outcome: RunOutcome
    public var account: RunAccount
    /// How many descriptors ride with this frame: the files of the outcome's value, in order.
    public var fileCount: Int
    /// The value's files that are kept, where they are more than one frame can bring: none rides with this one, and
    /// `fetch` gives them in parts. Nil else.
    public var keptFileCount: Int?

    public init(run: RunID, outcome: RunOutcome, account: RunAccount, fileCount: Int = 0) {
        self.run = run
        self.outcome = outcome
        self.account = account
        self.fileCount = fileCount
    }

    private enum CodingKeys: String, CodingKey {
        case run, outcome, account
        case fileCount = "files"
        case keptFileCount = "keptFiles"
    }
}

/// A part of the files of a run's result.
public struct FilePart: Hashable, Sendable, Codable {
    public var run: RunID
    /// Those that ride with this frame, in order; their indices are those of the run's value.
    public var references: [FileReference]
    /// How many there are in all.
    public var totalCount: Int
    public var fileCount: Int

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
        case hello, apps, app, accepted, ended, watching, asking, answerTaken, runs, status, history, story, logs,
            pruned, metrics, reloaded, upgrading, filesTaken, files, filesDiscarded, error
    }
    private struct History: Codable { var history: HistoryPage }
    private struct Story: Codable { var story: RunStory }
    private struct Logs: Codable { var logs: LogPage }
    private struct Count: Codable { var count: Int }
    private struct Pruned: Codable { var runCount: Int }
    private struct Metrics: Codable { var text: String }
    private struct Apps: Codable { var apps: [AppDescription] }
    private struct App: Codable { var app: AppDescription }
    private struct Run: Codable { var run: RunID }
    private struct Taken: Codable {
        var run: RunID
        var question: UInt64
    }
    private struct Runs: Codable { var runs: [LiveRun] }
    private struct Status: Codable { var status: DaemonStatus }
    private struct Refusal: Codable { var error: ErrorReport }

    public init(from decoder: any Decoder) throws {
        self =
            switch try decoder.messageKind(Kind.self) {
            case .hello: .hello(try Hello(from: decoder))
            case .apps: .apps(try Apps(from: decoder).apps)
            case .app: .app(try App(from: decoder).app)
            case .accepted: .accepted(run: try Run(from: decoder).run)
            case .ended: .ended(try RunEnd(from: decoder))
            case .watching: .watching(try WatchedRun(from: decoder))
            case .asking: .asking(try AskingRun(from: decoder))
            case .answerTaken:
                try { () throws -> ClientAnswer in
                    let fields = try Taken(from: decoder)
                    return .answerTaken(run: fields.run, question: fields.question)
                }()
            case .runs: .runs(try Runs(from: decoder).runs)
            case .status: .status(try Status(from: decoder).status)
            case .history: .history(try History(from: decoder).history)
            case .story: .story(try Story(from: decoder).story)
            case .logs: .logs(try Logs(from: decoder).logs)
            case .pruned: .pruned(runCount: try Pruned(from: decoder).runCount)
            case .filesTaken: .filesTaken(count: try Count(from: decoder).count)
            case .files: .files(try FilePart(from: decoder))
            case .filesDiscarded: .filesDiscarded(run: try Run(from: decoder).run)
            case .metrics: .metrics(text: try Metrics(from: decoder).text)
            case .reloaded: .reloaded(try ReloadReport(from: decoder))
            case .upgrading: .upgrading
            case .error: .refused(try Refusal(from: decoder).error)
            }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .hello(let hello): try encoder.encodeMessage(Kind.hello, hello)
        case .apps(let apps): try encoder.encodeMessage(Kind.apps, Apps(apps: apps))
        case .app(let app): try encoder.encodeMessage(Kind.app, App(app: app))
        case .accepted(let run): try encoder.encodeMessage(Kind.accepted, Run(run: run))
        case .ended(let end): try encoder.encodeMessage(Kind.ended, end)
        case .watching(let watched): try encoder.encodeMessage(Kind.watching, watched)
        case .asking(let asking): try encoder.encodeMessage(Kind.asking, asking)
        case .answerTaken(let run, let question):
            try encoder.encodeMessage(Kind.answerTaken, Taken(run: run, question: question))
        case .runs(let runs): try encoder.encodeMessage(Kind.runs, Runs(runs: runs))
        case .status(let status): try encoder.encodeMessage(Kind.status, Status(status: status))
        case .history(let page): try encoder.encodeMessage(Kind.history, History(history: page))
        case .story(let story): try encoder.encodeMessage(Kind.story, Story(story: story))
        case .logs(let page): try encoder.encodeMessage(Kind.logs, Logs(logs: page))
        case .pruned(let count): try encoder.encodeMessage(Kind.pruned, Pruned(runCount: count))
        case .filesTaken(let count): try encoder.encodeMessage(Kind.filesTaken, Count(count: count))
        case .files(let part): try encoder.encodeMessage(Kind.files, part)
        case .filesDiscarded(let run): try encoder.encodeMessage(Kind.filesDiscarded, Run(run: run))
        case .metrics(let text): try encoder.encodeMessage(Kind.metrics, Metrics(text: text))
        case .reloaded(let report): try encoder.encodeMessage(Kind.reloaded, report)
        case .upgrading: try encoder.encodeMessage(Kind.upgrading)
        case .refused(let error): try encoder.encodeMessage(Kind.error, Refusal(error: error))
        }
    }
}
