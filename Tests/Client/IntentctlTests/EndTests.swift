import IntentClient
import Testing
import intentctl

@Suite struct EndTests {
    private func end(_ outcome: RunOutcome, runtime: Duration = .seconds(31)) -> RunEnd {
        let account = RunAccount(runtime: runtime, signals: ["SIGTERM", "SIGKILL"], leftoverProcessCount: 1)
        return RunEnd(run: RunID(randomBits: 7), outcome: outcome, account: account)
    }

    @Test func `a timeout names the clock and the signals that were sent`() {
        let clocks = EndSentence.Clocks(limit: .seconds(30), ceiling: .seconds(600), reportsProgress: true)
        #expect(
            EndSentence.of(end(.cancelled(.timeout)), clocks: clocks)
                == "cancelled: timeout - no progress for 30 s "
                + "(after 31 s; sent SIGTERM, SIGKILL; killed 1 process that outlived it)"
        )
        let ceiling = EndSentence.of(end(.cancelled(.timeout), runtime: .seconds(601)), clocks: clocks)
        #expect(ceiling?.hasPrefix("cancelled: timeout - reached its ceiling of 10 min") == true)
        let plain = EndSentence.Clocks(limit: .seconds(30), ceiling: .seconds(600), reportsProgress: false)
        let total = EndSentence.of(end(.cancelled(.timeout)), clocks: plain)
        #expect(total?.hasPrefix("cancelled: timeout - not finished within 30 s") == true)
    }

    @Test func `a limit that the operator capped is not reported`() {
        let clocks = EndSentence.Clocks(limit: .seconds(3600), ceiling: .seconds(7200), reportsProgress: true)
        let sentence = EndSentence.of(end(.cancelled(.timeout)), clocks: clocks)
        #expect(sentence?.hasPrefix("cancelled: timeout - no progress within its limit") == true)
    }

    @Test func `every outcome except done has a sentence`() {
        #expect(EndSentence.of(end(.done(value: nil, dialog: nil)), clocks: nil) == nil)
        let endings: [RunOutcome] = [
            .failed(message: "x"), .unanswered(parameter: nil, question: "x"), .cancelled(.userCancelled),
            .crashed(.signaled(signal: 11)), .exceeded(.memory), .violated(message: "x"),
            .notStarted(message: "x"), .busy(message: "x"), .lost(message: "x"),
        ]
        for ending in endings { #expect(EndSentence.of(end(ending), clocks: nil) != nil) }
    }

    @Test func `the end as JSON has fixed keys`() {
        let text = RunDocument.of(RunResult(end(.cancelled(.timeout))), value: nil).text()
        #expect(
            text == """
                {"exitCode":124,"hadLateResult":false,"leftoverProcessCount":1,"outcome":"cancelled","reason":"timeout",\
                "run":"7000000000","runtimeMilliseconds":31000,"signals":["SIGTERM","SIGKILL"]}
                """
        )
    }

    @Test(arguments: [
        (
            SandboxLimit.memory, "memory", "MemoryMax=",
            "exceeded a limit: the app used more memory than MemoryMax= allows."
        ),
        (
            .tasks, "tasks", "TasksMax=",
            "exceeded a limit: the app had more processes and threads than TasksMax= allows."
        ),
        (
            .disk, "disk", "DiskMax=",
            "exceeded a limit: the app wrote more to the run folder than DiskMax= allows."
        ),
        (
            .state, "state", "StateMax=",
            "exceeded a limit: the app's state folder grew larger than StateMax= allows."
        ),
    ])
    func `the end of a run that exceeded a sandbox limit contains the limit and the key to change`(
        _ limit: SandboxLimit,
        _ word: String,
        _ key: String,
        _ beginning: String
    ) {
        #expect(limit.key == key)
        let sentence = EndSentence.of(end(.exceeded(limit)), clocks: nil)
        #expect(sentence?.hasPrefix(beginning) == true, "\(sentence ?? "")")
        let text = RunDocument.of(RunResult(end(.exceeded(limit))), value: nil).text()
        #expect(text.contains(#""exitCode":71"#))
        #expect(text.contains(#""limit":"\#(word)""#))
        #expect(text.contains(#""outcome":"exceeded""#))
        #expect(text.contains("raise \(key) in [Sandbox]"))
    }

    @Test(arguments: [
        (IsolationGrade.full, "failed: x"),
        (.reduced, "failed: x (its isolation was reduced)"),
        (.none, "failed: x (it was not isolated)"),
    ])
    func `an end reports the isolation of its run, and the text omits full isolation`(
        _ grade: IsolationGrade,
        _ sentence: String
    ) {
        let account = RunAccount(isolation: grade)
        let end = RunEnd(run: RunID(randomBits: 7), outcome: .failed(message: "x"), account: account)
        #expect(EndSentence.of(end, clocks: nil) == sentence)
        #expect(RunDocument.of(RunResult(end), value: nil).text().contains(#""isolation":"\#(grade.rawValue)""#))
    }

    @Test func `the first Ctrl-C cancels the run, and the second exits`() {
        var state = InterruptState()
        state.requestSent()
        #expect(state.accepted(run: "r") == .nothing)
        #expect(state.interrupted(at: .seconds(1)) == .cancel)
        #expect(state.interrupted(at: .seconds(2)) == .exit(.tryLater, run: "r"))
    }

    @Test func `two signals at once are one interrupt`() {
        var state = InterruptState()
        state.requestSent()
        #expect(state.accepted(run: "r") == .nothing)
        #expect(state.interrupted(at: .seconds(1)) == .cancel)
        #expect(state.interrupted(at: .milliseconds(1001)) == .nothing)
    }

    @Test func `Ctrl-C before the request exits, and Ctrl-C after it cancels the run later`() {
        var state = InterruptState()
        #expect(state.interrupted(at: .zero) == .exit(.userCancelled, run: nil))
        var asking = InterruptState()
        asking.requestSent()
        #expect(asking.interrupted(at: .zero) == .cancelLater)
        #expect(asking.accepted(run: "r") == .cancel)
    }
}

@Suite struct WhyLinesTests {
    private func shown(_ lines: [String]) -> [String] {
        var whyLines = WhyLines(count: 3)
        for line in lines { whyLines.append(line) }
        return whyLines.shown
    }

    @Test func `the last lines are shown with the reason for Swift's trap`() {
        #expect(shown(["a", "b"]) == ["a", "b"])
        #expect(shown(["a", "b", "c", "d"]) == ["b", "c", "d"])
        let trap = "Probe/A.swift:1: Fatal error: no soup"
        #expect(shown(["a", trap, "0 Probe", "1 libc", "2 libc"]) == [trap, "1 libc", "2 libc"])
        #expect(shown([trap, "b"]) == [trap, "b"])
    }
}
