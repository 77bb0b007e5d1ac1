import Dispatch
import IntentClient

/// `intentctl run`
struct RunCommand {
    private let invocation: Invocation
    private let options: RunOptions
    private let interrupts = Interrupts()

    init(_ invocation: Invocation) throws(CommandFailure) {
        self.invocation = invocation
        self.options = try RunOptions(invocation)
    }

    func perform() async throws -> ExitCode {
        let interruptSource = interrupts.listen()
        defer { interruptSource.cancel() }
        switch options.target {
        case .installed(let app, let intent):
            return try await perform(intent, of: app, over: try await invocation.connect())
        case .local(let executable, let intent):
            return try await performLocally(executable, intent)
        }
    }

    /// The same over a connection to an intentd of our own.
    private func performLocally(_ executable: String, _ intent: String) async throws -> ExitCode {
        // Where nobody can be asked here, somebody may answer from elsewhere.
        let isReachable = !options.asksNothing && !QuestionPrompt.isPossible
        return try await LocalDaemon.with(executable, isReachable: isReachable) { connection, app, socket in
            try await perform(intent, of: app, over: connection, at: socket)
        }
    }

    private func perform(
        _ intentName: String,
        of appName: String,
        over connection: IntentConnection,
        at socket: String? = nil
    ) async throws -> ExitCode {
        let app = try await connection.app(named: appName)
        let intent = try Selection.find(intentName, in: app)
        let inputs = try readInputs(for: intent)
        var target = options.words
        if case .installed = options.target { target = ["\(app.name)/\(intent.name)"] }
        try ParameterArguments.check(inputs, for: intent, readyLine: CatalogText.readyLine(intent, target: target))
        // Before the run: a folder that cannot take the result is known now.
        let folder: ResultFolder? =
            intent.result?.element == .file || options.outFolder != nil
            ? try ResultFolder(path: options.outFolder ?? ".") : nil
        var request = RunRequest(
            app: app.name,
            intent: intent.name,
            values: try open(inputs, for: intent),
            limit: options.limit,
            ceiling: options.ceiling,
            onDisconnect: options.onDisconnect,
            locale: CallerLocale.identifier
        )
        request.door = .commandLine
        request.isInteractive = Console.errorIsTerminal && !options.isDetached
        request.name = options.key
        request.retryOf = options.retryOf
        // One that somebody's environment has is passed on as far as it is one.
        request.traceparent = options.traceparent ?? TraceParent.ofEnvironment
        let mayAsk =
            !options.asksNothing && !inputs.values.contains { $0.takesStandardInput } && QuestionPrompt.isPossible
        request.answers = RunRequest.AnswersInAdvance(
            values: try ParameterArguments.answers(options, for: intent),
            confirmations: options.confirmations,
            // Nobody else reaches a private intentd without a socket.
            refusesOthers: options.asksNothing || (options.isLocal && socket == nil && !mayAsk)
        )
        interrupts.asked()
        let run = try await connection.perform(request)
        interrupts.accepted(run)
        if options.isDetached {
            let document = JSONValue.object(["run": .string(run.id)])
            try Console.output(invocation.wantsJSON ? document.prettyText() : run.id)
            return .done
        }
        let result = try await RunDisplay.follow(
            run.updates,
            of: run.id,
            mayAsk ? .ask { try await run.answer($0, to: $1) } : .tell,
            at: socket
        )
        interrupts.ended()
        let code = try RunConclusion(
            intent: intent,
            clocks: clocks(for: intent, of: app),
            files: .save(in: folder),
            wantsJSON: invocation.wantsJSON
        ).conclude(result)
        // Of a run that would have gone on without us, the files are kept until we say that we have them. Whatever is
        // wrong with that, they go in their time.
        if request.onDisconnect == .continue, folder != nil { try? await connection.discardFiles(of: run.id) }
        return code
    }

    private func readInputs(for intent: InstalledIntent) throws(CommandFailure) -> [String: ParameterInput] {
        guard let text = options.json else { return try ParameterArguments.parse(invocation, for: intent) }
        let bytes = text == "-" ? try StandardInput.readAll() : Array(text.utf8)
        guard let json = JSONValue(parsing: bytes) else {
            throw CommandFailure(
                .badInput,
                code: "badJSON",
                text == "-" ? "standard input is not JSON" : "the value of --json is not JSON",
                hint: "for example: --json '{\"name\": \"value\"}'"
            )
        }
        return try ParameterArguments.parse(json: json, for: intent)
    }

    private func open(_ inputs: [String: ParameterInput], for intent: InstalledIntent) throws -> [String: RunValue] {
        let writable = try ParameterArguments.writable(options.writable, in: inputs, for: intent)
        var values: [String: RunValue] = [:]
        for (name, input) in inputs {
            values[name] = try open(input, for: writable.contains(name) ? .readingAndWriting : .reading)
        }
        return values
    }

    private func open(_ input: ParameterInput, for access: RunFile.Access) throws(IntentClientError) -> RunValue {
        switch input {
        case .value(let value): value
        case .path(let path): .file(try RunFile(path: path, access: access))
        case .standardInput: .file(try RunFile(duplicating: 0, name: "stdin"))
        case .list(let elements):
            .array(try elements.map { (input) throws(IntentClientError) in try open(input, for: access) })
        }
    }

    private func clocks(for intent: InstalledIntent, of app: InstalledApp) -> EndSentence.Clocks {
        EndSentence.Clocks(
            limit: options.limit ?? app.limits.runtime,
            ceiling: options.ceiling ?? (intent.isLongRunning ? app.limits.longCeiling : app.limits.ceiling),
            reportsProgress: intent.reportsProgress || intent.isLongRunning
        )
    }
}
