import IntentLauncherMessages
import IntentLifecycle

/// The surroundings of a shortcut in a simulation: the history, live runs, and an `intentd` that is killed at any point.
struct ShortcutWorld {
    /// A run that the history has recorded.
    private struct Recorded {
        var key: String
        var run: RunID
        var end: RunEnd?
        var isCancelled = false
        /// True once the present machine is told the end of the run.
        var isFollowed = false
        /// True if the present machine learned at its beginning that the run is live. Its request then finds the run, which
        /// may have ended meanwhile.
        var wasLive = false
    }

    private var random: SplitMix64
    private let plan: ShortcutPlan
    private let run = RunID(randomBits: 1)
    private var machine: ShortcutMachine
    private var notes = ShortcutMachine.ShortcutNotes()
    private var recorded: [Recorded] = []
    /// Requests that were decided, but did not reach the history.
    private var pending: [StepRequest] = []
    private var cancellation: CancellationReason?
    private var isAsking = false
    private var question: UInt64 = 0
    /// The questions that a person has declined. The history has recorded these answers.
    private var declined: Set<UInt64> = []
    private var wall: Int64 = 0
    private var lastRun: UInt64 = 1
    private var end: ShortcutEnd?
    private var problem: String?

    init(seed: UInt64) {
        random = SplitMix64(state: seed)
        plan = Self.plan(&random)
        machine = ShortcutMachine(plan, run: run, values: ["list": .array([.int(1), .int(2), .int(3), .int(4)])])
    }

    private static func plan(_ random: inout SplitMix64) -> ShortcutPlan {
        var plan = ShortcutPlan(title: "World")
        plan.undoesOnFailure = random.below(4) > 0
        for number in 0..<(1 + random.below(20)) {
            var work = ShortcutPlan.Work.perform(app: "App", intent: "I", values: ["a": .init([.value(.init("list"))])])
            switch random.below(10) {
            case 0: work = .ask(.init([.text("?")]), type: nil)
            case 1: work = .wait(milliseconds: Int64(1 + random.below(5)))
            default: break
            }
            var step = ShortcutPlan.Step(name: "s\(number)", line: 1, work: work)
            if case .perform = work {
                switch random.below(6) {
                case 0:
                    step.list = ShortcutPlan.Reference("list")
                    step.parallelCount = 1 + random.below(4)
                case 1: step.repeatCount = 1 + random.below(3)
                default: break
                }
                step.retryCount = random.below(3)
                step.continuesAfterError = random.below(5) == 0
            }
            if number > 0, random.below(6) == 0 { step.condition = ShortcutPlan.Condition(.init("s\(number - 1)")) }
            plan.steps.append(step)
        }
        return plan
    }

    /// Lives until the shortcut has ended. Returns the promise that was broken, or nil.
    mutating func live() -> String? {
        perform(machine.begin(with: [], at: wall))
        for _ in 0..<20_000 {
            if let problem { return problem }
            if end != nil { return atTheEnd() }
            turn()
        }
        return "the shortcut ends"
    }

    private mutating func turn() {
        switch random.below(20) {
        case 0...1: crash()
        case 2 where cancellation == nil && random.below(40) == 0:
            cancellation = .userCancelled
            isAsking = false
            perform(machine.cancelled(.userCancelled, at: wall))
        case 3...8 where !pending.isEmpty: accept(pending.remove(at: random.below(pending.count)))
        case 9...16:
            let live = recorded.indices.filter { recorded[$0].end == nil }
            if let index = live.isEmpty ? nil : live[random.below(live.count)] { finish(index) }
        case 17 where isAsking:
            isAsking = false
            let isYes = random.below(8) > 0
            if !isYes { declined.insert(question) }
            perform(machine.answered(.bool(isYes), at: wall))
        default:
            wall += 1_000_000_000
            perform(machine.timePassed(at: wall))
        }
    }

    /// The next `intentd` has what was recorded, and nothing else.
    private mutating func crash() {
        pending = []
        isAsking = false
        for index in recorded.indices {
            recorded[index].isFollowed = false
            recorded[index].wasLive = recorded[index].end == nil
        }
        machine = ShortcutMachine(
            plan,
            run: run,
            values: ["list": .array([.int(1), .int(2), .int(3), .int(4)])],
            notes: notes
        )
        var actions: [ShortcutMachine.Action] = []
        if let cancellation { actions += machine.cancelled(cancellation, at: wall) }
        actions += machine.begin(
            with: recorded.map { recorded in
                var known = KnownRun(
                    run: recorded.run,
                    app: "App",
                    intent: "I",
                    requester: Requester(.local(user: 1)),
                    end: recorded.end,
                    lastSerial: 0
                )
                known.lastUndo = nil
                return RecordedStep(key: recorded.key, run: known)
            },
            at: wall
        )
        perform(actions)
    }

    private mutating func accept(_ request: StepRequest) {
        // A repeated request finds its run, which may have ended since the request was decided.
        if let known = recorded.firstIndex(where: { $0.key == request.key }) {
            recorded[known].isFollowed = true
            if let end = recorded[known].end { perform(machine.runEnded(request.key, end, of: "App", at: wall)) }
            return
        }
        // A limit refuses some requests.
        if random.below(12) == 0 { return perform(machine.runDelayed(request, until: wall + 1_000_000_000)) }
        lastRun += 1
        recorded.append(Recorded(key: request.key, run: RunID(randomBits: lastRun), isFollowed: true))
    }

    private mutating func finish(_ index: Int) {
        let isUndo = StepKey(recorded[index].key) == nil
        var account = RunAccount()
        let outcome: RunOutcome =
            recorded[index].isCancelled && random.below(3) > 0
            ? .cancelled(.userCancelled)
            : random.below(isUndo ? 20 : 8) == 0 ? .failed(message: "no") : .done(value: .int(1), dialog: nil)
        if case .done = outcome, !isUndo, random.below(4) > 0 {
            let reference = IntentReference(intent: "U", values: ["run": .string(recorded[index].run.text)])
            account.details = RunDetails(undo: UndoOffer(intent: reference))
        }
        let end = RunEnd(run: recorded[index].run, outcome: outcome, account: account)
        recorded[index].end = end
        // The crash can come between the record and the report.
        if random.below(10) == 0 { return crash() }
        if recorded[index].isFollowed { perform(machine.runEnded(recorded[index].key, end, of: "App", at: wall)) }
    }

    private mutating func perform(_ actions: [ShortcutMachine.Action]) {
        for action in actions {
            if end != nil { problem = "nothing happens after the end: \(action)" }
            switch action {
            case .request(let request):
                check(request)
                pending.append(request)
            case .cancel(let key, _):
                for index in recorded.indices where recorded[index].key == key { recorded[index].isCancelled = true }
            // A request that is cancelled before it is accepted is accepted, and then ends.
            case .follow(let key, let run):
                if let index = recorded.firstIndex(where: { $0.key == key && $0.run == run }) {
                    recorded[index].isFollowed = true
                } else {
                    problem = "only known runs are followed"
                }
            case .ask(let asked):
                question = asked.number
                isAsking = !declined.contains(question)
                if !isAsking { perform(machine.answered(.bool(false), at: wall)) }
            case .report: break
            case .store(let notes): self.notes = notes
            case .end(let end): self.end = end
            }
        }
    }

    private mutating func check(_ request: StepRequest) {
        if pending.contains(where: { $0.key == request.key }) { problem = "a key is requested once: \(request.key)" }
        if recorded.contains(where: { $0.key == request.key && $0.end != nil && !$0.wasLive }) {
            problem = "a key with a recorded end is never requested again: \(request.key)"
        }
        guard let undo = UndoKey(request.key) else { return }
        guard let undone = recorded.firstIndex(where: { $0.run == undo.run }) else {
            return problem = "only recorded runs are undone"
        }
        // The undo of a run that began later has begun before.
        let later = recorded[(undone + 1)...].filter { other in
            if case .done? = other.end?.outcome, other.end?.account.details?.undo != nil {
                StepKey(other.key) != nil
            } else {
                false
            }
        }
        for other in later {
            let key = UndoKey(run: other.run, attempt: 1).text
            if plan.steps.allSatisfy({ $0.list == nil }), !recorded.contains(where: { $0.key == key && $0.end != nil })
            {
                problem = "steps are undone in reverse order: \(request.key) before \(other.key)"
            }
        }
    }

    private func atTheEnd() -> String? {
        if recorded.contains(where: { $0.end == nil }) { return "no run is live at the end" }
        let keys = recorded.map(\.key)
        if Set(keys).count != keys.count { return "no step is performed twice" }
        let undone = keys.compactMap(UndoKey.init).map(\.run)
        if Set(undone).count != undone.count { return "no step is undone twice" }
        guard case .threw? = end?.ending, plan.undoesOnFailure else { return nil }
        for run in recorded where StepKey(run.key) != nil {
            if case .done? = run.end?.outcome, run.end?.account.details?.undo != nil, !undone.contains(run.run) {
                return "after a failure, every ended step that registered an undo is undone: \(run.key)"
            }
        }
        return nil
    }
}

extension SplitMix64 {
    fileprivate mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
