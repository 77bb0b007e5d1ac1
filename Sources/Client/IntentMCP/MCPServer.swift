package import IntentCommandLine
package import IntentProtocol

/// An MCP server as a state machine. It receives messages and run events, each with its time, and returns actions.
///
/// The server supports two eras of the protocol (modelcontextprotocol.io): revision 2026-07-28, in which each request
/// contains the revision, and earlier revisions, which start with a handshake. Runs belong to intentd, so they continue
/// after this server has exited, and another server can refer to them by their identifiers.
package struct MCPServer {
    /// An input to the server.
    package enum Event {
        /// The client sent this line.
        case line([UInt8])
        /// The client sent more than ``lineByteLimit`` bytes without a line break.
        case lineTooLong
        /// The client closed the server's standard input.
        case inputEnded
        case apps([AppDescription])
        case appsUnavailable(ErrorReport)
        /// intentd has accepted the run that a request started.
        case accepted(RPCID, RunID)
        case refused(RPCID, ErrorReport)
        case watching(WatchedRun)
        case unknownRun(RunID, ErrorReport)
        case run(RunID, RunEvent)
        case ended(EndedRun)
        /// intentd rejected the answer to a question.
        case answerRefused(RunID, ErrorReport)
        /// intentd issued a ticket for a question. The server sends it to the client as `requestState`, and the client
        /// returns it in a later request that answers the question.
        case ticket(RunID, question: UInt64, text: String)
        /// intentd redeemed a ticket, and its question is still open. The ticket cannot be redeemed again.
        case redeemed(RPCID, AskingRun)
        case resource(RPCID, [JSONValue])
        /// The result of a call that needs no run of its own.
        case result(RPCID, JSONValue)
        /// The time requested with ``Action/wake(at:)`` has been reached.
        case time
    }

    /// An action that the program must perform for the server.
    package enum Action {
        case send(JSONValue)
        case loadApps
        /// Perform an intent. The result is the event ``Event/accepted(_:_:)``, followed by the run's events, or the
        /// event ``Event/refused(_:_:)``.
        case perform(RPCID, PerformRequest, inputs: [String: ParameterInput])
        case undo(RPCID, RunID)
        /// Perform the intent of a control in the run's snippet or, without a number, the intent that refreshes the
        /// snippet.
        case press(RPCID, RunID, control: Int?)
        /// Subscribe to a run that another client or an earlier server requested.
        case watch(RunID)
        case cancel(RunID)
        case answer(RunID, question: UInt64, IntentValue)
        case issueTicket(RunID, question: UInt64, digest: String)
        case redeem(RPCID, ticket: String, digest: String)
        case readResource(RPCID, RunResource)
        /// List the runs that agents requested. The result is the event ``Event/result(_:_:)``.
        case listRuns(RPCID, count: Int, unfinishedOnly: Bool)
        /// Read a part of a file of a run that an agent requested. The result is the event ``Event/result(_:_:)``.
        case readFile(RPCID, RunResource, FileRange)
        case wake(at: Duration)
        case end
    }

    /// The maximum length of a line from the client, in bytes.
    package static let lineByteLimit = 16 << 20
    /// The maximum number of rejected answers to a question. A client that answers by itself would be asked for ever.
    static let refusalLimit = 3
    /// The maximum number of open requests.
    static let requestLimit = 1000
    /// The time after which a run becomes a task, if the client supports tasks.
    static let taskDelay = Duration.seconds(2)
    /// The time after which the server answers a call for which the client requested no progress notifications. Clients
    /// time out after 60 s.
    static let callTimeout = Duration.seconds(45)
    /// The time between two checks whether the apps have changed.
    package static let appsInterval = Duration.seconds(60)
    /// The maximum time for which a call with progress notifications is queued.
    static let queueTimeout = Duration.seconds(600)
    /// The maximum time to wait for the open question of a run to which the server has just subscribed.
    static let questionTimeout = Duration.seconds(2)
    /// The maximum time between the end of input and the server's exit.
    static let exitTimeout = Duration.milliseconds(800)

    let serverVersion: String
    /// Returns the tools for apps.
    let tools: @Sendable ([AppDescription]) -> ToolTable
    /// The tools that another session has loaded within ``appsInterval``. A call of one of them does not load the apps again.
    let recent: ToolTable?
    let answerAfter: Duration?
    /// The wall-clock time at which the events' clock was zero.
    let start: Timestamp
    var handshake: ClientCapabilities?
    var table: ToolTable?
    var isLoadingApps = false
    /// The time at which to find out whether the apps have changed; nil for a client that cannot be told.
    var appsCheck: Duration?
    /// The requests that are waiting for the catalogue.
    var waitingForApps: [(RPCRequest, RequestContext)] = []
    var open: [RPCID: OpenRequest] = [:]
    var queue = CallQueue()
    var runs: [RunID: ObservedRun] = [:]
    /// The open forms of a client with a handshake, keyed by the identifier of the request that contains the form.
    var forms: [RPCID: (run: RunID, question: UInt64)] = [:]
    var lastFormNumber: Int64 = 0
    /// The time at which the client closed the server's standard input; nil while the input is open.
    private var inputEnd: Duration?
    /// True after ``Action/end``. The server then still cancels the runs of calls that were open, but waits for no time.
    private var hasEnded = false
    var actions: [Action] = []
    private(set) var now: Duration = .zero
    private var wakeTime: Duration?

    /// - Parameters:
    ///   - start: The wall-clock time at which the events' clock was zero.
    ///   - answerAfter: The time after which every call is answered, even if its run continues; nil to answer
    ///     after ``callTimeout`` calls without progress notifications.
    ///   - recent: The tools that another session has loaded within ``appsInterval``; nil if no session has.
    ///   - tools: Returns the tools for apps.
    package init(
        version: String,
        start: Timestamp,
        answerAfter: Duration? = nil,
        recent: ToolTable? = nil,
        tools: @escaping @Sendable ([AppDescription]) -> ToolTable = { ToolTable($0) }
    ) {
        serverVersion = version
        self.tools = tools
        self.recent = recent
        self.answerAfter = answerAfter
        self.start = start
    }

    package mutating func handle(_ event: Event, at time: Duration) -> [Action] {
        now = max(now, time)
        switch event {
        case .line(let line): receive(line)
        case .lineTooLong:
            send(RPCError(.invalidRequest, "the line is longer than \(Self.lineByteLimit) bytes"), to: nil)
        case .inputEnded: endInput()
        case .apps(let apps): apply(apps)
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
        case .result(let id, let result): if open[id] != nil { answer(id, result.members) }
        case .time: wakeTime = nil
        }
        if let inputEnd, !hasEnded, now - inputEnd >= Self.exitTimeout || !hasWorkBeforeExit {
            hasEnded = true
            act(.end)
        }
        if !hasEnded { processTimers() }
        defer { actions = [] }
        return actions
    }

    /// Adds an action. A message passes to the client only here, so that all its text is escaped.
    mutating func act(_ action: Action) {
        guard case .send(let message) = action else { return actions.append(action) }
        actions.append(.send(Self.shown(message)))
    }

    /// Escapes all text of a message for the model and the person who read it. The identifiers that the client chose
    /// remain as they are.
    private static func shown(_ message: JSONValue) -> JSONValue {
        message.shown.keeping(["id"], of: message).keeping(["params", "progressToken"], of: message)
            .keeping(["params", "_meta", subscriptionKey], of: message)
            .keeping(["result", "_meta", subscriptionKey], of: message)
    }

    /// Handles expired timeouts and requests a wake-up for the next timeout.
    private mutating func processTimers() {
        var next: Duration?
        func consider(_ time: Duration) { next = min(next ?? time, time) }
        if let inputEnd { consider(inputEnd + Self.exitTimeout) }
        for id in open.keys {
            guard let due = open[id]?.due else { continue }
            if due <= now { handleTimeout(of: id) } else { consider(due) }
        }
        if let check = appsCheck, inputEnd == nil {
            if check <= now { checkApps() } else { consider(check) }
        }
        if let retry = queue.retryTime {
            if retry <= now { retryQueuedCall() }
            if let later = queue.retryTime { consider(max(later, now)) }
        }
        for id in open.keys {
            guard var pace = open[id]?.pace, open[id]?.run != nil || queue.contains(id) else { continue }
            if let notification = pace.notification(at: now) { act(.send(notification)) }
            open[id]?.pace = pace
            consider(pace.due)
        }
        // Request no wake-up if no timeout is pending, or if the wake-up has already been requested.
        guard let next, next != wakeTime else { return }
        wakeTime = next
        act(.wake(at: next))
    }

    /// True while the server must cancel runs with identifiers that are still unknown, or must answer list requests.
    private var hasWorkBeforeExit: Bool {
        !waitingForApps.isEmpty || open.values.contains { $0.run == nil && $0.purpose.startsRun }
    }

    /// Handles the end of input. Cancels the runs of open calls, but tasks continue.
    private mutating func endInput() {
        inputEnd = now
        endSubscriptions()
        waitingForApps.removeAll { !$0.0.method.hasSuffix(utf8: "/list") }
        for (id, request) in open where request.purpose.startsRun { cancel(id) }
    }
}

/// A request that the server has not answered yet.
struct OpenRequest {
    enum Purpose {
        /// A call to an intent's tool, to a find tool, or to a tool that presses a control or refreshes a snippet. The
        /// digest identifies the tool and its arguments.
        case call(tool: String, digest: String, isLong: Bool)
        case undo
        case status
        case result
        case cancel
        case task
        /// Passes on answers to a task's questions.
        case update
        case resource
        /// Reads a part of a file, or lists runs.
        case reading
        /// Reads an entity's resource, which the app returns as the value of a query.
        case entity(uri: String)
        /// Waits for changes of the lists until the client or the server ends the subscription.
        case subscription(Set<ChangingList>)

        /// True if the request starts a run. If the client cancels the request, the server cancels the run.
        var startsRun: Bool {
            switch self {
            case .call, .undo, .entity: true
            case .status, .result, .cancel, .task, .update, .resource, .reading, .subscription: false
            }
        }

        /// The lists of which a subscription reports changes; nil for other requests.
        var lists: Set<ChangingList>? { if case .subscription(let lists) = self { lists } else { nil } }
    }

    var context: RequestContext
    var purpose: Purpose
    var began: Duration
    /// The run that the request concerns; nil until its identifier is known.
    var run: RunID?
    /// The time at which to check the request again, unless an event causes a check earlier; nil to wait for an event.
    var due: Duration?
    /// True after ``due`` has passed.
    var isOverdue = false
    var pace: ProgressPace?
    var isCancelled = false
    /// The action that starts the run of a call, to repeat it if intentd has no room for the run.
    var start: MCPServer.Action?
    /// The replies to forms that the request contains, keyed by question. They are kept until the question is known.
    var responses: [String: JSONValue] = [:]
}

/// A run to which open requests refer.
struct ObservedRun {
    var app: String
    var intent: String
    var title: String?
    var progress: ProgressReport?
    var question: OpenQuestion?
    /// The number of the last question that this server has answered; nil if intentd rejected the answer.
    var answeredQuestion: UInt64?
    var ended: EndedRun?
    /// True after intentd has confirmed that the run exists.
    var isKnown = false
    /// True if the run is waiting for an answer, but the server has not received the event with its question yet.
    var isQuestionDue = false
    /// The questions that the run has asked so far.
    var askedQuestions: [String] = []
    /// The end of the run's output.
    var printedTail = ""
    /// The reason why intentd or the form rejected the last answer; nil if the answer was not rejected.
    var refusal: String?
    /// How many answers to the open question intentd or the form has rejected.
    var refusalCount = 0
    /// True if a client polls the run as a task. The run then continues after the end of input.
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

extension JSONValue {
    /// Replaces the member at a path of keys by the member of another object, if that has one.
    fileprivate func keeping(_ path: ArraySlice<String>, of original: JSONValue) -> JSONValue {
        guard let key = path.first, let member = original.members[key] else { return self }
        let kept = path.count == 1 ? member : (members[key] ?? member).keeping(path.dropFirst(), of: member)
        return adding([key: kept])
    }
}
