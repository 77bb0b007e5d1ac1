import Dispatch
import IntentConfiguration
import IntentLinux

/// Implements `intentctl run` and `intentctl learn`, and `intentctl retry` with one run.
struct RunCommand {
    private let invocation: Invocation
    private let options: RunOptions
    /// The run to retry; nil for a first attempt.
    private let retried: RunStory?
    private let interrupts = Interrupts()

    init(_ invocation: Invocation, retrying story: RunStory? = nil) throws(CommandFailure) {
        self.invocation = invocation
        retried = story
        options = try RunOptions(
            invocation,
            target: story.map { .installed(app: $0.summary.app, intent: $0.summary.intent) }
        )
    }

    /// Performs the intent of the retried run again.
    func retry(over connection: IntentConnection) async throws -> ExitCode {
        guard let run = retried?.summary else { preconditionFailure("no run to retry") }
        let interruptSource = interrupts.listen()
        defer { interruptSource?.cancel() }
        return try await perform(run.intent, of: run.app, over: connection)
    }

    func perform() async throws -> ExitCode {
        if invocation.has("failed-start") {
            return try await FailedStart.report(options) { try await invocation.connect() }
        }
        let interruptSource = interrupts.listen()
        defer { interruptSource?.cancel() }
        switch options.target {
        case .installed(let app, let intent):
            let connection = try await invocation.connect()
            do {
                return try await perform(intent, of: app, over: connection)
            } catch {
                await report(error, of: intent, app, over: connection)
                throw error
            }
        case .local(let executable, let intent):
            return try await performLocally(executable, intent)
        }
    }

    /// Reports to `[Notify]` that a schedule's start did not result in a run, unless systemd repeats the start.
    private func report(_ error: any Error, of intent: String, _ app: String, over connection: IntentConnection) async {
        let failure = CommandFailure(of: error)
        guard let key = options.key, ScheduleKey.name(in: key) != nil, !interrupts.hasRun,
            ![.unavailable, .tryLater].contains(failure.exitCode)
        else { return }
        let report = StartFailure(app: app, intent: intent, key: key, message: failure.message)
        // The command fails with the first error in any case.
        try? await connection.reportStartFailure(report)
    }

    /// Performs the intent over a connection to a private intentd.
    private func performLocally(_ executable: String, _ intent: String) async throws -> ExitCode {
        // With --socket, the private intentd listens on a socket, where other clients can answer questions.
        let socket = options.asksNothing ? nil : invocation["socket"]
        let waitsForDebugger = invocation.has("wait-for-debugger")
        return try await LocalDaemon.with(
            executable,
            // The run of a debugger starts only when the debugger is attached, so its worker is not urgent.
            for: waitsForDebugger ? .description : .run,
            socket: socket,
            waitsForDebugger: waitsForDebugger
        ) { connection, app in
            try await perform(intent, of: app, over: connection, at: socket)
        }
    }

    private func perform(
        _ intentName: String,
        of appName: String,
        over connection: IntentConnection,
        at socket: String? = nil
    ) async throws -> ExitCode {
        let app = try await connection.app(named: appName).inCallersLanguage
        let intent = try Selection.find(intentName, in: app)
        if invocation.rest == ["--help"], ParameterName.find("help", in: intent) == nil {
            try Console.output(CatalogText.describe(intent, of: app))
            return .done
        }
        var inputs = try readInputs(for: intent)
        let asksForValues = !options.asksNothing && QuestionPrompt.isPossible
        if let retried {
            var recorded = try RecordedInputs(retried, for: intent, given: inputs)
            if asksForValues { try recorded.ask() }
            try recorded.check()
            inputs = recorded.inputs
        }
        if asksForValues {
            try await MissingValues.ask(&inputs, for: intent) { parameter, inputs in
                await OptionsCommand.suggestions(for: parameter, of: intent, in: app, given: inputs, over: connection)
            }
        }
        var target = options.words
        if case .installed = options.target { target = ["\(app.name)/\(intent.name)"] }
        let readyLine = CatalogText.readyLine(intent, target: target)
        try CommandFailure.mapping(try ParameterOptions.check(inputs, for: intent, readyLine: readyLine))
        if invocation.has("dry-run") {
            try await DryRun(app: app, intent: intent, inputs: inputs).print(for: invocation, over: connection)
            return .done
        }
        // Check the folder before requesting the run, so that no run starts if intentctl cannot save its result.
        let folder: ResultFolder? =
            intent.result?.element == .file || options.outFolder != nil
            ? try ResultFolder(path: options.outFolder ?? ".") : nil
        let writable = try ParameterArguments.writable(options.writable, in: inputs, for: intent)
        let files = try OpenInputs(inputs, writable: writable)
        var request = PerformRequest(
            app: app.name,
            intent: intent.name,
            values: files.values,
            limit: options.limit,
            ceiling: options.ceiling,
            onDisconnect: options.onDisconnect,
            locale: CallerLocale.identifier
        )
        request.entryPoint = .commandLine
        request.isInteractive = (Console.errorIsTerminal && !options.isDetached).trueOrNil
        request.key = options.key
        request.retryOf = try options.retryOf.map { (word) throws(CommandFailure) in try Invocation.run(word) }
        if let retried { request.retryOf = retried.summary.run }
        // Ignore an invalid value in the environment. An invalid value on the command line is an error.
        request.traceparent = options.traceparent ?? TraceParent.ofEnvironment
        let mayAsk =
            !options.asksNothing && !inputs.values.contains { $0.readsStandardInput } && QuestionPrompt.isPossible
        let answers = try ParameterArguments.answers(options, for: intent)
        // Refuse questions that no client could answer: other clients cannot reach a private intentd without a socket.
        let refusesOthers = options.asksNothing || (options.isLocal && socket == nil && !mayAsk)
        request.answers = AnswersInAdvance(
            values: answers.isEmpty ? nil : answers,
            confirmations: options.confirmations,
            others: refusesOthers ? .refuse : nil
        )
        for note in options.reductions(by: app.limits(of: intent.name)) { Console.note(note) }
        interrupts.requestSent()
        let run = try await connection.perform(request, files: files.files)
        interrupts.accepted(run)
        if Console.errorIsJournal { Console.note(SafeText.line("run \(run.id): \(app.name)/\(intent.name)")) }
        if options.isDetached {
            try invocation.output(json: JSONValue(["run": run.id]), text: run.id.text)
            return .done
        }
        let units = LiveStepTree.units(of: app, named: app.name)
        let result = try await RunDisplay.follow(run, mayAsk: mayAsk, at: socket, units: units)
        interrupts.ended()
        let code = try await RunConclusion(
            intent: intent,
            clocks: clocks(for: intent, of: app),
            files: .save(in: folder),
            wantsJSON: invocation.wantsJSON,
            isKept: !options.isLocal
        ).conclude(result, over: connection)
        if invocation.command == .learn {
            for line in LearnedSettings.lines(result.end.account.details) { Console.note(SafeText.line(line)) }
        }
        if !invocation.wantsJSON { await Symbolizer.show(result.end, of: app.name, over: connection) }
        return code
    }

    private func readInputs(for intent: IntentDeclaration) throws(CommandFailure) -> [String: ParameterInput] {
        let given = try readGivenInputs(for: intent)
        return try ParameterArguments.credentials(options.credentials, for: intent) { name throws(CommandFailure) in
            try Self.credential(name)
        }.merging(given) { $1 }
    }

    /// Reads a credential that systemd passes to this service (`LoadCredential=`).
    private static func credential(_ name: String) throws(CommandFailure) -> String {
        let folder = environmentText("CREDENTIALS_DIRECTORY")
        guard let folder, let bytes = try? File.bytes(at: "\(folder)/\(name)", limit: CredentialSource.byteLimit)
        else {
            throw .usage(
                "--credential \(name): systemd has passed no credential with this name",
                hint: "start intentctl in a unit with LoadCredential=\(name):PATH"
            )
        }
        return CredentialSource.secret(in: bytes)
    }

    private func readGivenInputs(for intent: IntentDeclaration) throws(CommandFailure) -> [String: ParameterInput] {
        guard let text = options.json else { return try ParameterArguments.parse(invocation, for: intent) }
        let bytes = text == "-" ? try StandardInput.readAll() : Array(text.utf8)
        guard let json = JSONValue(parsing: bytes) else {
            throw CommandFailure.badJSON(text == "-" ? "standard input is not JSON" : "the value of --json is not JSON")
        }
        return try ParameterArguments.parse(json: json, for: intent)
    }

    private func clocks(for intent: IntentDeclaration, of app: AppDescription) -> EndSentence.Clocks {
        EndSentence.Clocks(
            limit: options.limit ?? app.limits(of: intent.name).runtime,
            ceiling: options.ceiling
                ?? (intent.traits.contains(.longRunning)
                    ? app.limits(of: intent.name).longCeiling : app.limits(of: intent.name).ceiling),
            reportsProgress: intent.traits.contains(.progressReporting) || intent.traits.contains(.longRunning)
        )
    }
}
