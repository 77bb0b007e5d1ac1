/// Implements `intentctl watch RUN`, which follows a run and can answer its questions.
struct WatchCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        let connection = try await invocation.connect()
        let watch = try await connection.watch(run: try invocation.run())
        // An app that was removed, and a plan, have no description.
        let app = try? await connection.app(named: watch.start.app)
        let units = LiveStepTree.units(of: app, named: watch.start.app)
        let result = try await RunDisplay.follow(
            watch.events,
            of: watch.id,
            !invocation.has("no-input") && QuestionPrompt.isPossible
                ? .ask { try await watch.answer($0.value, files: $0.files, to: $1) } : .print,
            units: units,
            steps: units == .steps ? LiveStepTree(watch.id, over: connection) : nil
        )
        let intent = await WatchedIntent.find(watch, over: connection)
        _ = try RunConclusion(intent: intent, files: .name, wantsJSON: invocation.wantsJSON).conclude(result)
        // The exit code is 0 for every outcome of the run, because the command itself succeeded.
        return .done
    }
}

/// Implements `intentctl wait RUN`, which prints the result of a run when it ends.
struct WaitCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        let connection = try await invocation.connect()
        // Check the folder first, to report an unusable folder before the run ends.
        let folder: ResultFolder? = if let path = invocation["out"] { try ResultFolder(path: path) } else { nil }
        let watch = try await connection.watch(run: try invocation.run())
        let result = try await Self.end(of: watch)
        let intent = await WatchedIntent.find(watch, over: connection)
        let code = try RunConclusion(intent: intent, files: .save(in: folder), wantsJSON: invocation.wantsJSON)
            .conclude(result)
        if !invocation.wantsJSON { await Symbolizer.show(result.end, of: watch.start.app, over: connection) }
        return code
    }

    /// Waits until the run ends. Prints only questions and notes about their answers.
    private static func end(of watch: RunWatch) async throws -> RunResult {
        for try await event in watch.events {
            switch event {
            case .question(let question):
                if let snippet = question.question.snippet { SnippetDisplay.show(snippet, of: watch.id) }
                Console.note(QuestionText.waiting(question, of: watch.id, at: .ofCommand).joined(separator: "\n"))
            case .answered(let notice): Console.note(QuestionText.answered(notice))
            case .state, .progress, .output: continue
            case .finished: return try await watch.result
            }
        }
        return try await watch.result
    }
}

/// Finds the declaration of an intent for a run that another client requested.
enum WatchedIntent {
    /// Returns the declaration, or nil if the app was removed or cannot report its catalogue. Without a declaration,
    /// the command shows the result in a generic form.
    static func find(_ watch: RunWatch, over connection: IntentConnection) async -> IntentDeclaration? {
        try? await connection.app(named: watch.start.app).intent(named: watch.start.intent)
    }
}
