import IntentLauncherMessages
import IntentLifecycle
import Testing

@Suite struct UndoRuleTests {
    private let run = RunID(randomBits: 1)
    private let earlier = RunID(randomBits: 2)

    private func rule(after outcome: RunOutcome?, hadLateResult: Bool = false, attempt: Int = 1) -> UndoRule {
        var account = RunAccount(runtime: .milliseconds(1))
        account.hadLateResult = hadLateResult
        return UndoRule(
            undoing: run,
            after: UndoAttempt(
                key: UndoKey(run: run, attempt: attempt),
                run: earlier,
                end: outcome.map { RunEnd(run: earlier, outcome: $0, account: account) }
            )
        )
    }

    @Test func `the first attempt is a run of its own`() {
        let rule = UndoRule(undoing: run, after: nil)
        #expect(rule.key.text == "undo:\(run)")
        #expect(rule.retryOf == nil)
    }

    @Test func `an attempt that is running, succeeded, or succeeded late is not repeated`() {
        for rule in [
            rule(after: nil), rule(after: .done(value: nil, dialog: nil)),
            rule(after: .cancelled(.timeout), hadLateResult: true),
        ] {
            #expect(rule.key == UndoKey(run: run, attempt: 1))
            #expect(rule.retryOf == nil)
        }
    }

    @Test(arguments: [
        RunOutcome.failed(message: "no"), .cancelled(.timeout), .cancelled(.userCancelled), .busy(message: "full"),
        .unanswered(parameter: nil, question: "?"), .crashed(.signaled(signal: 9)), .exceeded(.memory),
        .violated(message: "lies"), .notStarted(message: "gone"), .lost(message: "gone"),
    ])
    func `a failed attempt is repeated once it has released its slot`(outcome: RunOutcome) {
        let rule = rule(after: outcome, attempt: 2)
        #expect(rule.key.text == "undo:\(run):3")
        #expect(rule.retryOf == earlier)
    }

    @Test func `a key names its run and attempt, or is not an undo key`() {
        for attempt in [1, 2, 3, 17] {
            let key = UndoKey(run: run, attempt: attempt)
            #expect(UndoKey(key.text) == key)
            #expect(UndoKey.range(of: run).contains(key.text))
        }
        for text in [
            "", "undo", "undo:", "undo:\(run):", "undo:\(run):1", "undo:\(run):02", "undo:\(run):-2",
            "undo:\(run):99999999999999999999", "undo:\(run):2:3", "redo:\(run)", "undo:short",
        ] {
            #expect(UndoKey(text) == nil, "\(text)")
        }
        #expect(!UndoKey.range(of: run).contains(UndoKey(run: earlier, attempt: 1).text))
    }
}
