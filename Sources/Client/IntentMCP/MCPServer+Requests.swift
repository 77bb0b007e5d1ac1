import IntentCommandLine
import IntentLinux
import IntentProtocol

// Handles requests and notifications from the client.
extension MCPServer {
    mutating func receive(_ line: [UInt8]) {
        let message: RPCMessage
        do throws(RPCMessage.Malformed) {
            message = try RPCMessage(parsing: line)
        } catch {
            return send(error.error, to: error.id)
        }
        switch message {
        case .request(let request):
            guard open[request.id] == nil, !waitingForApps.contains(where: { $0.0.id == request.id }) else {
                return send(RPCError(.invalidRequest, "another request with this id is still open"), to: request.id)
            }
            do throws(RPCError) {
                try dispatch(request)
            } catch {
                send(error, to: request.id)
            }
        case .notification(let method, let params):
            if method == "notifications/cancelled", let id = params["requestId"].flatMap({ RPCID($0) }) { cancel(id) }
        case .response(let id, let result): receiveForm(id, result)
        }
    }

    private mutating func dispatch(_ request: RPCRequest) throws(RPCError) {
        let requestContext = try RequestContext.context(in: request.params)
        switch request.method {
        case "initialize" where requestContext == nil: return try initialize(request)
        case "ping" where requestContext == nil: return answer(request.id, era: .handshake, [:])
        default: break
        }
        let context: RequestContext
        if let requestContext {
            context = requestContext
        } else if let handshake {
            let token = request.params["_meta"]?.object?["progressToken"]
            context = RequestContext(era: .handshake, capabilities: handshake, progressToken: token)
        } else if Self.methods.contains(request.method) {
            throw RPCError(
                .invalidParams,
                "expected io.modelcontextprotocol/protocolVersion in params._meta, or 'initialize' as the first request",
                data: ["supported": .array(ProtocolEra.versions.map { .string($0) })]
            )
        } else {
            throw RPCError(.methodNotFound, "unknown method '\(WireCoding.excerpt(request.method))'")
        }
        if context.progressToken.map({ RPCID($0) == nil }) == true {
            throw RPCError(.invalidParams, "progressToken: expected \(RPCID.words)")
        }
        try dispatch(request, context)
    }

    private static let methods: Set<String> = [
        "server/discover", "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read",
        "tasks/get", "tasks/cancel", "tasks/update", "prompts/list", "prompts/get", "subscriptions/listen",
    ]

    private mutating func dispatch(_ request: RPCRequest, _ context: RequestContext) throws(RPCError) {
        switch (request.method, context.era) {
        case ("server/discover", .perRequest): discover(request.id)
        case ("tools/list", _), ("tools/call", _), ("resources/list", _), ("resources/templates/list", _),
            ("prompts/list", _), ("prompts/get", _):
            dispatchWithApps(request, context)
        case ("resources/read", _): try readResource(request, context)
        case ("tasks/get", .perRequest), ("tasks/cancel", .perRequest), ("tasks/update", .perRequest):
            try dispatchTask(request, context)
        case ("subscriptions/listen", .perRequest): try listen(request, context)
        default: throw RPCError(.methodNotFound, "unknown method '\(WireCoding.excerpt(request.method))'")
        }
    }

    // MARK: Handshake

    private mutating func initialize(_ request: RPCRequest) throws(RPCError) {
        guard let requested = request.params["protocolVersion"]?.text else {
            throw RPCError(.invalidParams, "protocolVersion: expected a string")
        }
        guard handshake == nil else { throw RPCError(.invalidRequest, "the connection is already initialized") }
        handshake = ClientCapabilities(request.params["capabilities"]?.object ?? [:])
        let known = ProtocolEra.handshakeVersions
        let version = known.contains(requested) ? requested : known[0]
        answer(
            request.id,
            era: .handshake,
            [
                "protocolVersion": .string(version),
                "capabilities": [
                    "tools": ["listChanged": true], "resources": [:], "prompts": ["listChanged": true],
                    "extensions": [ClientCapabilities.viewsExtension: [:]],
                ],
                "serverInfo": serverInfo, "instructions": .string(Self.instructions),
            ]
        )
    }

    private mutating func discover(_ id: RPCID) {
        let capabilities: JSONValue = [
            "tools": ["listChanged": true], "resources": [:], "prompts": ["listChanged": true],
            "extensions": [ClientCapabilities.tasksExtension: [:], ClientCapabilities.viewsExtension: [:]],
        ]
        answer(
            id,
            era: .perRequest,
            [
                "supportedVersions": .array(ProtocolEra.versions.map { .string($0) }), "capabilities": capabilities,
                "instructions": .string(Self.instructions), "_meta": ["io.modelcontextprotocol/serverInfo": serverInfo],
            ],
            isList: true
        )
    }

    private var serverInfo: JSONValue {
        ["name": "intentd", "title": "intentd", "version": .string(serverVersion)]
    }

    private static let instructions = """
        Each call performs an intent of an installed app in a sandbox, as a run with an identifier. Find \
        tools list the values that a parameter accepts. If a call returns before its run has ended, the run continues, \
        also after this connection has closed: intent_run_result returns its result, and intent_runs lists your runs. \
        A call that is open when the connection closes is cancelled. If a result mentions an undo, intent_undo can undo \
        the run once.
        """

    // MARK: Tools

    /// Handles a request that needs the catalogue. The first page of a list always comes from a newly loaded catalogue.
    /// Later pages and all other requests use the catalogue that was loaded last, and a call of a known tool the one of another
    /// session, because each request of a client without a handshake is a session.
    mutating func dispatchWithApps(_ request: RPCRequest, _ context: RequestContext) {
        if table == nil, request.method == "tools/call", let recent,
            request.params["name"]?.text.flatMap(recent.tool) != nil
        {
            return dispatch(request, context, recent)
        }
        if let table, !request.method.hasSuffix(utf8: "/list") || request.params["cursor"]?.text != nil {
            return dispatch(request, context, table)
        }
        guard waitingForApps.count < Self.requestLimit else {
            return send(RPCError(.internalError, "too many open requests: wait for responses"), to: request.id)
        }
        waitingForApps.append((request, context))
        if !isLoadingApps { act(.loadApps) }
        isLoadingApps = true
    }

    mutating func apply(_ apps: [AppDescription]) {
        isLoadingApps = false
        let table = tools(apps)
        noteChange(to: table)
        self.table = table
        let waiting = waitingForApps
        waitingForApps = []
        for (request, context) in waiting { dispatch(request, context, table) }
    }

    private mutating func dispatch(_ request: RPCRequest, _ context: RequestContext, _ table: ToolTable) {
        switch request.method {
        case "tools/list": list(request, context, table)
        case "resources/templates/list":
            let templates = Self.runTemplates + table.entityTemplates
            answer(request.id, era: context.era, ["resourceTemplates": .array(templates)], isList: true)
        case "resources/list":
            let views = context.capabilities.showsViews ? [SnippetView.listing] : []
            let resources = views + table.skills.map(\.resource)
            answer(request.id, era: context.era, ["resources": .array(resources)], isList: true)
        case "resources/read":
            if let skill = table.skills.first(where: { $0.uri == request.params["uri"]?.text }) {
                return answer(request.id, era: context.era, ["contents": [skill.contents]], isList: true)
            }
            readEntity(request, context, table)
        case "prompts/list":
            answer(request.id, era: context.era, ["prompts": .array(table.promptEntries)], isList: true)
        case "prompts/get": getPrompt(request, context, table)
        default: call(request, context, table)
        }
    }

    mutating func failWaiting(_ report: ErrorReport) {
        isLoadingApps = false
        appsCheck = tellsChanges ? now + Self.appsInterval : nil
        let waiting = waitingForApps
        waitingForApps = []
        for (request, _) in waiting { send(RPCError(.internalError, ToolFailure(report).text), to: request.id) }
    }

    private mutating func list(_ request: RPCRequest, _ context: RequestContext, _ table: ToolTable) {
        var start = 0
        if let cursor = request.params["cursor"], cursor != .null {
            guard let text = cursor.text, let index = Int(text), (0...table.tools.count).contains(index) else {
                return send(RPCError(.invalidParams, "unknown cursor; repeat the request without it"), to: request.id)
            }
            start = index
        }
        let page = table.page(from: start, showsViews: context.capabilities.showsViews)
        var result: [String: JSONValue] = ["tools": page.tools]
        if let next = page.next { result["nextCursor"] = .string(String(next)) }
        answer(request.id, era: context.era, result, isList: true)
    }

    /// Handles a `tools/call` request, which the server may answer later.
    private mutating func call(_ request: RPCRequest, _ context: RequestContext, _ table: ToolTable) {
        do throws(RPCError) {
            guard let name = request.params["name"]?.text else {
                throw RPCError(.invalidParams, "name: expected a string")
            }
            let arguments: [String: JSONValue]
            switch request.params["arguments"] {
            case nil, .null?: arguments = [:]
            case .object(let given)?: arguments = ToolArguments.present(given)
            case .some: throw RPCError(.invalidParams, "arguments: expected an object")
            }
            guard let tool = table.tool(named: name) else {
                let near = NearestName.of(name, among: table.tools.map(\.name)).map { "did you mean '\($0)'? " } ?? ""
                let name = SafeText.line(WireCoding.excerpt(name))
                throw RPCError(.invalidParams, "unknown tool '\(name)'; \(near)tools/list lists the tools")
            }
            guard open.count < Self.requestLimit else {
                return answer(
                    request.id,
                    era: context.era,
                    ToolResult.failure(
                        ToolFailure("too many open calls", hint: "wait for results, then call again", code: "busy")
                    )
                )
            }
            do throws(ToolFailure) {
                switch tool.action {
                case .runTool, .indexTool: try ToolArguments.check(arguments, of: tool)
                case .perform, .find: break
                }
                guard case .indexTool(let kind) = tool.action else {
                    return try call(tool, arguments, request, context)
                }
                guard kind == .call else {
                    return answer(request.id, era: context.era, try table.answer(kind, arguments))
                }
                // From here on, the call does not differ from a call of the tool itself.
                let given = ToolArguments.present(arguments["arguments"]?.members ?? [:])
                try call(try table.namedTool(in: arguments), given, request, context)
            } catch {
                answer(request.id, era: context.era, ToolResult.failure(error))
            }
        } catch {
            send(error, to: request.id)
        }
    }

    private mutating func call(
        _ tool: Tool,
        _ arguments: [String: JSONValue],
        _ request: RPCRequest,
        _ context: RequestContext
    ) throws(ToolFailure) {
        var arguments = arguments
        if case .perform(let app, let intent) = tool.action, try DryRun.remove(from: &arguments, of: intent) {
            let inputs = try ToolArguments.read(arguments, for: intent)
            return answer(request.id, era: context.era, DryRun.result(intent, of: app.name, inputs))
        }
        let digest = ArgumentDigest.of(tool: tool.name, arguments)
        var isLong = false
        let message: PerformRequest
        var inputs: [String: ParameterInput] = [:]
        switch tool.action {
        case .runTool(let kind): return try call(kind, arguments, request, context, digest)
        case .indexTool: return
        case .perform(let app, let intent):
            if try redeem(request, context, tool.name, digest, isLong: intent.traits.contains(.longRunning)) { return }
            inputs = try ToolArguments.read(arguments, for: intent)
            message = PerformRequest(app: app.name, intent: intent.name, onDisconnect: .continue)
            isLong = intent.traits.contains(.longRunning)
        case .find(let app, let intent, let parameter):
            var query = PerformRequest(app: app.name, intent: intent.name)
            query.query = try FindArguments.query(arguments, about: parameter)
            // Refuse the run's questions, because a query for options must not ask a person.
            query.answers = AnswersInAdvance(others: .refuse)
            message = query
        }
        begin(request.id, context, .call(tool: tool.name, digest: digest, isLong: isLong))
        var performed = message
        performed.entryPoint = .mcp
        if let trace = request.params["_meta"]?.object?["traceparent"]?.text, TraceContext.isValid(trace) {
            performed.traceparent = trace
        }
        start(request.id, .perform(request.id, performed, inputs: inputs))
    }

    private mutating func call(
        _ kind: RunTool,
        _ arguments: [String: JSONValue],
        _ request: RPCRequest,
        _ context: RequestContext,
        _ digest: String
    ) throws(ToolFailure) {
        if kind == .runs {
            let count = try FindArguments.wholeNumber("limit", in: arguments, 1...100) ?? 20
            begin(request.id, context, .reading)
            return act(.listRuns(request.id, count: count, unfinishedOnly: arguments["unfinished"] == .bool(true)))
        }
        if kind == .plan { return try performPlan(arguments, request, context, digest) }
        if kind == .readFile {
            guard let resource = RunResource(uri: arguments["uri"]?.text ?? "") else {
                throw ToolFailure("'uri': expected the URI of a file", hint: "a result with files contains their URIs")
            }
            let range = try FileRange.read(arguments)
            begin(request.id, context, .reading)
            return act(.readFile(request.id, resource, range))
        }
        guard let text = arguments["run"]?.text, let run = RunID(text) else {
            throw ToolFailure("'run': expected a run identifier from an earlier result")
        }
        switch kind {
        case .status: follow(run, for: request.id, context, .status)
        case .cancel:
            follow(run, for: request.id, context, .cancel)
            act(.cancel(run))
        case .result:
            let seconds = try FindArguments.wholeNumber("wait_s", in: arguments, 0...50) ?? 50
            follow(run, for: request.id, context, .result)
            open[request.id]?.due = now + .seconds(seconds)
            decide(request.id)
        case .undo:
            begin(request.id, context, .undo)
            act(.undo(request.id, run))
        case .readFile, .runs, .plan: break
        case .press, .refresh:
            var number: Int?
            if kind == .press {
                guard case .int(let given)? = arguments["control"], let exact = Int(exactly: given), exact > 0 else {
                    throw ToolFailure("'control': expected the number of a control, from 1")
                }
                number = exact
            }
            // If the client repeats the call with an answer to the run's question, do not start another run.
            if try redeem(request, context, kind.rawValue, digest, isLong: false) { return }
            begin(request.id, context, .call(tool: kind.rawValue, digest: digest, isLong: false))
            start(request.id, .press(request.id, run, control: number))
        }
    }

    // MARK: Responses

    mutating func answer(_ id: RPCID, _ result: [String: JSONValue]) {
        let era = open[id]?.context.era ?? .handshake
        close(id)
        answer(id, era: era, result)
    }

    mutating func answer(_ id: RPCID, era: ProtocolEra, _ result: [String: JSONValue], isList: Bool = false) {
        var result = result
        if era == .perRequest {
            if result["resultType"] == nil { result["resultType"] = "complete" }
            if isList {
                // Permit the client to cache the result for one minute.
                result["ttlMs"] = 60_000
                result["cacheScope"] = "private"
            }
        } else {
            result["resultType"] = nil
        }
        act(.send(["jsonrpc": "2.0", "id": id.json, "result": .object(result)]))
    }

    mutating func send(_ error: RPCError, to id: RPCID?) {
        act(.send(.members(["jsonrpc": "2.0", "id": id?.json, "error": error.json])))
    }
}
