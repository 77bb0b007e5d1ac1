import IntentLinux

/// Implements `intentctl retry RUN...`, which performs the intents of recorded runs again.
struct RetryCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        var runs: [RunID] = []
        for word in invocation.words { runs.append(try Invocation.run(word)) }
        let connection = try await invocation.connect()
        guard runs.count == 1 else {
            guard invocation.rest.isEmpty else {
                throw CommandFailure.usage(
                    "'\(invocation.rest[0])' cannot be passed to \(runs.count) runs",
                    hint: "retry one run with new values, or several runs with their recorded values"
                )
            }
            return try await Retries(wantsJSON: invocation.wantsJSON).start(runs, over: connection)
        }
        let story = try await connection.story(of: runs[0])
        try Self.check(story)
        return try await RunCommand(invocation, retrying: story).retry(over: connection)
    }

    /// - Throws: ``CommandFailure`` if the run belongs to another user or has not ended.
    static func check(_ story: RunStory) throws(CommandFailure) {
        let run = story.summary
        try checkOwner(of: story, "a retry", hint: "ask its owner to retry it")
        guard run.outcome != nil else {
            throw .usage("run \(run.run) has not ended", hint: "cancel it first: intentctl cancel \(run.run)")
        }
    }

    /// - Throws: ``CommandFailure`` if the run belongs to another user.
    static func checkOwner(of story: RunStory, _ newRun: String, hint: String) throws(CommandFailure) {
        let run = story.summary
        guard run.user != Users.own else { return }
        throw CommandFailure(
            .notPermitted,
            "run \(run.run) belongs to \(run.userName ?? Users.name(run.user)), but \(newRun) would belong to you",
            hint: hint + ", or perform the intent with 'intentctl run'"
        )
    }
}

/// Retries several runs. The new runs continue without this client.
struct Retries {
    var wantsJSON: Bool
    /// True if each run is retried at most once. A repeated request then finds the earlier retry.
    var startsOnce = false

    /// Retries each run, and prints the identifiers of the run and of its retry. Returns the exit code of the first run
    /// that could not be retried.
    func start(_ runs: [RunID], over connection: IntentConnection) async throws -> ExitCode {
        var code = ExitCode.done
        var documents: [JSONValue] = []
        for run in runs {
            do {
                let retry = try await start(run, over: connection)
                documents.append(JSONValue(["run": retry, "retryOf": run]))
                if !wantsJSON { try Console.output("\(run) → \(retry)") }
            } catch {
                guard let failure = (error as? IntentClientError).map(CommandFailure.init) ?? error as? CommandFailure,
                    failure.exitCode != .unavailable
                else { throw error }
                documents.append(.object(["retryOf": .string(run.text), "error": .string(failure.message)]))
                Console.note(SafeText.printed("\(run): \(failure.message)"))
                if code == .done { code = failure.exitCode }
            }
        }
        if wantsJSON { try Console.output(.object(["retries": .array(documents)])) }
        return code
    }

    private func start(_ run: RunID, over connection: IntentConnection) async throws -> RunID {
        let story = try await connection.story(of: run)
        try RetryCommand.check(story)
        let app = try await connection.app(named: story.summary.app)
        let intent = try Selection.find(story.summary.intent, in: app)
        let recorded = try RecordedInputs(story, for: intent)
        try recorded.check()
        var request = PerformRequest(
            app: app.name,
            intent: intent.name,
            values: recorded.values,
            onDisconnect: .continue,
            locale: CallerLocale.identifier
        )
        request.entryPoint = .commandLine
        request.key = startsOnce ? "retry-of-\(run)" : nil
        request.retryOf = run
        return try await connection.perform(request).id
    }
}
