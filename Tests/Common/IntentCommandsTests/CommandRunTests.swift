import IntentCommands
import IntentConfiguration
import IntentLauncherMessages
import IntentProtocol
import Testing
import intentd_command

/// Tests the state machine of a program's run.
@Suite struct CommandRunTests {
    private let second: Int64 = 1_000_000_000

    private func run(_ keys: String = "") throws -> CommandRun {
        CommandRun(try CommandFixture.intent("[Intent A]\nExec=/bin/a\n\(keys)"))
    }

    private func ask(_ text: String, kind: String = "text") throws -> AskRequest {
        try #require(AskRequest(Array("\(kind)\0\0\(text)\0".utf8)))
    }

    private func progress(_ completed: Int64, title: String? = nil) -> WorkerReport {
        .progress(
            ProgressReport(
                completedUnitCount: completed,
                totalUnitCount: 10,
                fraction: Double(completed) / 10,
                title: title
            )
        )
    }

    private func question(_ number: UInt64, _ text: String) -> WorkerReport {
        var question = Question(number: number, text: text, type: .string, kind: .value)
        question.title = "A"
        return .question(question)
    }

    private let done = WorkerResult(ending: .returned(value: nil, dialog: nil))

    @Test func `a run that ends by itself reports its result, and exits when it is recorded`() throws {
        var run = try run()
        #expect(run.begin() == [.report(.started)])
        #expect(run.ended(done) == [.report(.finished(done))])
        #expect(run.received(.acknowledge) == [.exit])
    }

    @Test func `a long-running intent has the long ceiling from its start`() throws {
        #expect(try run("LongRunning=yes").begin() == [.report(.started), .report(.background(.entered))])
    }

    @Test func `progress is reported at once, then at most every 50 ms, and the last before the result`() throws {
        var run = try run("Progress=notify")
        #expect(
            run.progressed(to: ProgramProgress(completed: 1, total: 10), status: nil, at: second) == [
                .report(progress(1))
            ]
        )
        #expect(run.progressed(to: ProgramProgress(completed: 2, total: 10), status: "two", at: second + 1) == [])
        #expect(run.nextDelay(at: second + 1) == 49_999_999)
        #expect(run.timePassed(at: second + 50_000_000) == [.report(progress(2, title: "two"))])
        #expect(
            run.progressed(to: ProgramProgress(completed: 3, total: 10), status: nil, at: second + 50_000_001) == []
        )
        #expect(run.ended(done) == [.report(progress(3, title: "two")), .report(.finished(done))])
    }

    @Test func `the end of a phase is reported before the next phase, however fast they follow each other`() throws {
        var run = try run("Progress=lines")
        for completed: Int64 in [9, 10, 0, 1] {
            _ = run.progressed(to: ProgramProgress(completed: completed, total: 10), status: nil, at: second)
        }
        #expect(run.timePassed(at: second + 50_000_000) == [.report(progress(10))])
        #expect(run.nextDelay(at: second + 50_000_000) == 50_000_000)
        #expect(run.timePassed(at: second + 100_000_000) == [.report(progress(1))])
    }

    @Test func `with Progress=output, any output is progress, and lines are not searched`() throws {
        var run = try run("Progress=output")
        #expect(run.progressed(to: ProgramProgress(completed: 1, total: 10), status: nil, at: second) == [])
        let report = ProgressReport(completedUnitCount: 3, totalUnitCount: 0, fraction: 0, title: "bytes of output")
        #expect(run.printed(byteCount: 3, at: second) == [.report(.progress(report))])
    }

    @Test(arguments: ["notify", "lines", "output"])
    func `a run that a time limit ends is told which progress counts`(kind: String) throws {
        var run = try run("Progress=\(kind)")
        guard case .note(let text)? = run.received(.cancel(reason: .timeout, graceMilliseconds: 1000))?.first else {
            Issue.record("there is no note")
            return
        }
        #expect(text.hasPrefix("With Progress=\(kind), only "), "\(text)")
    }

    @Test func `an intent without Progress= reports none, whatever the program sends`() throws {
        var run = try run()
        #expect(run.progressed(to: ProgramProgress(completed: 1, total: 10), status: "x", at: second) == [])
    }

    @Test(arguments: [("", CommandSignal.terminate), ("KillSignal=SIGINT", .interrupt)])
    func `a cancellation signals the program once, and is the outcome`(_ keys: String, _ signal: CommandSignal)
        throws
    {
        var run = try run(keys)
        #expect(run.received(.cancel(reason: .timeout, graceMilliseconds: 1000)) == [.signal(signal)])
        #expect(run.received(.cancel(reason: .userCancelled, graceMilliseconds: 1000)) == [])
        let cancelled = WorkerResult(ending: .threwCancellation)
        #expect(run.ended(done) == [.report(.finished(cancelled))])
    }

    @Test func `if Cancel= is set, its program is started with the reason instead`() throws {
        var run = try run("Cancel=/bin/stop")
        #expect(run.received(.cancel(reason: .userCancelled, graceMilliseconds: 1)) == [.startCancel(.userCancelled)])
    }

    @Test func `one question is open at a time, and each asker receives the answer to its own`() throws {
        var run = try run()
        #expect(run.asked(try ask("first?"), by: 1) == [.report(question(1, "first?"))])
        #expect(run.asked(try ask("second?"), by: 2) == [])
        #expect(
            run.received(.answer(question: 1, value: .string("a"))) == [
                .reply(asker: 1, .answer("a")), .report(question(2, "second?")),
            ]
        )
        #expect(run.received(.refuse(question: 2)) == [.reply(asker: 2, .unanswered)])
        #expect(run.received(.answer(question: 2, value: .string("late"))) == [])
    }

    @Test func `a question is withdrawn when its asker has exited`() throws {
        var run = try run()
        _ = run.asked(try ask("first?"), by: 1)
        _ = run.asked(try ask("second?"), by: 2)
        #expect(run.askerLeft(1) == [.report(.withdrawn(question: 1)), .report(question(2, "second?"))])
        #expect(run.askerLeft(1) == [])
        #expect(run.received(.answer(question: 1, value: .string("late"))) == [])
    }

    @Test func `askers are answered at once when the run is cancelled or has ended`() throws {
        var run = try run()
        _ = run.asked(try ask("first?"), by: 1)
        #expect(
            run.received(.cancel(reason: .timeout, graceMilliseconds: 1)) == [
                .reply(asker: 1, .unanswered), .signal(.terminate),
            ]
        )
        #expect(run.asked(try ask("second?"), by: 2) == [.reply(asker: 2, .unanswered)])
    }

    @Test func `a run asks at most a thousand questions`() throws {
        var run = try run()
        for number in 1...Int(Question.countLimit) {
            _ = run.asked(try ask("?"), by: number)
            _ = run.received(.answer(question: UInt64(number), value: .string("")))
        }
        let actions = run.asked(try ask("?"), by: 2000)
        guard case .reply(2000, .refused) = actions.first else {
            Issue.record("\(actions)")
            return
        }
    }

    @Test func `a flood of questions is refused before it uses up the descriptors`() throws {
        var run = try run()
        for number in 1...64 { _ = run.asked(try ask("?"), by: number) }
        guard case .reply(65, .refused)? = run.asked(try ask("?"), by: 65).first else {
            Issue.record("expected a refusal")
            return
        }
    }

    @Test func `the size of a status text is limited`() throws {
        var run = try run("Progress=notify")
        let status = String(repeating: "e\u{301}", count: 100_000)
        guard case .report(.progress(let report))? = run.progressed(to: nil, status: status, at: second).first else {
            Issue.record("expected progress")
            return
        }
        #expect(try #require(report.title).utf8.count <= 403)
    }

    @Test func `another intentd receives the progress, the open question and the result again`() throws {
        var run = try run("Progress=notify\nLongRunning=yes")
        _ = run.progressed(to: ProgramProgress(completed: 1, total: 10), status: nil, at: second)
        _ = run.asked(try ask("first?"), by: 1)
        let state = WorkerReport.resumed(WorkerState(number: 7, hasBegun: true, isInBackground: true))
        #expect(
            run.received(.resume(number: 7)) == [
                .report(state), .report(progress(1)), .report(question(1, "first?")),
            ]
        )
        _ = run.received(.answer(question: 1, value: .string("a")))
        _ = run.ended(done)
        #expect(
            run.received(.resume(number: 7)) == [.report(state), .report(progress(1)), .report(.finished(done))]
        )
    }

    @Test func `a command that is invalid in the current state violates the protocol`() throws {
        var run = try run()
        #expect(run.received(.acknowledge) == nil)
        #expect(run.received(.files(count: 1)) == nil)
    }
}
