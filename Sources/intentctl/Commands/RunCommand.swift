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
        let daemon = try LocalDaemon.start(executable: executable)
        let outcome: Result<ExitCode, any Error>
        do {
            let connection = try await IntentConnection.adopt(socket: daemon.socket, software: Invocation.software)
            // It ends with the connection, so the connection ends first, however the run went.
            defer { connection.close() }
            outcome = .success(try await perform(intent, of: daemon.app, over: connection))
        } catch {
            outcome = .failure(error)
        }
        let problem = daemon.wait()
        if case .failure(let error as IntentClientError) = outcome, error.code == .connectionLost {
            throw CommandFailure(
                .unavailable,
                code: error.code.rawValue,
                error.run.map { "run \($0): the private intentd ended" }
                    ?? "the private intentd ended before its answer",
                hint: (problem.map { "\($0); " } ?? "") + "what it said stands above."
            )
        }
        return try outcome.get()
    }

    private func perform(
        _ intentName: String,
        of appName: String,
        over connection: IntentConnection
    ) async throws -> ExitCode {
        let app = try await connection.app(named: appName)
        let intent = try Selection.find(intentName, in: app)
        let inputs = try readInputs(for: intent)
        var target = options.words
        if case .installed = options.target { target = ["\(app.name)/\(intent.name)"] }
        try ParameterArguments.check(inputs, for: intent, readyLine: CatalogText.readyLine(intent, target: target))
        // Before the run: a folder that cannot take the result is known now.
        let folder: ResultFolder? =
            intent.result == .file || options.outFolder != nil ? try ResultFolder(path: options.outFolder ?? ".") : nil
        let request = RunRequest(
            app: app.name,
            intent: intent.name,
            values: try inputs.mapValues(open),
            limit: options.limit,
            ceiling: options.ceiling,
            onDisconnect: options.onDisconnect
        )
        interrupts.asked()
        let run = try await connection.perform(request)
        interrupts.accepted(run)
        if options.isDetached {
            let document = JSONValue.object(["run": .string(run.id)])
            try Console.output(invocation.wantsJSON ? document.prettyText() : run.id)
            return .done
        }
        let result = try await follow(run)
        interrupts.ended()
        return try finish(result, intent, clocks(for: intent, of: app), folder)
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

    private func open(_ input: ParameterInput) throws(IntentClientError) -> RunValue {
        switch input {
        case .value(let value): value
        case .path(let path): .file(try RunFile(path: path))
        case .standardInput: .file(try RunFile(duplicating: 0, name: "stdin"))
        }
    }

    private func follow(_ run: IntentRun) async throws -> RunResult {
        var display = ProgressDisplay()
        defer { display.finish() }
        for try await update in run.updates {
            switch update {
            case .phase(.stopping, let reason?): display.note("stopping: \(SafeText.line(reason.name))")
            case .phase: continue
            case .progress(let progress): display.show(progress)
            case .output(let stream, let text): display.print(text, of: stream)
            case .ended(let result): return result
            }
        }
        throw IntentClientError(.connectionLost, "run \(run.id) has no end", run: run.id)
    }

    private func finish(
        _ result: RunResult,
        _ intent: InstalledIntent,
        _ clocks: EndSentence.Clocks,
        _ folder: ResultFolder?
    ) throws(CommandFailure) -> ExitCode {
        var value: RunValue?
        if case .done(let returned, let dialog) = result.ending {
            if let dialog { Console.note(SafeText.printed(dialog)) }
            if let returned {
                func save(_ file: RunFile) throws(CommandFailure) -> String {
                    let folder = if let folder { folder } else { try ResultFolder(path: ".") }
                    return try folder.save(file)
                }
                value = try ValueText.replacingFiles(in: ValueText.typed(returned, as: intent.result), save)
            }
        }
        if let sentence = EndSentence.of(result, clocks: clocks) { Console.note(sentence) }
        if invocation.wantsJSON {
            try Console.output(RunDocument.of(result, value: value.map(ValueText.document)).prettyText())
        } else if let value, value != .null {
            let text = ValueText.of(value)
            // A pipe gets the value as it is; a terminal none of an app's control characters.
            try Console.output(Console.outputIsTerminal ? SafeText.printed(text) : text)
        }
        return ExitCode(result.ending)
    }

    private func clocks(for intent: InstalledIntent, of app: InstalledApp) -> EndSentence.Clocks {
        EndSentence.Clocks(
            limit: options.limit ?? app.limits.runtime,
            ceiling: options.ceiling ?? (intent.isLongRunning ? app.limits.longCeiling : app.limits.ceiling),
            reportsProgress: intent.reportsProgress || intent.isLongRunning
        )
    }
}
