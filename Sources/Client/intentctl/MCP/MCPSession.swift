import Glibc
import IntentLinux
import IntentMCP

/// Carries out the actions of `MCPServer`: reads and writes lines, and sends requests to intentd.
actor MCPSession {
    let connection: IntentConnection
    private let roots: FileRoots
    private let tables: ToolTables
    /// Passes a message to the client.
    private let output: @Sendable (String) -> Void
    private let start = ContinuousClock.now
    private var server: MCPServer
    /// The runs that this process requested and that have not ended.
    private(set) var runs: [RunID: IntentRun] = [:]
    /// The runs that this process requested and that have ended. Only the newest are kept, newest last.
    private(set) var endedRuns: [RunID] = []
    private static let endedRunLimit = 1000
    private var cancellations: [Task<Void, Never>] = []
    private var alarm: Task<Void, Never>?
    private var hasEnded = false
    private var ending: CheckedContinuation<Void, Never>?

    init(
        over connection: IntentConnection,
        roots: FileRoots,
        tables: ToolTables,
        answerAfter: Duration?,
        // Ignore a failure. If the client has exited, the end of the input follows.
        output: @escaping @Sendable (String) -> Void = { try? Console.output($0) }
    ) {
        self.connection = connection
        self.output = output
        self.roots = roots
        self.tables = tables
        server = MCPServer(
            version: IntentConnection.softwareVersion,
            start: Moment.now,
            answerAfter: answerAfter,
            recent: tables.recent,
            tools: { tables.table(for: $0) }
        )
    }

    /// Serves requests until the client closes standard input.
    ///
    /// - Parameter first: The line that has been read already.
    func serve(
        _ first: InputLines.Line,
        _ lines: inout AsyncStream<InputLines.Line>.Iterator,
        _ input: InputLines
    ) async throws {
        var next: InputLines.Line? = first
        while let line = next {
            receive(line)
            input.next()
            next = await lines.next(isolation: self)
        }
        await finish()
    }

    func receive(_ line: InputLines.Line) {
        switch line {
        case .text(let bytes): handle(.line(bytes))
        case .tooLong: handle(.lineTooLong)
        }
    }

    /// The client sends no more messages. Waits until the runs of its open calls are cancelled.
    func finish() async {
        handle(.inputEnded)
        if !hasEnded { await withCheckedContinuation { ending = $0 } }
        await finishCancelling()
    }

    /// Waits up to 800 ms for the cancelled runs to end, so that intentd receives the cancel requests. A run can use
    /// its grace period after this process has exited.
    private func finishCancelling() async {
        let waiting = cancellations
        guard !waiting.isEmpty else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for task in waiting { await task.value } }
            group.addTask { try? await Task.sleep(for: .milliseconds(800)) }
            await group.next()
            group.cancelAll()
            // Do not wait for the remaining tasks, because the process exits.
            for task in waiting { task.cancel() }
        }
    }

    private func handle(_ event: MCPServer.Event) {
        for action in server.handle(event, at: start.duration(to: .now)) { perform(action) }
    }

    private func perform(_ action: MCPServer.Action) {
        switch action {
        case .send(let message): output(message.text())
        case .loadApps: Task { await loadApps() }
        case .perform(let id, let request, let inputs): Task { await perform(id, request, inputs) }
        case .undo(let id, let run):
            Task { await undo(run, for: id) }
        case .press(let id, let run, let control): Task { await press(id, run, control) }
        case .watch(let run): Task { await watch(run) }
        case .cancel(let run): cancellations.append(Task { await cancel(run) })
        case .answer(let run, let question, let value): Task { await answer(run, question, value) }
        case .readResource(let id, let resource): Task { await read(resource, for: id) }
        case .listRuns(let id, let count, let unfinishedOnly): Task { await listRuns(count, unfinishedOnly, for: id) }
        case .readFile(let id, let resource, let range): Task { await read(range, of: resource, for: id) }
        case .issueTicket(let run, let question, let digest): Task { await issue(run, question, digest) }
        case .redeem(let id, let ticket, let digest): Task { await redeem(ticket, digest, for: id) }
        case .wake(let time):
            alarm?.cancel()
            let instant = start.advanced(by: time)
            alarm = Task {
                guard (try? await Task.sleep(until: instant)) != nil else { return }
                handle(.time)
            }
        case .end:
            hasEnded = true
            alarm?.cancel()
            ending?.resume()
            ending = nil
        }
    }

    // MARK: Requests to intentd

    /// The maximum number of recorded runs that are read to find the runs of agents.
    private static let readRunLimit = 2000

    private func listRuns(_ count: Int, _ unfinishedOnly: Bool, for id: RPCID) async {
        await handle(orRefused: { .refused(id, $0) }) {
            var (query, found, readCount) = (HistoryQuery(), [RecordedRun](), 0)
            query.state = unfinishedOnly ? "live" : nil
            while found.count < count, readCount < Self.readRunLimit {
                let page = try await connection.historyPage(query)
                found += page.runs.filter { $0.entryPoint == .mcp }
                readCount += page.runs.count
                guard let next = page.next else { break }
                query.before = next
            }
            return .result(id, RunList.result(found.prefix(count)))
        }
    }

    /// Handles the event that a request to intentd returns, or the refusal of the request.
    func handle(
        orRefused refusal: (ErrorReport) -> MCPServer.Event,
        _ request: () async throws -> MCPServer.Event
    ) async {
        do {
            handle(try await request())
        } catch {
            handle(refusal(ErrorReport(error)))
        }
    }

    private func loadApps() async {
        await handle(orRefused: { .appsUnavailable($0) }) {
            .apps(try await connection.apps())
        }
    }

    private func perform(_ id: RPCID, _ request: PerformRequest, _ inputs: [String: ParameterInput]) async {
        await follow(id) {
            let opened = try await self.openedFiles(inputs.values.flatMap(\.leaves))
            let open = try OpenInputs(inputs, roots: self.roots, opened: opened)
            var request = request
            request.values = open.values
            request.locale = CallerLocale.identifier
            return try await self.connection.perform(request, files: open.files)
        }
    }

    private func undo(_ run: RunID, for id: RPCID) async {
        await follow(id) {
            let undone = try await self.connection.story(of: run).summary
            guard self.tables.filter.matches(undone.intent, of: undone.app) else {
                throw ErrorReport(.notPermitted, "this server does not offer \(undone.app)/\(undone.intent)")
            }
            return try await self.connection.undo(run: run, onDisconnect: .continue)
        }
    }

    /// Performs the intent of a control in a run's snippet or, without a number, the intent that refreshes the snippet.
    private func press(_ id: RPCID, _ run: RunID, _ number: Int?) async {
        await follow(id) {
            let story = try await self.connection.story(of: run)
            // Do not check runs that this process requested, because the runs of an agent with its own uid belong to
            // the user in `For=` of `[Agents]`.
            if self.runs[run] == nil, !self.endedRuns.contains(run) {
                try RetryCommand.checkOwner(of: story, "the new run", hint: "ask its owner to press the control")
            }
            let app = try await self.connection.app(named: story.summary.app)
            let action =
                if let number { try ControlSelection.find(String(number), in: story).control.action } else {
                    try ControlSelection.source(in: story)
                }
            let intent = try ControlSelection.intent(of: action, in: app)
            guard intent.details?.isForAgents != false else {
                throw ErrorReport(.notPermitted, "the app does not offer \(app.name)/\(intent.name) to agents")
            }
            guard self.tables.filter.permits(intent, of: app.name) else {
                throw ErrorReport(.notPermitted, "this server does not offer \(app.name)/\(intent.name)")
            }
            var request = PerformRequest(
                app: app.name,
                intent: intent.name,
                values: action.values,
                onDisconnect: .continue,
                locale: CallerLocale.identifier
            )
            request.entryPoint = .mcp
            return try await self.connection.perform(request)
        }
    }

    /// Follows a new run until it ends.
    private func follow(_ id: RPCID, _ start: () async throws -> IntentRun) async {
        let run: IntentRun
        do {
            run = try await start()
        } catch {
            return handle(.refused(id, ErrorReport(error)))
        }
        runs[run.id] = run
        handle(.accepted(id, run.id))
        await follow(run.events, of: run.id) {
            self.remember(run.id)
            return try await run.result
        }
        runs[run.id] = nil
    }

    private func remember(_ run: RunID) {
        if endedRuns.count == Self.endedRunLimit { endedRuns.removeFirst() }
        endedRuns.append(run)
    }

    private func watch(_ run: RunID) async {
        do {
            let watch = try await connection.watch(run: run)
            handle(.watching(watch.start))
            await follow(watch.events, of: run) { try await watch.result }
        } catch {
            handle(.unknownRun(run, ErrorReport(error)))
        }
    }

    private func follow(_ events: RunEvents, of run: RunID, _ result: () async throws -> RunResult) async {
        do {
            for try await event in events { handle(.run(run, event)) }
            handle(.ended(EndedRun(try await result())))
        } catch {
            handle(.unknownRun(run, ErrorReport(error)))
        }
    }

    private func cancel(_ run: RunID) async {
        // The run's end follows as an event. Ignore errors, because an unknown or ended run needs no cancellation.
        if let own = runs[run] {
            _ = try? await own.cancel()
        } else {
            _ = try? await connection.cancel(run: run)
        }
    }

    private func answer(_ run: RunID, _ question: UInt64, _ value: IntentValue) async {
        do {
            try await connection.answer(value, to: question, of: run)
        } catch {
            handle(.answerRefused(run, ErrorReport(error)))
        }
    }

    private func issue(_ run: RunID, _ question: UInt64, _ digest: String) async {
        await handle(orRefused: { .answerRefused(run, $0) }) {
            .ticket(run, question: question, text: try await connection.ticket(for: question, of: run, digest: digest))
        }
    }

    private func redeem(_ ticket: String, _ digest: String, for id: RPCID) async {
        await handle(orRefused: { .refused(id, $0) }) {
            .redeemed(id, try await connection.redeem(ticket: ticket, digest: digest))
        }
    }

    private func read(_ resource: RunResource, for id: RPCID) async {
        await handle(orRefused: { .refused(id, $0) }) {
            switch resource.part {
            case .value:
                let watch = try await connection.watch(run: resource.run)
                guard watch.start.live == nil else { throw ErrorReport(.busy, "run \(resource.run) has not ended") }
                let value = try await watch.result.value ?? .null
                return .resource(id, [resource.json(Array(JSONValue(plain: value).text().utf8), "application/json")])
            case .file(let index, _):
                let file = try await self.file(index, of: resource.run)
                let contents = try file.contents(upTo: Self.resourceByteLimit)
                return .resource(id, [resource.json(contents, file.mediaType)])
            }
        }
    }

    /// The maximum size of a file that a client can read as a resource, in bytes.
    private static let resourceByteLimit: Int64 = 8 << 20
}

extension ErrorReport {
    /// Creates a report from the error of a failed request to intentd or a failed attempt to read a file.
    fileprivate init(_ error: any Error) {
        switch error {
        case let error as IntentClientError:
            self.init(error.code, error.message, hint: error.hint)
            retryAfter = error.retryAfter
        case let report as ErrorReport: self = report
        case let failure as CommandFailure: self.init(.badRequest, failure.message, hint: failure.hint)
        default: self.init(.badRequest, "\(error)")
        }
    }
}
