import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Runs of an earlier intentd that are adopted one by one.
@Suite struct AdoptionTests {
    private static let slot = SlotID(number: 7)

    private func accepted(_ onDisconnect: DisconnectRule = .continue, fileCount: Int = 0, secretNames: [String] = [])
        -> AcceptedRun
    {
        AcceptedRun(
            caller: CallerProcess(Scene.user),
            entryPoint: .socket,
            request: Scene.request(1),
            app: Scene.app.name,
            intent: "Echo",
            traits: [],
            values: ["text": .string("a")],
            secretNames: secretNames,
            fileCount: fileCount,
            onDisconnect: onDisconnect,
            limits: RunLimits()
        )
    }

    private func left(
        _ accepted: AcceptedRun,
        _ state: RunState = .running,
        hasWorker: Bool = true,
        _ change: (inout RunNote) -> Void = { _ in }
    ) -> FoundRun {
        var note = RunNote(run: Scene.run(1), slot: Self.slot, phase: .running)
        note.processStart = at(0).monotonic
        note.deadline = Deadline(limits: RunLimits(), traits: [], at: at(0))
        change(&note)
        let record = UnfinishedRun(
            run: Scene.run(1),
            accepted: accepted,
            acceptedMonotonic: at(0).monotonic.nanoseconds,
            acceptedBoottime: at(0).boottime.nanoseconds,
            state: state,
            slot: state == .queued ? nil : Self.slot
        )
        return FoundRun(
            record,
            app: .found(Scene.app),
            note: state == .queued ? nil : note,
            worker: hasWorker && state != .queued ? FoundRun.Worker(slot: Self.slot, isolation: Scene.isolation) : nil
        )
    }

    private func runTable() -> RunTable {
        RunTable(capacity: RunTable.Capacity(), succession: .adopts, at: at(10))
    }

    private func outcome(in actions: [RunTable.Action]) -> RunOutcome? {
        for case .record(let record) in actions { if case .ended(let end) = record.fact { return end.outcome } }
        return nil
    }

    @Test func `the clocks of a run are stopped while no intentd is running`() {
        var runTable = runTable()
        // The limit is 30 s, and the note has no used time. No intentd was running from second 5 to 10.
        let actions = runTable.handle(.found(left(accepted()), absence: .seconds(5)), at: at(10))
        #expect(actions.contains(.armTimer(.run(Scene.run(1)), at: .monotonic(at(35).monotonic))))
        #expect(actions.contains(.send(Self.slot, Scene.run(1), .resume(number: 1))))
    }

    @Test(
        arguments: [
            (nil, nil, false), (true, nil, true), (true, RecordedAnswer?.some(answer(0, .bool(true))), false),
            (true, answer(0, .bool(false)), true), (true, answer(3, .int(1)), false),
        ] as [(Bool?, RecordedAnswer?, Bool)]
    )
    func `a run in the backlog waits for approval only if its record requires one and contains none`(
        needsApproval: Bool?,
        answer: RecordedAnswer?,
        waits: Bool
    ) {
        var runTable = runTable()
        var accepted = accepted()
        accepted.entryPoint = .mcp
        accepted.needsApproval = needsApproval
        var found = left(accepted, .queued)
        found.record.lastAnswer = answer
        _ = runTable.handle(.found(found, absence: .zero), at: at(10))
        #expect((runTable.openQuestion(of: Scene.run(1)) == 0) == waits)
    }

    /// A history that becomes readable late has no notes of runs. A run with side effects must not be performed again.
    @Test(arguments: [nil, true], [SlotID?.none, SlotID(number: 7)])
    func `a run that has asked a question is lost without its note, unless it waits for approval`(
        needsApproval: Bool?,
        slot: SlotID?
    ) {
        var runTable = runTable()
        var accepted = accepted()
        accepted.entryPoint = .mcp
        accepted.needsApproval = needsApproval
        var found = left(accepted, .asking, hasWorker: false)
        found.note = nil
        found.record.slot = slot
        let isLost = outcome(in: runTable.handle(.found(found, absence: .zero), at: at(10))) != nil
        #expect(isLost == !(needsApproval == true && slot == nil))
        #expect((runTable.openQuestion(of: Scene.run(1)) == 0) == !isLost)
    }

    private static func answer(_ question: UInt64, _ value: IntentValue) -> RecordedAnswer {
        RecordedAnswer(AnswerNotice(question: question, by: CallerProcess(Scene.user)), value: value)
    }

    @Test func `a watcher of an adopted run receives its state`() {
        var runTable = runTable()
        _ = runTable.handle(.found(left(accepted()), absence: .zero), at: at(10))
        let watching = runTable.handle(
            .requested(Scene.client, Scene.user, id: 5, .watch(run: Scene.run(1).text, after: nil)),
            at: at(11)
        )
        let states = watching.compactMap { action -> RunState? in
            guard case .publish(_, let numbered) = action, case .state(let state, _) = numbered.event else {
                return nil
            }
            return state
        }
        #expect(states == [.running])
    }

    @Test func `a run that has ended on record, and has no worker, is not adopted`() {
        var runTable = runTable()
        var found = left(accepted(), hasWorker: false)
        found.record.end = RunEnd(run: Scene.run(1), outcome: .failed(message: "no"), account: RunAccount())
        let actions = runTable.handle(.found(found, absence: .zero), at: at(10))
        let hasExited = actions.contains { action in
            if case .record(let record) = action, case .exited = record.fact { return true }
            return false
        }
        #expect(hasExited && !runTable.isLive(Scene.run(1)))
    }

    @Test func `the owner of an attached run has 30 s to reconnect`() {
        var runTable = runTable()
        let found = runTable.handle(.found(left(accepted(.cancel)), absence: .zero), at: at(10))
        let owner = RunTable.TimerID.owner(Scene.run(1))
        #expect(found.contains(.armTimer(owner, at: .monotonic(at(40).monotonic))))
        var other = runTable
        let watch = RunTable.Request.watch(run: Scene.run(1).text, after: nil, isReturn: true)
        _ = other.handle(.requested(Scene.client, Scene.user, id: 1, watch), at: at(20))
        #expect(other.handle(.timerFired(owner), at: at(40)) == [])
        let alone = runTable.handle(.timerFired(owner), at: at(40))
        #expect(
            alone.contains(
                .send(Self.slot, Scene.run(1), .cancel(reason: .clientDisconnected, graceMilliseconds: 1000))
            )
        )
    }

    @Test func `a run is killed if its adoption crashed intentd twice, and kept otherwise`() {
        let message = "adopting it crashed intentd repeatedly"
        var runTable = runTable()
        let twice = left(accepted()) { $0.failedAdoptions = 2 * RunNote.faultWeight }
        #expect(runTable.handle(.found(twice, absence: .zero), at: at(10)).contains(.signal(Self.slot, .kill)))
        let end = runTable.handle(.ended(Self.slot, Scene.exited, lastLine: nil), at: at(11))
        #expect(outcome(in: end) == .lost(message: message))
        var other = self.runTable()
        let once = left(accepted()) { $0.failedAdoptions = RunNote.faultWeight + 2 }
        #expect(!other.handle(.found(once, absence: .zero), at: at(10)).contains(.signal(Self.slot, .kill)))
        // The worker reported its state, so earlier crashes no longer count.
        let stood = other.handle(
            .reported(Self.slot, .resumed(WorkerState(number: 1, hasBegun: true))),
            at: at(11)
        )
        let notes = stood.compactMap { if case .note(let note) = $0 { note } else { nil } }
        #expect(notes.map(\.failedAdoptions) == [0])
    }

    @Test(arguments: [
        ("its input files were lost", 1, [String]()), ("its secret values (pin) are not recorded", 0, ["pin"]),
    ])
    func `a run with inputs that are not recorded is lost, with that reason`(
        _ reason: String,
        _ fileCount: Int,
        _ names: [String]
    ) {
        var runTable = runTable()
        let run = left(accepted(fileCount: fileCount, secretNames: names), .queued)
        let actions = runTable.handle(.found(run, absence: .zero), at: at(10))
        #expect(outcome(in: actions) == .lost(message: "intentd exited before the run was started: \(reason)"))
    }

    @Test(arguments: [(1, [String]()), (0, ["pin"])])
    func `a queued run starts again while the launcher keeps its inputs`(_ fileCount: Int, _ names: [String]) {
        var runTable = runTable()
        #expect(runTable.handle(.inputsKept(Scene.run(1)), at: at(10)) == [])
        var run = left(accepted(fileCount: fileCount, secretNames: names), .queued)
        if !names.isEmpty { run.remainder = RunRemainder(secrets: ["pin": .string("1")], answers: nil) }
        let actions = runTable.handle(.found(run, absence: .zero), at: at(10))
        #expect(outcome(in: actions) == nil)
        #expect(runTable.isLive(Scene.run(1)))
    }

    @Test func `a lost run keeps its run time`() {
        var runTable = runTable()
        let found = left(accepted(), hasWorker: false) { $0.processStart = at(2).monotonic }
        let actions = runTable.handle(.found(found, absence: .zero), at: at(10))
        let runtimes = actions.compactMap { action -> Duration? in
            guard case .record(let record) = action, case .ended(let end) = record.fact else { return nil }
            return end.account.runtime
        }
        #expect(runtimes == [.seconds(8)])
    }

    @Test func `a queued run is lost if the launcher has dropped its files`() {
        var runTable = runTable()
        _ = runTable.handle(.inputsKept(Scene.run(1)), at: at(10))
        _ = runTable.handle(.inputsDropped(Scene.run(1)), at: at(10))
        let actions = runTable.handle(.found(left(accepted(fileCount: 1), .queued), absence: .zero), at: at(10))
        let message = "intentd exited before the run was started: its input files were lost"
        #expect(outcome(in: actions) == .lost(message: message))
    }

    @Test func `a run in the backlog is left to the next intentd on a stop`() throws {
        var scene = try Scene.ready(places: 1, succession: .adopts)
        for number: UInt64 in 1...2 {
            _ = scene.perform(
                "Echo",
                ["text": .string("a")],
                id: number,
                newRun: Scene.run(number),
                request: number,
                onDisconnect: .continue
            )
        }
        let stop = scene.runTable.handle(.stopRequested, at: at(1))
        let ended = stop.compactMap { action -> RunID? in
            if case .record(let record) = action, case .ended = record.fact { return record.run }
            return nil
        }
        #expect(!ended.contains(Scene.run(2)))
        #expect(stop.contains(.handOver(Scene.run(2))))
    }

    @Test(arguments: [DisconnectRule.cancel, .continue])
    func `a run in the backlog is left to the next intentd if the launcher exits`(_ rule: DisconnectRule) throws {
        var scene = try Scene.ready(places: 1, succession: .adopts)
        _ = scene.echo(1)
        let values: [String: IntentValue] = ["text": .string("a")]
        _ = scene.perform("Echo", values, id: 2, newRun: Scene.run(2), request: 2, onDisconnect: rule)
        let lost = scene.runTable.handle(.launcherLost, at: at(1))
        let ended = lost.compactMap { action -> RunID? in
            if case .record(let record) = action, case .ended = record.fact { return record.run }
            return nil
        }
        #expect(ended == [Scene.run(1)])
        #expect(lost.contains(.handOver(Scene.run(2))))
        #expect(lost.last == .quit(.launcherLost))
    }

    @Test func `no app is reported as broken because the launcher exited`() {
        var runTable = runTable()
        let request = PerformRequest(request: Scene.request(1), app: "Probe", intent: "Echo", values: [:])
        let perform = RunTable.Request.perform(request, newRun: Scene.run(1), .found(Scene.app))
        _ = runTable.handle(.requested(Scene.client, Scene.user, id: 1, perform), at: at(10))
        let lost = runTable.handle(.launcherLost, at: at(11))
        // The waiting client loses its connection, and repeats its request to the next intentd.
        #expect(!lost.contains { if case .answer = $0 { true } else { false } })
        #expect(!lost.contains { if case .reportBroken = $0 { true } else { false } })
        #expect(lost.contains(.forget(Scene.run(1))))
    }

    @Test func `a client that waits for a catalogue is refused when intentd stops`() {
        var runTable = runTable()
        let describe = RunTable.Request.describe(.found(Scene.app))
        let asked = runTable.handle(.requested(Scene.client, Scene.user, id: 1, describe), at: at(10))
        let slot = asked.compactMap { action -> SlotID? in
            if case .launch(let launch) = action { return launch.slot }
            return nil
        }.first
        _ = runTable.handle(.stopRequested, at: at(11))
        let end = SlotEnd(processEnd: .signaled(signal: 9))
        let ended = runTable.handle(.ended(slot ?? Self.slot, end, lastLine: nil), at: at(12))
        #expect(Scene.refusal(in: ended)?.code == .stopping)
        #expect(!ended.contains { if case .reportBroken = $0 { true } else { false } })
    }

    @Test func `a run that had to end before its worker was launched ends with the noted reason`() {
        var runTable = runTable()
        let found = left(
            accepted(),
            hasWorker: false
        ) { note in
            note.phase = .killing
            note.outcome = .cancelled(.userCancelled)
        }
        let actions = runTable.handle(.found(found, absence: .zero), at: at(10))
        #expect(outcome(in: actions) == .cancelled(.userCancelled))
        #expect(actions.contains(.release(Self.slot, Scene.run(1))))
    }

    @Test func `a recorded answer is sent to a worker that did not receive it, without asking again`() {
        var runTable = runTable()
        var found = left(accepted())
        found.record.lastAnswer = RecordedAnswer(AnswerNotice(question: 2, by: accepted().caller), value: .bool(true))
        _ = runTable.handle(.found(found, absence: .zero), at: at(10))
        _ = runTable.handle(.reported(Self.slot, .resumed(WorkerState(number: 1, hasBegun: true))), at: at(10))
        let question = Question(number: 2, text: "Go on?", type: .bool, kind: .confirmation)
        let told = runTable.handle(.reported(Self.slot, .question(question)), at: at(11))
        #expect(told.contains(.send(Self.slot, Scene.run(1), .answer(question: 2, value: .bool(true)))))
        // The run asks another question.
        let other = Question(number: 3, text: "Really?", type: .bool, kind: .confirmation)
        let asked = runTable.handle(.reported(Self.slot, .question(other)), at: at(12))
        #expect(!asked.contains { if case .send(_, _, .answer) = $0 { true } else { false } })
    }

    @Test func `a run that stops because a user declined is cancelled under the next intentd as well`() throws {
        var note = RunNote(run: Scene.run(1), slot: Self.slot, phase: .running)
        note.isDeclined = true
        note.question = 4
        #expect(RunNote(bytes: note.bytes) == note)
        var runTable = runTable()
        let found = left(accepted()) { $0.isDeclined = true }
        _ = runTable.handle(.found(found, absence: .zero), at: at(10))
        _ = runTable.handle(.reported(Self.slot, .resumed(WorkerState(number: 1, hasBegun: true))), at: at(10))
        var actions = runTable.handle(
            .reported(Self.slot, .finished(WorkerResult(ending: .threwCancellation))),
            at: at(11)
        )
        actions += runTable.handle(.ended(Self.slot, Scene.exited, lastLine: nil), at: at(11))
        #expect(outcome(in: actions) == .cancelled(.userCancelled))
    }

    @Test func `the message in a note is cut between scalars`() throws {
        for (text, byteCount) in [("\u{1F1E9}\u{1F1EA}", 104), ("€", 102), ("e\u{301}", 104), ("x", 104)] {
            let message = String(repeating: text, count: 2000)
            var note = RunNote(run: Scene.run(1), slot: Self.slot, phase: .killing)
            note.outcome = .lost(message: message)
            let read = try #require(RunNote(bytes: note.bytes))
            #expect(read.outcome == .lost(message: String(message.prefix(utf8: byteCount))))
        }
    }

    @Test func `an attached run starts again only when its client reconnects`() {
        var runTable = runTable()
        let found = runTable.handle(.found(left(accepted(.cancel), .queued), absence: .zero), at: at(10))
        #expect(!found.contains { if case .launch = $0 { true } else { false } })
        let watch = RunTable.Request.watch(run: Scene.run(1).text, after: nil, isReturn: true)
        let back = runTable.handle(.requested(Scene.client, Scene.user, id: 1, watch), at: at(20))
        #expect(back.contains { if case .launch = $0 { true } else { false } })
    }

    @Test func `an adopted worker that sends too many reports is killed`() {
        var runTable = runTable()
        _ = runTable.handle(.found(left(accepted()), absence: .zero), at: at(10))
        #expect(
            runTable.handle(.violated(Self.slot, message: "too much"), at: at(11)).contains(.signal(Self.slot, .kill))
        )
    }
}
