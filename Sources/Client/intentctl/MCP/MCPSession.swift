import Glibc
import IntentLinux
import IntentMCP

/// Carries out the actions of `MCPServer`: reads and writes lines, and sends requests to intentd.
actor MCPSession {
    private let connection: IntentConnection
    private let roots: FileRoots
    private let filter: ToolFilter
    private let start = ContinuousClock.now
    private var server: MCPServer
    /// The runs that this process requested and that have not ended.
    private var runs: [RunID: IntentRun] = [:]
    /// The runs that this process requested and that ended with a snippet. Only the newest are kept, newest last.
    private var showingRuns: [RunID] = []
    private static let showingRunLimit = 1000
    private var cancellations: [Task<Void, Never>] = []
    private var alarm: Task<Void, Never>?
    private var hasEnded = false
    private var ending: CheckedContinuation<Void, Never>?

    init(over connection: IntentConnection, roots: FileRoots, filter: ToolFilter) {
        self.connection = connection
        self.roots = roots
        self.filter = filter
        server = MCPServer(version: IntentConnection.softwareVersion, start: Moment.now, filter: filter)
    }

    /// Serves requests until the client closes standard input.
    func serve() async throws {
        let input = try InputLines()
        for await line in input.lines {
            switch line {
            case .text(let bytes): handle(.line(bytes))
            case .tooLong: handle(.lineTooLong)
            }
            input.next()
        }
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
        case .send(let message):
            // Ignore a failure. If the client has exited, the end of the input follows.
            try? Console.output(message.text())
        case .loadApps: Task { await loadApps() }
        case .perform(let id, let request, let inputs): Task { await perform(id, request, inputs) }
        case .undo(let id, let run):
            Task { await undo(run, for: id) }
        case .press(let id, let run, let control): Task { await press(id, run, control) }
        case .watch(let run): Task { await watch(run) }
        case .cancel(let run): cancellations.append(Task { await cancel(run) })
        case .answer(let run, let question, let value): Task { await answer(run, question, value) }
        case .readResource(let id, let resource): Task { await read(resource, for: id) }
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
            ending?.resume()
            ending = nil
        }
    }

    // MARK: Requests to intentd

    /// Handles the event that a request to intentd returns, or the refusal of the request.
    private func handle(
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
        await handle(orRefused: { .appsUnavailable($0) }) { .apps(try await connection.apps()) }
    }

    private func perform(_ id: RPCID, _ request: PerformRequest, _ inputs: [String: ParameterInput]) async {
        await follow(id) {
            let open = try OpenInputs(inputs, roots: self.roots)
            var request = request
            request.values = open.values
            request.locale = CallerLocale.identifier
            return try await self.connection.perform(request, files: open.files)
        }
    }

    private func undo(_ run: RunID, for id: RPCID) async {
        await follow(id) {
            let undone = try await self.connection.story(of: run).summary
            guard self.filter.matches(undone.intent, of: undone.app) else {
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
            if self.runs[run] == nil, !self.showingRuns.contains(run) {
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
            guard self.filter.permits(intent, of: app.name) else {
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
            let result = try await run.result
            if result.end.account.details?.snippet != nil { self.remember(run.id) }
            return result
        }
        runs[run.id] = nil
    }

    private func remember(_ run: RunID) {
        if showingRuns.count == Self.showingRunLimit { showingRuns.removeFirst() }
        showingRuns.append(run)
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
                let files = try await connection.files(of: resource.run)
                guard files.indices.contains(index) else {
                    throw ErrorReport(.unknownRun, "run \(resource.run) has no file \(index)")
                }
                let contents = try files[index].contents(upTo: Self.resourceByteLimit)
                let type = files[index].contentType.flatMap { $0.contains(utf8: "/") ? $0 : nil }
                return .resource(id, [resource.json(contents, type)])
            }
        }
    }

    /// The maximum size of a file that a client can read as a resource, in bytes.
    private static let resourceByteLimit: Int64 = 8 << 20
}

extension EndedRun {
    fileprivate init(_ result: RunResult) {
        let references = result.value?.files ?? []
        var rest = Int64(SnippetPicture.byteLimit)
        let pictures = (result.end.account.details?.snippet?.images ?? []).compactMap { reference in
            let picture = Self.file(reference, of: result, upTo: rest)
            rest -= Int64(picture?.contents?.count ?? 0)
            return picture
        }
        self.init(
            result.end,
            reason: EndSentence.of(result.end, clocks: nil),
            files: references.compactMap { Self.file($0, of: result, upTo: ToolResultFile.embeddedByteLimit) },
            pictures: pictures
        )
    }

    /// Returns a file of a result. Includes its contents only if the file has at most `limit` bytes.
    private static func file(_ reference: FileReference, of result: RunResult, upTo limit: Int64) -> ToolResultFile? {
        guard let file = result.file(reference) else { return nil }
        let size = file.withDescriptor { descriptor in
            var status = stat()
            return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
        }
        // Ignore a read error. Without its contents, a file is shown by its name.
        let contents = size <= limit ? try? file.contents(upTo: limit) : nil
        return ToolResultFile(reference, byteCount: size, contents: contents)
    }
}

extension RunFile {
    /// Reads the contents of the file.
    ///
    /// - Throws: ``ErrorReport`` for a file that is larger than the limit or unreadable.
    fileprivate func contents(upTo limit: Int64) throws -> [UInt8] {
        try withDescriptor { descriptor throws(ErrorReport) in
            var bytes: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = pread(descriptor, &part, part.count, off_t(bytes.count))
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else {
                    throw ErrorReport(.historyUnavailable, "cannot read '\(name)': \(Errno(rawValue: errno))")
                }
                if count == 0 { return bytes }
                bytes += part.prefix(count)
                guard bytes.count <= limit else {
                    throw ErrorReport(
                        .tooLarge,
                        "'\(name)' has more than \(limit) bytes",
                        hint: "fetch it with 'intentctl fetch'"
                    )
                }
            }
        }
    }
}

extension ErrorReport {
    /// Creates a report from the error of a failed request to intentd or a failed attempt to read a file.
    fileprivate init(_ error: any Error) {
        switch error {
        case let error as IntentClientError: self.init(error.code, error.message, hint: error.hint)
        case let report as ErrorReport: self = report
        case let failure as CommandFailure: self.init(.badRequest, failure.message, hint: failure.hint)
        default: self.init(.badRequest, "\(error)")
        }
    }
}
