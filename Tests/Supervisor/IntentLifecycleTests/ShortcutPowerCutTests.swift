import IntentLauncherMessages
import IntentLifecycle
import TestSupport
import Testing

/// Cuts the power after each record that a shortcut of twenty steps causes, with steps that fail and their undo. The unrecorded
/// part is lost, and so are the live runs.
@Suite struct ShortcutPowerCutTests {
    private enum Record: Equatable {
        case accepted(key: String, RunID)
        case ended(key: String, RunEnd)
        case notes(ShortcutMachine.ShortcutNotes)
    }

    private static let run = RunID(randomBits: 1)

    /// Twenty steps: every third fails at its first attempt, one fails for good and is passed over, and the last one fails.
    private static let plan: ShortcutPlan = {
        var plan = ShortcutPlan(title: "Cut")
        plan.undoesOnFailure = true
        plan.steps = (1...20).map { number in
            var step = ShortcutPlan.Step(
                name: "s\(number)",
                line: number,
                work: .perform(app: "App", intent: "I", values: [:])
            )
            step.retryCount = 3
            step.continuesAfterError = number == 7
            if number == 10 { step.work = .wait(milliseconds: 1) }
            return step
        }
        return plan
    }()

    /// Returns the end of an attempt, which depends on the step alone.
    private static func end(_ key: String, _ run: RunID) -> RunEnd {
        var account = RunAccount()
        guard let step = StepKey(key), let number = Int(step.step.dropFirst()) else {
            return RunEnd(run: run, outcome: .done(value: nil, dialog: nil), account: account)
        }
        let fails = number == 20 || number == 7 || number % 3 == 0 && step.attempt == 1
        if !fails, number % 5 > 0 {
            account.details = RunDetails(undo: UndoOffer(intent: IntentReference(intent: "U", values: [:])))
        }
        return RunEnd(
            run: run,
            outcome: fails ? .failed(message: "no") : .done(value: .int(1), dialog: nil),
            account: account
        )
    }

    /// Continues from these records until the end of the shortcut. Returns all records, and the promise that was broken.
    private static func live(from kept: ArraySlice<Record>) -> (records: [Record], broken: String?) {
        var records = Array(kept)
        var notes = ShortcutMachine.ShortcutNotes()
        var steps: [RecordedStep] = []
        for record in kept {
            switch record {
            case .notes(let stored): notes = stored
            case .accepted(let key, let run):
                let known = KnownRun(
                    run: run,
                    app: "App",
                    intent: "I",
                    requester: Requester(.local(user: 1)),
                    end: nil,
                    lastSerial: 0
                )
                steps.append(RecordedStep(key: key, run: known))
            case .ended(let key, let end):
                for index in steps.indices where steps[index].key == key { steps[index].run.end = end }
            }
        }
        // The next intentd finds no worker of a live run.
        for index in steps.indices where steps[index].run.end == nil {
            let end = RunEnd(run: steps[index].run.run, outcome: .lost(message: "the power"), account: RunAccount())
            steps[index].run.end = end
            records.append(.ended(key: steps[index].key, end))
        }
        var machine = ShortcutMachine(plan, run: run, values: [:], notes: notes)
        var wall: Int64 = 0
        var queue = machine.begin(with: steps, at: wall)
        for _ in 0..<10_000 {
            guard !queue.isEmpty else {
                guard let wake = machine.nextWake else { return (records, "the shortcut ends") }
                wall = max(wall, wake)
                queue = machine.timePassed(at: wall)
                continue
            }
            switch queue.removeFirst() {
            case .request(let request):
                let isKnown = records.contains { if case .accepted(request.key, _) = $0 { true } else { false } }
                if isKnown { return (records, "a recorded end is never repeated: \(request.key)") }
                let number = RunID(randomBits: UInt64(records.count + 100))
                records.append(.accepted(key: request.key, number))
                let end = end(request.key, number)
                records.append(.ended(key: request.key, end))
                queue += machine.runEnded(request.key, end, of: "App", at: wall)
            case .store(let stored): records.append(.notes(stored))
            case .end: return (records, broken(records))
            case .cancel, .follow, .ask, .report: break
            }
        }
        return (records, "the shortcut ends")
    }

    /// Returns the promise that the records of an ended shortcut break.
    private static func broken(_ records: [Record]) -> String? {
        var ends: [String: RunEnd] = [:]
        var accepted: Set<String> = []
        for record in records {
            switch record {
            case .accepted(let key, _): if !accepted.insert(key).inserted { return "no run is started twice: \(key)" }
            case .ended(let key, let end):
                if ends.updateValue(end, forKey: key) != nil { return "no run ends twice: \(key)" }
            case .notes: break
            }
        }
        if Set(ends.keys) != accepted { return "no run is live at the end" }
        let undone = accepted.compactMap { UndoKey($0)?.run }
        if Set(undone).count != undone.count { return "no step is undone twice" }
        let undoable = ends.filter { StepKey($0.key) != nil && $0.value.account.details?.undo != nil }.map(\.value.run)
        if Set(undone) != Set(undoable) { return "each step that registered an undo is undone, and no other" }
        for number in 1...20 where number != 10 {
            let own = ends.filter { StepKey($0.key)?.step == "s\(number)" }
            if own.isEmpty { return "no step is lost: s\(number)" }
            let done = own.values.count { if case .done = $0.outcome { true } else { false } }
            if done > 1 { return "no step is done twice: s\(number)" }
        }
        return nil
    }

    @Test func `a power cut after any record, and another one after that, lose and repeat nothing`() {
        let (whole, broken) = Self.live(from: [])
        #expect(broken == nil)
        var cuts = 0
        for first in 0...whole.count {
            let (rest, broken) = Self.live(from: whole[..<first])
            #expect(broken == nil, "cut after \(first): \(broken ?? "")")
            cuts += 1
            // Each second cut in every run takes a second; here, those near the first one.
            let last = Endurance.isWhole ? rest.count : min(rest.count, first + 3)
            for second in min(first, rest.count)...last {
                let (_, broken) = Self.live(from: rest[..<second])
                #expect(broken == nil, "cuts after \(first) and \(second): \(broken ?? "")")
                cuts += 1
            }
        }
        print("records \(whole.count) power cuts \(cuts)")
    }
}
