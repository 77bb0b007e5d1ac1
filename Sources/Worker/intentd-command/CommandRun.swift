package import IntentCommands
package import IntentConfiguration
package import IntentLauncherMessages
import IntentWorker

/// A program's run, as a value that receives events and returns actions. Times are in nanoseconds of
/// CLOCK_MONOTONIC.
package struct CommandRun: Sendable {
    package enum Action: Equatable, Sendable {
        /// Send a report to `intentd`.
        case report(WorkerReport)
        /// Write a line to the run's standard error.
        case note(String)
        /// Send a signal to the program's process group.
        case signal(CommandSignal)
        /// Start the `Cancel=` program.
        case startCancel(CancellationReason)
        /// Send the protocol's cancellation to the MCP server, then close its standard input.
        case cancelCall(CancellationReason)
        /// Answer intent-ask, and close its connection.
        case reply(asker: Int, AskReply)
        /// Answer the MCP server; nil if no user answers its question.
        case answer(IntentValue?)
        /// Exit, because `intentd` has acknowledged the result.
        case exit
    }

    private enum State: Sendable {
        /// The program is running. At most one question is open at a time.
        case running
        /// `intentd` has cancelled the run. The worker is waiting only for the program to exit.
        case cancelled
        /// The program has exited, and the worker has reported the result. It is waiting for the acknowledgement.
        case finished(WorkerResult)
    }

    private struct Asker: Sendable {
        var id: Int
        /// The question with its number in the run.
        var question: Question
    }

    /// The maximum number of waiting questions. Each of them occupies a descriptor.
    private static let askerLimit = 64
    /// The maximum size of a status text, in bytes.
    private static let statusByteLimit = 400

    private let intent: CommandIntent
    private var state = State.running
    private var pacer = ProgressPacer()
    private var progress = ProgressReport(completedUnitCount: 0, totalUnitCount: 0, fraction: 0)
    private var hasProgress = false
    /// The end of a phase of the program, if it was not sent before the next phase began. The next phase only extends
    /// the run's deadline after this report.
    private var endOfPhase: ProgressReport?
    /// The intent-ask processes that are waiting for an answer. Only the first process's question is open.
    private var askers: [Asker] = []
    private var questionCount: UInt64 = 0

    package init(_ intent: CommandIntent) {
        self.intent = intent
    }

    package var isCancelled: Bool { if case .cancelled = state { true } else { false } }

    package var isFinished: Bool { if case .finished = state { true } else { false } }

    package func begin() -> [Action] {
        [.report(.started)] + (intent.isLongRunning ? [.report(.background(.entered))] : [])
    }

    // MARK: intentd

    package mutating func received(_ command: WorkerCommand) -> [Action]? {
        switch (command, state) {
        case (.cancel(let reason, _), .running): return cancel(reason)
        case (.cancel, .cancelled), (.cancel, .finished): return []
        case (.acknowledge, .finished): return [.exit]
        case (.acknowledge, .running), (.acknowledge, .cancelled): return nil
        case (.answer(let number, let value, _), .running): return answered(number, value)
        case (.refuse(let number), .running): return answered(number, nil)
        // Ignore an answer that arrives after the cancellation or after the program's exit.
        case (.answer, .cancelled), (.answer, .finished), (.refuse, .cancelled), (.refuse, .finished): return []
        case (.resume(let number), _): return resumed(number)
        case (.perform, _), (.files, _): return nil
        }
    }

    private mutating func cancel(_ reason: CancellationReason) -> [Action] {
        state = .cancelled
        let replies = askers.map { reply(to: $0, nil) }
        askers = []
        let notes = reason == .timeout ? progressRule.map { [Action.note($0)] } ?? [] : []
        if intent.isTool { return notes + [.cancelCall(reason)] }
        return notes + replies + [intent.cancel == nil ? .signal(intent.killSignal) : .startCancel(reason)]
    }

    private func reply(to asker: Asker, _ value: IntentValue?) -> Action {
        if intent.isTool { return .answer(value) }
        return .reply(asker: asker.id, value.map { AskReply($0, to: asker.question) } ?? .unanswered)
    }

    private mutating func answered(_ number: UInt64, _ value: IntentValue?) -> [Action] {
        // Ignore an answer to a question that was withdrawn before the answer arrived.
        guard let asker = askers.first, asker.question.number == number else { return [] }
        askers.removeFirst()
        return [reply(to: asker, value)] + askNext()
    }

    /// Repeats the reports that a new `intentd` needs to adopt the run.
    private func resumed(_ number: UInt64) -> [Action] {
        var actions: [Action] = [
            .report(.resumed(WorkerState(number: number, hasBegun: true, isInBackground: intent.isLongRunning)))
        ]
        if let last = pacer.lastReport { actions.append(.report(.progress(last))) }
        switch state {
        case .running: if let asker = askers.first { actions.append(.report(.question(asker.question))) }
        case .cancelled: break
        case .finished(let result): actions.append(.report(.finished(result)))
        }
        return actions
    }

    // MARK: Progress

    /// The rule by which the program's progress extends the time limit, for a run that has reached the limit.
    private var progressRule: String? {
        let buffering = "A program can keep its output in memory unless it writes to a terminal (Terminal=yes)"
        if intent.isTool {
            return "Only notifications/progress of the server above its previous reports extends Runtime=."
        }
        let last = hasProgress ? "the last report was \(Int(progress.fraction * 100))%" : "there was none"
        return switch intent.progress {
        case .none: nil
        case .notify: "With Progress=notify, only X_PROGRESS= above the previous reports extends Runtime=; \(last)."
        case .lines:
            "With Progress=lines, only a line that matches ProgressPattern= and reports more than the previous lines "
                + "extends Runtime=; \(last). \(buffering). With Progress=output, any output counts."
        case .output:
            "With Progress=output, only output extends Runtime=; \(progress.completedUnitCount) bytes arrived. \(buffering)."
        }
    }

    /// Handles output of the program with `Progress=output`.
    package mutating func printed(byteCount: Int, at now: Int64) -> [Action] {
        guard case .running = state else { return [] }
        progress.completedUnitCount += Int64(byteCount)
        progress.title = "bytes of output"
        hasProgress = true
        pacer.update(isChanged: true, hasUnfinishedChildren: false, at: now)
        return reportProgress(at: now)
    }

    /// Handles progress or a status text that the program reported.
    package mutating func progressed(to reported: ProgramProgress?, status: String?, at now: Int64) -> [Action] {
        guard case .running = state, intent.progress == .notify || intent.progress == .lines else { return [] }
        let title =
            status.map { $0.isEmpty ? nil : String($0.prefix(utf8: Self.statusByteLimit)) } ?? progress.title
        if let reported {
            let next = reported.report(title: title)
            if progress.fraction >= 1, next.fraction < 1, progress != pacer.lastReport { endOfPhase = progress }
            progress = next
        } else {
            progress.title = title
        }
        hasProgress = true
        pacer.update(isChanged: true, hasUnfinishedChildren: false, at: now)
        return reportProgress(at: now)
    }

    /// Handles progress that an MCP server reported.
    package mutating func progressed(to report: ProgressReport, at now: Int64) -> [Action] {
        guard case .running = state else { return [] }
        var report = report
        report.title = report.title ?? progress.title
        progress = report
        hasProgress = true
        pacer.update(isChanged: true, hasUnfinishedChildren: false, at: now)
        return reportProgress(at: now)
    }

    private mutating func reportProgress(at now: Int64) -> [Action] {
        guard pacer.isDue(at: now), let report = pacer.reportToSend(endOfPhase ?? progress, at: now) else { return [] }
        pacer.sent(report)
        if endOfPhase != nil {
            endOfPhase = nil
            pacer.update(isChanged: true, hasUnfinishedChildren: false, at: now)
        }
        return [.report(.progress(report))]
    }

    /// Returns the time until ``timePassed(at:)`` must be called, or nil if no call is needed.
    package func nextDelay(at now: Int64) -> Int64? { pacer.nextDelay(at: now) }

    package mutating func timePassed(at now: Int64) -> [Action] {
        if case .finished = state { return [] }
        return reportProgress(at: now)
    }

    // MARK: Questions

    /// Handles a request from intent-ask.
    ///
    /// - Parameter request: The request; nil if it cannot be decoded.
    package mutating func asked(_ request: AskRequest?, by asker: Int) -> [Action] {
        guard let request else { return [.reply(asker: asker, .refused("the request cannot be decoded"))] }
        guard case .running = state else { return [.reply(asker: asker, .unanswered)] }
        guard askers.count < Self.askerLimit else {
            return [.reply(asker: asker, .refused("\(Self.askerLimit) questions are already waiting for an answer"))]
        }
        guard questionCount < Question.countLimit else {
            return [.reply(asker: asker, .refused("a run can ask at most \(Question.countLimit) questions"))]
        }
        return ask(request.question, by: asker)
    }

    /// Asks a question of an MCP server.
    package mutating func asked(_ question: Question) -> [Action] {
        guard case .running = state, questionCount < Question.countLimit else { return [.answer(nil)] }
        return ask(question, by: 0)
    }

    private mutating func ask(_ question: Question, by asker: Int) -> [Action] {
        questionCount += 1
        var question = question
        question.number = questionCount
        question.title = question.title ?? intent.title
        askers.append(Asker(id: asker, question: question))
        // Report the progress that preceded the question first, while the run's deadline still applies.
        return askers.count == 1 ? flushProgress() + askNext() : []
    }

    /// Handles the disconnection of an intent-ask process that has received no answer.
    package mutating func askerLeft(_ asker: Int) -> [Action] {
        guard let index = askers.firstIndex(where: { $0.id == asker }) else { return [] }
        let left = askers.remove(at: index)
        guard index == 0 else { return [] }
        return [.report(.withdrawn(question: left.question.number))] + askNext()
    }

    private func askNext() -> [Action] { askers.first.map { [.report(.question($0.question))] } ?? [] }

    // MARK: Exit

    /// Handles the program's exit.
    package mutating func ended(_ result: WorkerResult) -> [Action] {
        let result = isCancelled ? WorkerResult(ending: .threwCancellation) : result
        let replies = intent.isTool ? [] : askers.map { reply(to: $0, nil) }
        askers = []
        let last = flushProgress()
        state = .finished(result)
        return replies + last + [.report(.finished(result))]
    }

    /// Reports the latest progress immediately, unless it equals the last report.
    private mutating func flushProgress() -> [Action] {
        guard hasProgress, progress != pacer.lastReport, !isCancelled else { return [] }
        pacer.sent(progress)
        return [.report(.progress(progress))]
    }
}
