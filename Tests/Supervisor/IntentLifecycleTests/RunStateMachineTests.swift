import IntentLauncherMessages
import IntentLifecycle
import Testing

@Suite struct RunStateMachineTests {
    let limits = RunLimits()

    @Test(arguments: [(IntentTraits.progressReporting, true), (.longRunning, true), (IntentTraits(), false)])
    func `progress extends the deadline of intents that report it or run for long, up to the ceiling`(
        traits: IntentTraits,
        isExtended: Bool
    ) {
        var limits = RunLimits()
        (limits.runtime, limits.ceiling, limits.longCeiling) = (.seconds(30), .seconds(40), .seconds(50))
        var deadline = Deadline(limits: limits, traits: traits, at: at(0))
        #expect(deadline.instant == at(30).monotonic && deadline.clock == (isExtended ? .silence : .total))
        deadline.extend(at: at(5))
        #expect(deadline.instant == at(isExtended ? 35 : 30).monotonic)
        deadline.extend(at: at(20))
        #expect(deadline.instant == at(isExtended ? 40 : 30).monotonic)
        #expect(deadline.clock == (isExtended ? .ceiling : .total))
        limits.longCeiling = .seconds(10)
        var other = Deadline(limits: limits, traits: traits, at: at(0))
        other.extend(at: at(20))
        #expect(other.clock == (isExtended ? .longCeiling : .total))
    }

    @Test func `a plain intent is cancelled after its total time, and progress does not extend it`() {
        var run = running([])
        #expect(run.progressReported(report(1, of: 10), at: at(20)) == [.publish(.progress(report(1, of: 10)))])
        #expect(
            run.timerFired(at: at(30)) == [
                .send(.cancel(.timeout, grace: .seconds(1))),
                .armTimer(at: .monotonic(at(31).monotonic)),
                .publish(.state(.stopping, reason: .timeout)),
            ]
        )
    }

    @Test func `progress moves the deadline, but never past the ceiling`() {
        var limits = RunLimits()
        limits.ceiling = .seconds(60)
        var run = running(.progressReporting, limits: limits)
        #expect(
            run.progressReported(report(1, of: 9), at: at(20)) == [
                .armTimer(at: .monotonic(at(50).monotonic)), .publish(.progress(report(1, of: 9))),
            ]
        )
        #expect(
            run.progressReported(report(2, of: 9), at: at(45)) == [
                .armTimer(at: .monotonic(at(60).monotonic)), .publish(.progress(report(2, of: 9))),
            ]
        )
        #expect(run.progressReported(report(3, of: 9), at: at(59)) == [.publish(.progress(report(3, of: 9)))])
    }

    @Test func `after complete work, a lower report begins a new phase, which moves the deadline`() {
        var run = running(.progressReporting)
        _ = run.progressReported(report(10, of: 10), at: at(1))
        #expect(run.progressReported(report(10, of: 10), at: at(2)) == [.publish(.progress(report(10, of: 10)))])
        for (seconds, completed) in [(Int64(20), Int64(0)), (40, 1)] {
            #expect(
                run.progressReported(report(completed, of: 10), at: at(seconds)) == [
                    .armTimer(at: .monotonic(at(seconds + 30).monotonic)),
                    .publish(.progress(report(completed, of: 10))),
                ]
            )
        }
        #expect(run.progressReported(report(0, of: 10), at: at(41)) == [.publish(.progress(report(0, of: 10)))])
    }

    @Test(arguments: [
        (report(5, of: 10), "repeats"),
        (report(4, of: 10), "going back"),
        (report(5, of: 10, title: "still here"), "text alone"),
        (ProgressReport(completedUnitCount: 5, totalUnitCount: 10, fraction: .nan), "a fraction that is no number"),
    ])
    func `a report that is not an advance is published and does not extend the deadline`(
        _ again: ProgressReport,
        _ what: String
    ) {
        var run = running(.progressReporting)
        _ = run.progressReported(report(5, of: 10), at: at(1))
        #expect(run.progressReported(again, at: at(2)) == [.publish(.progress(again))], "\(what)")
    }

    @Test func `a growing fraction is an advance if units are not counted`() {
        var run = running(.progressReporting)
        let half = ProgressReport(completedUnitCount: 0, totalUnitCount: 0, fraction: 0.5)
        #expect(run.progressReported(half, at: at(10)).first == .armTimer(at: .monotonic(at(40).monotonic)))
    }

    @Test func `inside a background task the long ceiling applies, and that time does not count outside`() {
        var limits = RunLimits()
        limits.ceiling = .seconds(40)
        limits.longCeiling = .seconds(1000)
        var run = running([.progressReporting, .longRunning], limits: limits)
        #expect(run.backgroundChanged(.entered, at: at(10)) == [.armTimer(at: .monotonic(at(30).monotonic))])
        #expect(run.progressReported(report(1, of: 9), at: at(25)).first == .armTimer(at: .monotonic(at(55).monotonic)))
        #expect(run.progressReported(report(2, of: 9), at: at(50)).first == .armTimer(at: .monotonic(at(80).monotonic)))
        // 60 seconds inside move the ordinary ceiling from 40 to 100.
        #expect(run.backgroundChanged(.left, at: at(70)) == [.armTimer(at: .monotonic(at(80).monotonic))])
        #expect(
            run.progressReported(report(3, of: 9), at: at(79)).first == .armTimer(at: .monotonic(at(100).monotonic))
        )
    }

    @Test func `entering and leaving background tasks cannot exceed the long ceiling`() {
        var limits = RunLimits()
        limits.ceiling = .seconds(40)
        limits.longCeiling = .seconds(100)
        var run = running([.progressReporting, .longRunning], limits: limits)
        for second in stride(from: 10, to: 100, by: 10) {
            _ = run.backgroundChanged(.entered, at: at(Int64(second)))
            _ = run.progressReported(report(Int64(second), of: 1000), at: at(Int64(second) + 9))
            _ = run.backgroundChanged(.left, at: at(Int64(second) + 9))
        }
        #expect(run.deadline == at(100).monotonic)
    }

    @Test func `a background task of an intent that is not a LongRunningIntent is a violation`() {
        var run = running(.progressReporting)
        #expect(run.backgroundChanged(.entered, at: at(1)) == [.disarmTimer, .signal(.kill)])
        #expect(
            run.processesEnded(killed, at: at(2)).contains { action in
                if case .conclude(.violated) = action { return true }
                return false
            }
        )
    }

    @Test func `a cancellable intent has the long grace period, then SIGTERM, then SIGKILL`() {
        var run = running(.cancellable)
        #expect(
            run.cancel(.userCancelled, at: at(1)) == [
                .send(.cancel(.userCancelled, grace: .seconds(5))),
                .armTimer(at: .monotonic(at(6).monotonic)),
                .publish(.state(.stopping, reason: .userCancelled)),
            ]
        )
        #expect(run.timerFired(at: at(6)) == [.signal(.terminate), .armTimer(at: .monotonic(at(7).monotonic))])
        #expect(run.timerFired(at: at(7)) == [.disarmTimer, .signal(.kill)])
        #expect(
            run.processesEnded(killed, at: at(8)) == [.disarmTimer, .conclude(.cancelled(.userCancelled)), .vanish]
        )
        #expect(run.account.signals == ["SIGTERM", "SIGKILL"])
    }

    @Test func `only the first reason is kept`() {
        var run = running(.cancellable)
        _ = run.cancel(.clientDisconnected, at: at(1))
        #expect(run.cancel(.userCancelled, at: at(2)) == [])
        #expect(run.processesEnded(exited, at: at(3)).contains(.conclude(.cancelled(.clientDisconnected))))
    }

    @Test func `a result after the decision to stop is noted, but is not a success`() {
        var run = running([])
        _ = run.cancel(.userCancelled, at: at(1))
        #expect(run.resultReceived(returned, at: at(1)) == [.send(.acknowledge)])
        #expect(run.processesEnded(exited, at: at(2)).contains(.conclude(.cancelled(.userCancelled))))
        #expect(run.account.hadLateResult)
    }

    @Test func `a result ends the run, and a worker that does not exit is killed after the short grace period`() {
        var run = running([])
        #expect(
            run.resultReceived(returned, at: at(3)) == [
                .conclude(.done(value: .int(1), dialog: nil)),
                .send(.acknowledge),
                .armTimer(at: .monotonic(at(4).monotonic)),
            ]
        )
        #expect(run.timerFired(at: at(4)) == [.disarmTimer, .signal(.kill)])
        #expect(run.processesEnded(killed, at: at(5)) == [.disarmTimer, .vanish])
    }

    @Test func `a cancel request after the result has no effect`() {
        var run = running([])
        _ = run.resultReceived(returned, at: at(3))
        #expect(run.cancel(.userCancelled, at: at(3)) == [])
    }

    @Test func `the files of a result are collected before the outcome is announced`() {
        var run = running([])
        #expect(
            run.resultReceived(returnedFile, at: at(1))
                == [.armTimer(at: .monotonic(at(31).monotonic)), .collect([.path("a")])]
        )
        #expect(run.filesCollected(at: at(1)).first == .conclude(.done(value: .file(file), dialog: nil)))
    }

    @Test func `a worker that exits while its files are collected keeps its result`() {
        var run = running([])
        _ = run.resultReceived(returnedFile, at: at(1))
        #expect(run.processesEnded(exited, at: at(1)) == [])
        #expect(
            run.filesCollected(at: at(2)) == [
                .disarmTimer, .conclude(.done(value: .file(file), dialog: nil)), .vanish,
            ]
        )
    }

    @Test func `files that cannot be collected make the run fail with the reason`() {
        var run = running([])
        _ = run.resultReceived(returnedFile, at: at(1))
        #expect(
            run.filesRefused("it is a link", at: at(1)).prefix(2)
                == [.discardFiles, .conclude(.failed(message: "it is a link"))]
        )
    }

    @Test func `slow copying has the deadline of a run with progress, and then fails with that reason`() {
        var run = running([])
        _ = run.resultReceived(returnedFile, at: at(1))
        #expect(run.filesAdvanced(at: at(20)) == [.armTimer(at: .monotonic(at(50).monotonic))])
        // This timer was armed for an earlier deadline.
        #expect(run.timerFired(at: at(31)) == [.armTimer(at: .monotonic(at(50).monotonic))])
        let actions = run.timerFired(at: at(50))
        guard case .discardFiles? = actions.first, case .conclude(.failed(let message))? = actions.dropFirst().first
        else {
            Issue.record("\(actions)")
            return
        }
        #expect(message.contains("storing its files made no progress for 30 s"), "\(message)")
        // Their later events have no effect.
        #expect(run.filesAdvanced(at: at(50)) == [])
        #expect(run.filesCollected(at: at(51)) == [])
        #expect(run.filesRefused("too late", at: at(51)) == [])
    }

    @Test func `copying cannot exceed the ceiling`() {
        var run = running([])
        _ = run.resultReceived(returnedFile, at: at(0))
        for second in stride(from: Int64(20), to: 600, by: 20) { _ = run.filesAdvanced(at: at(second)) }
        #expect(run.timerFired(at: at(599)) == [.armTimer(at: .monotonic(at(600).monotonic))])
        let actions = run.timerFired(at: at(600))
        #expect("\(actions)".contains("within 600 s (Ceiling=)"), "\(actions)")
    }

    @Test func `a worker that violates the protocol while its files are copied leaves no files`() {
        var run = running([])
        _ = run.resultReceived(returnedFile, at: at(1))
        #expect(run.violated("nonsense", at: at(2)).first == .discardFiles)
        var other = running([])
        _ = other.resultReceived(returnedFile, at: at(1))
        #expect(other.launcherLost(at: at(2)).first == .discardFiles)
    }

    @Test func `a process that exits without a result has crashed`() {
        var run = running([])
        #expect(
            run.processesEnded(killed, at: at(1)) == [
                .disarmTimer, .conclude(.crashed(.signaled(signal: 9))), .vanish,
            ]
        )
    }

    @Test func `a run that is cancelled in the backlog is never started`() {
        var run = RunStateMachine(limits: limits, traits: [])
        _ = run.accepted(at: at(0))
        #expect(
            run.cancel(.userCancelled, at: at(1)) == [.disarmTimer, .conclude(.cancelled(.userCancelled)), .vanish]
        )
    }

    @Test func `the backlog has a timeout of its own`() {
        var run = RunStateMachine(limits: limits, traits: [])
        #expect(run.accepted(at: at(0)) == [.armTimer(at: .monotonic(at(60).monotonic))])
        let busy = RunOutcome.busy(message: "no slot became free within 60 s")
        #expect(run.timerFired(at: at(60)).contains(.conclude(busy)))
        #expect(run.account.isolation == nil)
    }

    @Test(arguments: SandboxLimit.allCases)
    func `an exceeded sandbox limit is the outcome of the run`(_ limit: SandboxLimit) {
        let end = SlotEnd(processEnd: .signaled(signal: 9), exceeded: limit)
        var starting = RunStateMachine(limits: limits, traits: [])
        _ = starting.accepted(at: at(0))
        _ = starting.admitted(at: at(0))
        _ = starting.launched(.full)
        var asking = running([])
        _ = asking.questionAsked(Question(number: 1, text: "?", type: .int), at: at(1))
        for run in [starting, running([]), asking] {
            var run = run
            #expect(run.processesEnded(end, at: at(2)) == [.disarmTimer, .conclude(.exceeded(limit)), .vanish])
            #expect(run.account.processEnd == .signaled(signal: 9))
        }
    }

    @Test func `a run that must stop or has its result keeps that outcome when it exceeds a limit`() {
        let end = SlotEnd(processEnd: .signaled(signal: 9), exceeded: .memory)
        var stopped = running([])
        _ = stopped.cancel(.userCancelled, at: at(1))
        #expect(stopped.processesEnded(end, at: at(2)).contains(.conclude(.cancelled(.userCancelled))))
        var liar = running([])
        _ = liar.violated("lies", at: at(1))
        #expect(liar.processesEnded(end, at: at(2)).contains(.conclude(.violated(message: "lies"))))
        var done = running([])
        #expect(done.resultReceived(returned, at: at(1)).contains(.conclude(.done(value: .int(1), dialog: nil))))
        #expect(done.processesEnded(end, at: at(2)) == [.disarmTimer, .vanish])
    }

    @Test(arguments: IsolationGrade.allCases)
    func `the account of a run has its isolation grade`(_ grade: IsolationGrade) {
        var run = RunStateMachine(limits: limits, traits: [])
        _ = run.accepted(at: at(0))
        _ = run.admitted(at: at(0))
        #expect(run.account.isolation == nil)
        var killed = run
        #expect(run.launched(grade) == [.send(.perform)])
        #expect(run.account.isolation == grade)
        _ = killed.cancel(.userCancelled, at: at(1))
        #expect(killed.launched(grade) == [])
        #expect(killed.account.isolation == grade)
    }

    @Test func `a run that is cancelled during its launch is killed and never sent to its worker`() {
        var run = RunStateMachine(limits: limits, traits: .cancellable)
        _ = run.accepted(at: at(0))
        _ = run.admitted(at: at(0))
        #expect(run.cancel(.userCancelled, at: at(1)).starts(with: [.disarmTimer, .signal(.kill)]))
        #expect(run.launched(.full) == [])
        #expect(run.processesEnded(killed, at: at(2)).contains(.conclude(.cancelled(.userCancelled))))
    }

    @Test func `a worker that never begins is killed after the start limit`() {
        var run = RunStateMachine(limits: limits, traits: [])
        _ = run.accepted(at: at(0))
        #expect(run.admitted(at: at(5)).contains(.armTimer(at: .monotonic(at(35).monotonic))))
        #expect(run.timerFired(at: at(35)).contains(.signal(.kill)))
    }

    @Test func `two results, or a result before the run began, are violations`() {
        var twice = running([])
        _ = twice.resultReceived(returned, at: at(1))
        #expect(twice.resultReceived(returned, at: at(1)) == [.disarmTimer, .signal(.kill)])

        var early = RunStateMachine(limits: limits, traits: [])
        _ = early.accepted(at: at(0))
        _ = early.admitted(at: at(0))
        #expect(early.resultReceived(returned, at: at(1)) == [.disarmTimer, .signal(.kill)])
    }

    @Test func `a launcher that exits ends the run with a true outcome`() {
        var run = running([])
        #expect(
            run.launcherLost(at: at(1)).contains { action in
                if case .conclude(.lost) = action { return true }
                return false
            }
        )
    }

    @Test func `while a debugger stops the worker, its clocks are stopped`() {
        var run = running(.progressReporting)
        #expect(run.heldByDebugger(at: at(30)) == [.armTimer(at: .monotonic(at(60).monotonic))])
        #expect(run.timerFired(at: at(60)).first == .send(.cancel(.timeout, grace: .seconds(1))))
        // The clocks that end a run are not stopped, so a cancelled run ends.
        #expect(run.heldByDebugger(at: at(62)).first == .signal(.terminate))
    }

    // MARK: Fixtures

    private func running(_ traits: IntentTraits, limits: RunLimits = RunLimits()) -> RunStateMachine {
        var run = RunStateMachine(limits: limits, traits: traits)
        _ = run.accepted(at: at(0))
        _ = run.admitted(at: at(0))
        _ = run.launched(.full)
        _ = run.started(at: at(0))
        return run
    }

    private let file = FileReference(index: 0, name: "a")
    private let killed = SlotEnd(processEnd: .signaled(signal: 9))
    private let exited = SlotEnd(processEnd: .exited(code: 0))
    private let returned = WorkerResult(ending: .returned(value: .int(1), dialog: nil))
    private var returnedFile: WorkerResult {
        WorkerResult(ending: .returned(value: .file(file), dialog: nil), files: [.path("a")])
    }
}

/// The instant this many seconds after the origin of both clocks.
func at(_ seconds: Int64) -> Now {
    Now(
        monotonic: Now.Monotonic(nanoseconds: seconds * 1_000_000_000),
        boottime: Now.Boottime(nanoseconds: seconds * 1_000_000_000)
    )
}

func report(_ completed: Int64, of total: Int64, title: String? = nil) -> ProgressReport {
    ProgressReport(
        completedUnitCount: completed,
        totalUnitCount: total,
        fraction: Double(completed) / Double(total),
        title: title
    )
}
