package import IntentCommandLine
package import IntentProtocol

/// An MCP server as a value: messages and the news of runs go in with the time, actions come out.
///
/// It serves two eras of the protocol (modelcontextprotocol.io): 2026-07-28, where each request carries its revision,
/// and the revisions with a handshake before it. Runs belong to intentd: they continue when this server ends, and
/// another one finds them by their identifiers.
package struct MCPServer {
    /// What happens outside.
    package enum Event {
        /// The client sent a line.
        case line([UInt8])
        /// The client sent more than ``lineByteLimit`` bytes without a line end.
        case lineTooLong
        /// The client closed its end.
        case inputEnded
        case apps([AppDescription])
        case appsUnavailable(ErrorReport)
        /// The run that a request asked for is recorded.
        case accepted(RPCID, RunID)
        case refused(RPCID, ErrorReport)
        case watching(WatchedRun)
        case unknownRun(RunID, ErrorReport)
        case run(RunID, RunEvent)
        case ended(EndedRun)
        /// intentd refused the answer to a question.
        case answerRefused(RunID, ErrorReport)
        /// The state to send with a question that the client will answer in another request.
        case ticket(RunID, question: UInt64, text: String)
        /// A ticket is valid, and the question is open. The ticket cannot be redeemed again.
        case redeemed(RPCID, AskingRun)
        case resource(RPCID, [JSONValue])
        /// The time of ``Action/wake(at:)`` has come.
        case time
    }

    /// What to do outside.
    package enum Action {
        case send(JSONValue)
        case loadApps
        /// Performs an intent. ``Event/accepted(_:_:)`` or ``Event/refused(_:_:)`` follows, and then the run's events.
        case perform(RPCID, PerformRequest, inputs: [String: ParameterInput])
        case undo(RPCID, RunID)
        /// Follows a run that another client or an earlier server requested.
        case watch(RunID)
        case cancel(RunID)
        case answer(RunID, question: UInt64, IntentValue)
        case issueTicket(RunID, question: UInt64, digest: String)
        case redeem(RPCID, ticket: String, digest: String)
        case readResource(RPCID, RunResource)
        case wake(at: Duration)
        case end
    }

    /// The longest line of a client, in bytes.
    package static let lineByteLimit = 16 << 20
    /// The number of requests that can be open at once.
    static let requestLimit = 1000
    /// A run that is not a task after this time becomes one, if the client can poll tasks.
    static let taskPatience = Duration.seconds(2)
    /// A call without progress notifications is answered after this time, before clients give up at 60 s.
    static let callPatience = Duration.seconds(45)
    /// How long a request waits for the question of a run that was not followed before.
    static let questionPatience = Duration.seconds(2)
    /// How long the server stays after the end of the input.
    static let endPatience = Duration.milliseconds(800)

    let serverVersion: String
    /// The time of the system's clock at the time zero of events.
    let start: Timestamp
    var handshake: ClientCapabilities?
    var handshakeVersion: String?
    var table: ToolTable?
    var isLoadingApps = false
    /// Requests that wait for the catalogue.
    var waitingForApps: [(RPCRequest, RequestContext)] = []
    var open: [RPCID: OpenRequest] = [:]
    var runs: [RunID: ObservedRun] = [:]
    /// Forms that clients with a handshake have been sent, by the identifier of the request.
    var forms: [RPCID: (run: RunID, question: UInt64)] = [:]
    var lastFormNumber: Int64 = 0
    /// The time at which the client closed its end.
    private var inputEnd: Duration?
    var actions: [Action] = []
    private var now: Duration = .zero
    private var wakeTime: Duration?

    /// - Parameter start: The time of the system's clock at the time zero of events.
    package init(version: String, start: Timestamp) {
        serverVersion = version
        self.start = start
    }

    package mutating func handle(_ event: Event, at time: Duration) -> [Action] {
        now = max(now, time)
        switch event {
        case .line(let line): receive(line)
        case .lineTooLong:
            send(RPCError(.invalidRequest, "the line is longer than \(Self.lineByteLimit) bytes"), to: nil)
        case .inputEnded: endInput()
        case .apps(let apps): apply(ToolTable(apps))
        case .appsUnavailable(let report): failWaiting(report)
        case .accepted(let id, let run): accept(id, run)
        case .refused(let id, let report): refuse(id, report)
        case .watching(let watched): observe(watched)
        case .unknownRun(let run, let report): forget(run, report)
        case .run(let run, let event): observe(event, of: run)
        case .ended(let ended): end(ended)
        case .answerRefused(let run, let report): answerRefused(run, report)
        case .ticket(let run, let question, let text): sendForm(of: run, question, state: text)
        case .redeemed(let id, let asking): redeemed(id, asking)
        case .resource(let id, let contents): answer(id, ["contents": .array(contents)])
        case .time: wakeTime = nil
        }
        passTime()
        if let inputEnd, now - inputEnd >= Self.endPatience || !waitsBeforeEnd { act(.end) }
        defer { actions = [] }
        return actions
    }

    var time: Duration { now }

    mutating func act(_ action: Action) { actions.append(action) }

    /// Decides what has become due, and asks to be woken for the next thing.
    private mutating func passTime() {
        var next: Duration?
        func consider(_ time: Duration) { next = min(next ?? time, time) }
        if let inputEnd { consider(inputEnd + Self.endPatience) }
        for id in open.keys {
            guard let due = open[id]?.due else { continue }
            if due <= now { becomeDue(id) } else { consider(due) }
        }
        for id in open.keys {
            guard var pace = open[id]?.pace, open[id]?.run != nil else { continue }
            if let notification = pace.notification(at: now) { act(.send(notification)) }
            open[id]?.pace = pace
            consider(pace.due)
        }
        // Something that is due now was given a new time, or has ended.
        guard let next, next != wakeTime else { return }
        wakeTime = next
        act(.wake(at: next))
    }

    /// Runs are on their way to be cancelled, or lists to be answered.
    private var waitsBeforeEnd: Bool {
        !waitingForApps.isEmpty || open.values.contains { $0.run == nil && $0.purpose.startsRun }
    }

    /// The input has ended: calls in the foreground are cancelled, and tasks continue.
    private mutating func endInput() {
        inputEnd = time
        waitingForApps.removeAll { !$0.0.method.hasSuffix("/list") }
        for (id, request) in open where request.purpose.startsRun {
            if let run = request.run {
                act(.cancel(run))
                open[id] = nil
            } else {
                open[id]?.isCancelled = true
            }
        }
    }
}

/// A request that has not been answered.
struct OpenRequest {
    enum Purpose {
        /// A call of an intent's tool or of a find tool. The digest identifies tool and arguments.
        case call(tool: String, digest: String, isLong: Bool)
        case undo
        case status
        case result
        case cancel
        case task
        /// The answers to a task's questions.
        case update
        case resource
        /// The resource of an entity, which a run of its query returns.
        case entity(uri: String)

        /// True when the request starts a run, which ends with the request if the client cancels it.
        var startsRun: Bool {
            switch self {
            case .call, .undo, .entity: true
            case .status, .result, .cancel, .task, .update, .resource: false
            }
        }
    }

    var context: RequestContext
    var purpose: Purpose
    var began: Duration
    /// The run, once it is known.
    var run: RunID?
    /// The time of the next decision without an event.
    var due: Duration?
    /// The time of a decision has come.
    var isOverdue = false
    var pace: ProgressPace?
    var isCancelled = false
    /// The forms that a person filled in, by the key of the question, until the question is known.
    var responses: [String: JSONValue] = [:]
}

/// A run that requests are about.
struct ObservedRun {
    var app: String
    var intent: String
    var title: String?
    var progress: ProgressReport?
    var question: OpenQuestion?
    /// The number of the question that an answer is on its way to.
    var answeredQuestion: UInt64?
    var ended: EndedRun?
    /// False until the first word of intentd about the run.
    var isKnown = false
    /// The run waits for an answer, and its question has not arrived here yet.
    var isQuestionDue = false
    /// What the run asked so far.
    var askedTexts: [String] = []
    /// The end of what the run printed.
    var printedTail = ""
    /// Why the last answer was refused.
    var refusal: String?
    /// A task that a client polls. It is kept after the end of the input.
    var isTask = false

    var began: Duration
    var changed: Duration

    static let tailLimit = 2000

    init(app: String, intent: String, at time: Duration) {
        self.app = app
        self.intent = intent
        began = time
        changed = time
    }

    var about: String { title ?? "\(app)/\(intent)" }
}
