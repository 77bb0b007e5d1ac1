import IntentLauncherMessages
import IntentLifecycle
import Testing

@Suite struct QuestionTests {
    private let question = Question(number: 1, text: "How many?", parameter: "quantity", type: .int)

    @Test func `while a question is open, the run's clock is stopped and the question has a clock of its own`() {
        var run = running()
        #expect(
            run.questionAsked(question, at: at(10)) == [
                .armTimer(at: .boottime(at(10 + 3600).boottime)), .publish(.state(.asking, reason: nil)),
            ]
        )
        #expect(run.visibleState == .asking)
        #expect(
            run.questionAnswered(1, .int(3), at: at(1000)) == [
                .send(.answer(question: 1, value: .int(3))),
                .armTimer(at: .monotonic(at(1020).monotonic)),
                .publish(.state(.running, reason: nil)),
            ]
        )
    }

    @Test func `the ceiling moves by the duration of the question`() {
        var limits = RunLimits()
        limits.ceiling = .seconds(40)
        var run = running(limits: limits)
        _ = run.questionAsked(question, at: at(10))
        _ = run.questionAnswered(1, .int(3), at: at(110))
        #expect(
            run.progressReported(report(1, of: 2), at: at(115)).first == .armTimer(at: .monotonic(at(140).monotonic))
        )
    }

    @Test func `an answer to another question, or without an open question, has no effect`() {
        var run = running()
        #expect(run.questionAnswered(1, .int(3), at: at(1)) == [])
        _ = run.questionAsked(question, at: at(2))
        #expect(run.questionAnswered(2, .int(3), at: at(3)) == [])
        #expect(run.openQuestion == question)
    }

    @Test func `an unanswered question ends the run, which is cancelled first`() {
        var run = running()
        _ = run.questionAsked(question, at: at(0))
        #expect(run.timerFired(at: at(3600)).first == .send(.cancel(.timeout, grace: .seconds(1))))
        let end = run.processesEnded(SlotEnd(processEnd: .exited(code: 0)), at: at(3601))
        #expect(end.contains(.conclude(.unanswered(parameter: "quantity", question: "How many?"))))
    }

    @Test func `a second question while one is open is a violation`() {
        var run = running()
        _ = run.questionAsked(question, at: at(0))
        let second = Question(number: 2, text: "How many?", parameter: "quantity", type: .int)
        #expect(run.questionAsked(second, at: at(1)) == [.disarmTimer, .signal(.kill)])
    }

    @Test func `a repeated question has no effect, and a withdrawn question resumes the clock`() {
        var run = running()
        _ = run.questionAsked(question, at: at(10))
        #expect(run.questionAsked(question, at: at(20)) == [])
        #expect(
            run.questionWithdrawn(1, at: at(110)) == [
                .armTimer(at: .monotonic(at(130).monotonic)), .publish(.state(.running, reason: nil)),
            ]
        )
        // The answer was already sent.
        #expect(run.questionAnswered(1, .int(3), at: at(111)) == [])
        #expect(run.questionWithdrawn(1, at: at(112)) == [])
    }

    @Test func `the numbers of questions increase, up to a limit`() {
        var run = running()
        _ = run.questionAsked(Question(number: 4, text: "", type: .int), at: at(0))
        _ = run.questionAnswered(4, .int(1), at: at(0))
        #expect(run.questionAsked(Question(number: 4, text: "", type: .int), at: at(0)).contains(.signal(.kill)))
        var other = running()
        let last = Question(number: Question.countLimit + 1, text: "", type: .int)
        #expect(other.questionAsked(last, at: at(0)).contains(.signal(.kill)))
        var third = running()
        let permitted = Question(number: Question.countLimit, text: "", type: .int)
        #expect(!third.questionAsked(permitted, at: at(0)).contains(.signal(.kill)))
    }

    @Test func `a refused question does not stop the clock`() {
        var run = running()
        #expect(run.questionRefused(question, at: at(1)) == [.send(.refuse(question: 1))])
        #expect(run.visibleState == .running)
    }

    @Test func `a timer that fires before the question expires is armed again`() {
        var run = running()
        _ = run.questionAsked(question, at: at(0))
        #expect(run.timerFired(at: at(3599)) == [.armTimer(at: .boottime(at(3600).boottime))])
    }

    @Test(arguments: [
        (true, RunOutcome.failed(message: "the intent cancelled itself (CancellationError)")),
        (false, .cancelled(.userCancelled)),
    ])
    func `a run that stops because a user declined is cancelled, not failed`(answer: Bool, outcome: RunOutcome) {
        var run = running()
        _ = run.questionAsked(Question(number: 1, text: "Go on?", type: .bool, kind: .confirmation), at: at(0))
        _ = run.questionAnswered(1, .bool(answer), at: at(1))
        let end = run.resultReceived(WorkerResult(ending: .threwCancellation), at: at(2))
        #expect(end.contains(.conclude(outcome)))
    }

    @Test func `a run that waits for an answer occupies no slot`() throws {
        var scene = try Scene.ready(places: 1)
        let question = Question(number: 1, text: "How many?", parameter: "text", type: .int)
        let first = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")]), mode: .once)
        _ = scene.runTable.handle(.launched(first, Scene.isolation), at: at(0))
        _ = scene.runTable.handle(.reported(first, .started), at: at(0))
        _ = scene.perform("Echo", ["text": .string("a")], id: 2, newRun: Scene.run(2), request: 2)
        let asked = scene.runTable.handle(.reported(first, .question(question)), at: at(1))
        let second = try scene.launchedSlot(asked, mode: .once)
        #expect(scene.runTable.run(of: second) == Scene.run(2))
        #expect(scene.runTable.load.runningCount == 1)
        #expect(scene.runTable.load.waitingCount == 1)
        #expect(scene.runTable.load.queuedCount == 0)
    }

    @Test func `runs with open questions above MaxWaiting= keep their slots`() throws {
        var scene = try Scene.ready(places: 1, waiting: 1)
        let question = Question(number: 1, text: "How many?", parameter: "text", type: .int)
        for number in UInt64(1)...2 {
            let actions = scene.perform(
                "Echo",
                ["text": .string("a")],
                id: number,
                newRun: Scene.run(number),
                request: number
            )
            let slot = try scene.launchedSlot(actions, mode: .once)
            _ = scene.runTable.handle(.launched(slot, Scene.isolation), at: at(0))
            _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
            _ = scene.runTable.handle(.reported(slot, .question(question)), at: at(0))
        }
        let third = scene.perform("Echo", ["text": .string("a")], id: 3, newRun: Scene.run(3), request: 3)
        #expect(!third.contains { if case .launch = $0 { true } else { false } })
    }

    private func running(limits: RunLimits = RunLimits()) -> RunStateMachine {
        var run = RunStateMachine(limits: limits, traits: .progressReporting)
        _ = run.accepted(at: at(0))
        _ = run.admitted(at: at(0))
        _ = run.launched(.full)
        _ = run.started(at: at(0))
        return run
    }
}
