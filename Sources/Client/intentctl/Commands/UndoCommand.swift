import Dispatch

/// Implements `intentctl undo RUN`, which starts a run of the undo intent and follows it.
struct UndoCommand {
    let invocation: Invocation
    private let interrupts = Interrupts()

    func perform() async throws -> ExitCode {
        let interruptSource = interrupts.listen()
        defer { interruptSource?.cancel() }
        // Check the folder before requesting the run, so that no run starts if intentctl cannot save its result.
        let folder: ResultFolder? = if let path = invocation["out"] { try ResultFolder(path: path) } else { nil }
        let connection = try await invocation.connect()
        interrupts.requestSent()
        let undone = try invocation.run()
        let run = try await connection.undo(run: undone, isInteractive: Console.errorIsTerminal)
        interrupts.accepted(run)
        Console.note("run \(run.id) undoes run \(undone)")
        let mayAsk = !invocation.has("no-input") && QuestionPrompt.isPossible
        let app = try? await connection.story(of: undone).summary.app
        let units = LiveStepTree.units(of: try? await connection.app(named: app ?? ""), named: app ?? "")
        let result = try await RunDisplay.follow(run, mayAsk: mayAsk, units: units)
        interrupts.ended()
        // An undo with a late result took effect, but does not count as a success.
        if ExitCode(result.outcome) != .done, !result.end.account.hadLateResult {
            Console.note("the run was not undone; retry with 'intentctl undo \(undone)'")
        }
        return try await RunConclusion(intent: nil, files: .save(in: folder), wantsJSON: invocation.wantsJSON)
            .conclude(result, over: connection)
    }
}
