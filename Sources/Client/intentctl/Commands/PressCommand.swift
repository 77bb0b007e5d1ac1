import Dispatch
import IntentLinux

/// Implements `intentctl press RUN NUMBER`: performs the intent of a control in a snippet, then the intent that
/// refreshes the snippet.
struct PressCommand {
    let invocation: Invocation
    private let interrupts = Interrupts()

    func perform() async throws -> ExitCode {
        let interruptSource = interrupts.listen()
        defer { interruptSource?.cancel() }
        let run = try invocation.run()
        let folder: ResultFolder? = if let path = invocation["out"] { try ResultFolder(path: path) } else { nil }
        let connection = try await invocation.connect()
        let story = try await connection.story(of: run)
        try RetryCommand.checkOwner(of: story, "the new run", hint: "ask its owner to press the control")
        let (snippet, control) = try ControlSelection.find(invocation.words[1], in: story)
        let app = try await connection.app(named: story.summary.app)
        let result = try await perform(control.action, of: app, over: connection)
        let refreshes = result.end.account.details?.snippet == nil && snippet.source != nil
        guard case .done(_, let dialog) = result.outcome, refreshes, let source = snippet.source else {
            return try await conclude(result, source: control.action, of: app, folder, over: connection)
        }
        if let dialog { Console.note(SafeText.printed(dialog)) }
        let refreshed = try await perform(source, of: app, over: connection)
        return try await conclude(refreshed, source: source, of: app, folder, over: connection)
    }

    private func conclude(
        _ result: RunResult,
        source: IntentReference,
        of app: AppDescription,
        _ folder: ResultFolder?,
        over connection: IntentConnection
    ) async throws -> ExitCode {
        try await RunConclusion(
            intent: app.intent(named: source.intent),
            files: .save(in: folder),
            wantsJSON: invocation.wantsJSON
        ).conclude(result, over: connection)
    }

    /// Performs an intent in the snippet's app as an ordinary run that the caller owns.
    private func perform(
        _ reference: IntentReference,
        of app: AppDescription,
        over connection: IntentConnection
    ) async throws -> RunResult {
        let intent = try ControlSelection.intent(of: reference, in: app)
        var request = PerformRequest(
            app: app.name,
            intent: intent.name,
            values: reference.values,
            locale: CallerLocale.identifier
        )
        request.entryPoint = .commandLine
        request.isInteractive = Console.errorIsTerminal.trueOrNil
        let asksNothing = invocation.has("no-input")
        request.answers = AnswersInAdvance(others: asksNothing ? .refuse : nil)
        interrupts.requestSent()
        let run = try await connection.perform(request)
        interrupts.accepted(run)
        defer { interrupts.ended() }
        return try await RunDisplay.follow(run, mayAsk: !asksNothing && QuestionPrompt.isPossible)
    }
}

/// Finds a control in a snippet by the number that the user typed.
package enum ControlSelection {
    /// Returns the snippet of a run's result or open question, and the control with the typed number.
    ///
    /// - Throws: ``CommandFailure`` if the snippet has no control with that number.
    package static func find(
        _ word: String,
        in story: RunStory
    ) throws(CommandFailure) -> (snippet: Snippet, control: SnippetControl) {
        guard let number = Int(word) else {
            throw .usage(
                "expected the number of a control, got '\(word)'",
                hint: "for example: intentctl press \(story.summary.run) 1"
            )
        }
        let run = story.summary.run
        guard let snippet = story.snippet else {
            throw notFound("run \(run) has no snippet with buttons or toggles", run)
        }
        let controls = snippet.controls
        guard controls.indices.contains(number - 1) else {
            let count =
                controls.isEmpty ? "no controls" : controls.count == 1 ? "1 control" : "\(controls.count) controls"
            throw notFound("run \(run) has no control \(number): its snippet has \(count)", run)
        }
        return (snippet, controls[number - 1])
    }

    /// Returns the intent that refreshes the snippet of a run.
    ///
    /// - Throws: ``CommandFailure`` if the run has no snippet, or if no intent can refresh the snippet.
    package static func source(in story: RunStory) throws(CommandFailure) -> IntentReference {
        let run = story.summary.run
        guard let source = story.snippet?.source else {
            throw notFound("run \(run) has no snippet that an intent can refresh", run)
        }
        return source
    }

    private static func notFound(_ message: String, _ run: RunID) -> CommandFailure {
        CommandFailure(.notFound, code: "noControl", message, hint: "'intentctl why \(run)' prints its snippet")
    }

    /// Returns the declaration of the intent to which a control refers.
    ///
    /// - Throws: ``CommandFailure`` if the app no longer has the intent.
    static func intent(
        of reference: IntentReference,
        in app: AppDescription
    ) throws(CommandFailure) -> IntentDeclaration {
        if app.intents != nil, app.intent(named: reference.intent) == nil {
            let name = WireCoding.excerpt(reference.intent)
            if DaemonOptions.isFleet {
                throw CommandFailure(
                    .unknownIntent,
                    "the control performs '\(name)', which no host of the fleet offers",
                    hint:
                        "permit it with Fleet= in the file of '\(app.name)', or perform it on the host that showed the "
                        + "snippet: intentctl --host HOST run \(ShellWord.quote("\(app.name)/\(name)"))"
                )
            }
            throw CommandFailure(
                .unknownIntent,
                "the control performs '\(name)', which '\(app.name)' no longer has",
                hint: "perform the snippet's intent again; 'intentctl list \(app.name)' lists the intents"
            )
        }
        return try Selection.find(reference.intent, in: app)
    }
}

extension RunStory {
    /// The snippet of the run's result, or of its open question if the run has not ended.
    package var snippet: Snippet? {
        if let end { return end.event.account.details?.snippet }
        return summary.state == .asking ? lastQuestion?.snippet : nil
    }

    /// The newest question; nil if the run has not asked any questions.
    var lastQuestion: Question? {
        changes.reversed().lazy
            .compactMap { if case .question(let question) = $0.event { question } else { nil } }.first
    }
}
