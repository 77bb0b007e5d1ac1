package import IntentCommandLine
package import IntentProtocol

/// An MCP server as a value: it receives messages and events of runs, each with the time, and returns actions.
///
/// The server supports two eras of the protocol (modelcontextprotocol.io): 2026-07-28, in which each request contains
/// its revision, and earlier revisions, which start with a handshake. Runs belong to intentd: they continue when this
/// server exits, and another server can find them by their identifiers.
package struct MCPServer {
    /// An input of the server.
    package enum Event {
        /// The client sent a line.
        case line([UInt8])
        /// The client sent more than ``lineByteLimit`` bytes without a line break.
        case lineTooLong
        /// The client closed its end of the stream.
        case inputEnded
        case apps([AppDescription])
        case appsUnavailable(ErrorReport)
        /// The run for a request has been recorded.
        case accepted(RPCID, RunID)
        case refused(RPCID, ErrorReport)
        case watching(WatchedRun)
        case unknownRun(RunID, ErrorReport)
        case run(RunID, RunEvent)
        case ended(EndedRun)
        /// intentd refused the answer to a question.
        case answerRefused(RunID, ErrorReport)
        /// The ticket for a question, to send to the client as state. The client answers the question in another
        /// request.
        case ticket(RunID, question: UInt64, text: String)
        /// A ticket was valid, and its question is open. The ticket cannot be redeemed again.
        case redeemed(RPCID, AskingRun)
        case resource(RPCID, [JSONValue])
        /// The time of ``Action/wake(at:)`` has been reached.
        case time
    }

    /// An action that the caller must carry out.
    package enum Action {
        case send(JSONValue)
        case loadApps
        /// Performs an intent. ``Event/accepted(_:_:)`` or ``Event/refused(_:_:)`` follows, and after acceptance the
        /// run's events.
        case perform(RPCID, PerformRequest, inputs: [String: ParameterInput])
        case undo(RPCID, RunID)
        /// Subscribes to a run that another client or an earlier server requested.
        case watch(RunID)
        case cancel(RunID)
        case answer(RunID, question: UInt64, IntentValue)
        case issueTicket(RunID, question: UInt64, digest: String)
        case redeem(RPCID, ticket: String, digest: String)
        case readResource(RPCID, RunResource)
        case wake(at: Duration)
        case end
    }

    /// The maximum length of a line from the client, in bytes.
    package static let lineByteLimit = 16 << 20
    /// The maximum number of open requests.
    static let requestLimit = 1000
    /// The time after which a run becomes a task, if the client can poll tasks.
    static let taskDelay = Duration.seconds(2)
    /// The time after which a call without progress notifications is answered. Clients time out after 60 s.
    static let callTimeout = Duration.seconds(45)
    /// The maximum wait for the open question of a run that was not observed before.
    static let questionTimeout = Duration.seconds(2)
    /// The maximum time between the end of the input and the exit of the server.
    static let exitTimeout = Duration.milliseconds(800)

    let serverVersion: String
    /// The wall-clock time at time zero of the events.
    let start: Timestamp
    var handshake: ClientCapabilities?
    var handshakeVersion: String?
    var table: ToolTable?
    var isLoadingApps = false
    /// Requests that wait for the catalogue.
    var waitingForApps: [(RPCRequest, RequestContext)] = []
    var open: [RPCID: OpenRequest] = [:]
    var runs: [RunID: ObservedRun] = [:]
    /// The forms sent to a client with a handshake, by the identifier of the request that contained the form.
    var forms: [RPCID: (run: RunID, question: UInt64)] = [:]
    var lastFormNumber: Int64 = 0
    /// The time at which the client closed its end of the stream.
    private var inputEnd: Duration?
    var actions: [Action] = []
    private var now: Duration = .zero
    private var wakeTime: Duration?

    /// - Parameter start: The wall-clock time at time zero of the events.
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
        processTimers()
        if let inputEnd, now - inputEnd >= Self.exitTimeout || !hasWorkBeforeExit { act(.end) }
        defer { actions = [] }
        return actions
    }

    var time: Duration { now }

    mutating func act(_ action: Action) { actions.append(action) }

    /// Handles expired timeouts, and requests a wake-up for the next one.
    private mutating func processTimers() {
        var next: Duration?
        func consider(_ time: Duration) { next = min(next ?? time, time) }
        if let inputEnd { consider(inputEnd + Self.exitTimeout) }
        for id in open.keys {
            guard let due = open[id]?.due else { continue }
            if due <= now { handleTimeout(of: id) } else { consider(due) }
        }
        for id in open.keys {
            guard var pace = open[id]?.pace, open[id]?.run != nil else { continue }
            if let notification = pace.notification(at: now) { act(.send(notification)) }
            open[id]?.pace = pace
            consider(pace.due)
        }
        // A nil time means that nothing else is scheduled.
        guard let next, next != wakeTime else { return }
        wakeTime = next
        act(.wake(at: next))
    }

    /// True while runs that must be cancelled are not yet known, or lists are not yet answered.
    private var hasWorkBeforeExit: Bool {
        !waitingForApps.isEmpty || open.values.contains { $0.run == nil && $0.purpose.startsRun }
    }

    /// Handles the end of the input: cancels the runs of open calls. Tasks continue.
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
        /// A call of an intent's tool or of a find tool. The digest identifies the tool and its arguments.
        case call(tool: String, digest: String, isLong: Bool)
        case undo
        case status
        case result
        case cancel
        case task
        /// Delivers answers to a task's questions.
        case update
        case resource
        /// Reads the resource of an entity, which the run of a query returns.
        case entity(uri: String)

        /// True when the request starts a run. If the client cancels the request, the run is cancelled too.
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
    /// The run; nil until its identifier is known.
    var run: RunID?
    /// The time of the next decision if no event occurs before it.
    var due: Duration?
    /// True when ``due`` has passed.
    var isOverdue = false
    var pace: ProgressPace?
    var isCancelled = false
    /// The completed forms, by question key, until the question is known.
    var responses: [String: JSONValue] = [:]
}

/// A run that open requests refer to.
struct ObservedRun {
    var app: String
    var intent: String
    var title: String?
    var progress: ProgressReport?
    var question: OpenQuestion?
    /// The number of the question for which an answer has been sent.
    var answeredQuestion: UInt64?
    var ended: EndedRun?
    /// True when intentd has confirmed that the run exists.
    var isKnown = false
    /// True when the run waits for an answer and the event with its question has not arrived.
    var isQuestionDue = false
    /// The texts of the run's questions so far.
    var askedTexts: [String] = []
    /// The end of the run's output.
    var printedTail = ""
    /// The reason why the last answer was rejected.
    var refusal: String?
    /// True for a task that a client polls. The run then continues after the end of the input.
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
