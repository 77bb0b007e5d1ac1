import Glibc
import IntentLinux

/// Shows a run's events on standard error until the run ends. Asks the run's questions on the terminal if possible.
struct RunDisplay: Sendable {
    typealias Answer = @Sendable (AnswerText.Answer, Question) async throws -> Void

    /// How intentctl handles the run's questions.
    enum Questions: Sendable {
        /// Ask the questions on the terminal.
        case ask(Answer)
        /// Print the questions, with the commands that answer them.
        case print
    }

    let run: RunID
    /// The options to include in printed commands.
    private let daemon: DaemonOptions
    private let prompt = QuestionPrompt()
    private let units: ProgressMeter.Units
    /// The steps to show; nil for a run of an app.
    private let steps: LiveStepTree?

    /// Follows a run that this command requested.
    static func follow(
        _ run: IntentRun,
        mayAsk: Bool,
        at socket: String? = nil,
        units: ProgressMeter.Units = .parts
    ) async throws -> RunResult {
        let questions: Questions =
            mayAsk ? .ask { try await run.answer($0.value, files: $0.files, to: $1) } : .print
        return try await follow(run.events, of: run.id, questions, at: socket, units: units)
    }

    static func follow(
        _ events: RunEvents,
        of run: RunID,
        _ questions: Questions,
        at socket: String? = nil,
        units: ProgressMeter.Units = .parts,
        steps: LiveStepTree? = nil
    ) async throws -> RunResult {
        let daemon = socket.map { DaemonOptions(socket: $0) } ?? .ofCommand
        let display = RunDisplay(run: run, daemon: daemon, units: units, steps: steps)
        switch questions {
        case .print: return try await display.read(events, asking: false)
        case .ask(let answer): return try await display.follow(events, answer)
        }
    }

    private init(run: RunID, daemon: DaemonOptions, units: ProgressMeter.Units, steps: LiveStepTree?) {
        self.run = run
        self.units = units
        self.steps = steps
        self.daemon = daemon
    }

    /// Follows the run in one task and reads the terminal in another task.
    private func follow(_ events: RunEvents, _ answer: @escaping Answer) async throws -> RunResult {
        try await withThrowingTaskGroup(of: RunResult?.self) { group in
            group.addTask {
                defer { prompt.finish() }
                return try await read(events, asking: true)
            }
            group.addTask {
                for await entry in prompt.entries { await send(entry, answer) }
                return nil
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw Self.connectionLost(run)
        }
    }

    private func read(_ events: RunEvents, asking: Bool) async throws -> RunResult {
        var view = View(display: ProgressDisplay(units), steps: steps)
        defer {
            if prompt.close() { Console.draw("\n") }
            view.display.finish()
        }
        await view.update(nil)
        guard steps != nil else {
            for try await event in events {
                if let result = try await show(event, of: events, asking: asking, in: &view) { return result }
            }
            throw Self.connectionLost(run)
        }
        // A shortcut does not report the states of its steps.
        for try await event in Self.ticking(events) {
            guard let event else {
                await view.update(nil)
                continue
            }
            if let result = try await show(event, of: events, asking: asking, in: &view) { return result }
        }
        throw Self.connectionLost(run)
    }

    private static func connectionLost(_ run: RunID) -> IntentClientError {
        IntentClientError(.connectionLost, "the event stream ended before the outcome was received", run: run)
    }

    /// The events of a shortcut's run, and nil each second. The run has no output, so few events wait here.
    private static func ticking(_ events: RunEvents) -> AsyncThrowingStream<RunEvent?, any Error> {
        AsyncThrowingStream { continuation in
            let reading = Task {
                do {
                    for try await event in events { continuation.yield(event) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            let waiting = Task {
                while (try? await Task.sleep(for: .seconds(1))) != nil { continuation.yield(nil) }
            }
            continuation.onTermination = { _ in
                reading.cancel()
                waiting.cancel()
            }
        }
    }

    /// What the terminal shows of a run.
    private struct View {
        var display: ProgressDisplay
        var steps: LiveStepTree?
        var isQuestionOpen = false

        /// Reads and shows the steps again.
        mutating func update(_ progress: ProgressReport?) async {
            await steps?.update(progress)
            if !isQuestionOpen { display.show(&steps) }
        }
    }

    /// Shows an event. Returns the result after the last one.
    private func show(
        _ event: RunEvent,
        of events: RunEvents,
        asking: Bool,
        in view: inout View
    ) async throws -> RunResult? {
        switch event {
        case .state(let state, let reason):
            if view.isQuestionOpen, prompt.close() { Console.draw("\n") }
            view.isQuestionOpen = false
            if state == .stopping, let reason { view.display.note("stopping: \(SafeText.line(reason.name))") }
        case .question(let question):
            view.isQuestionOpen = true
            view.display.clearLine()
            if asking, question.needsOther != true {
                prompt.ask(question)
            } else {
                if let snippet = question.question.snippet { SnippetDisplay.show(snippet, of: run, at: daemon) }
                Console.note(QuestionText.waiting(question, of: run, at: daemon).joined(separator: "\n"))
            }
        case .answered(let notice):
            view.isQuestionOpen = false
            let wasOpen = prompt.close()
            // Print no note about an answer from this terminal, because the user has just typed it.
            let isOwn = RemoteHost.current == nil ? notice.process == getpid() : asking && !wasOpen
            guard !isOwn || notice.isInAdvance == true else { return nil }
            view.display.note((wasOpen ? "\n" : "") + QuestionText.answered(notice))
        case .progress(let progress):
            await view.update(progress)
            if !view.isQuestionOpen { view.display.show(progress) }
        case .output(let stream, let text): view.display.print(text, of: stream)
        case .finished:
            view.isQuestionOpen = false
            await view.update(nil)
            return try await events.result
        }
        return nil
    }

    private func send(_ entry: QuestionPrompt.Entry, _ answer: Answer) async {
        switch entry {
        case .end(let question): Console.note(QuestionText.instruction(question, of: run, at: daemon))
        case .line(let question, let text):
            do {
                try await answer(try AnswerText.read(text, for: question.question), question.question)
            } catch let failure as CommandFailure {
                prompt.repeatAsking(question, because: failure.text)
            } catch let error as IntentClientError where error.code == .badAnswer {
                prompt.repeatAsking(question, because: error.description)
            } catch let error as IntentClientError where error.code == .noQuestion {
                // Print nothing. Another client answered first, and the event `answered` identifies that client.
            } catch {
                // Print the error, and keep following the run. If the connection has closed, the sequence of events
                // throws an error too, which ends the command.
                Console.note("intentctl: " + SafeText.line((error as? IntentClientError)?.description ?? "\(error)"))
            }
        }
    }
}

extension CommandFailure {
    fileprivate var text: String { hint.map { "\(message); \($0)" } ?? message }
}
