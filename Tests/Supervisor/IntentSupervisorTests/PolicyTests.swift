import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import TestSupport
import Testing

@testable import IntentSupervisor

/// Decisions that need neither a loop nor a process.
@Suite struct PolicyTests {
    private let ann = Caller.local(user: 1000, account: "ann")
    private let ben = Caller.local(user: 1001, account: "ben")

    // MARK: Quoting

    @Test func `a shell reads a quoted path as it is`() throws {
        let words = HostileText.all.map(GrantCheck.quoted).joined(separator: " ")
        let (text, isSuccess) = try ChildProcess.output(of: "/bin/sh", arguments: ["-c", "printf '%s.' \(words)"])
        #expect(isSuccess && text.utf8.elementsEqual(HostileText.all.map { $0 + "." }.joined().utf8))
    }

    @Test(arguments: HostileText.all)
    func `the value of a label is one literal on one line`(_ text: String) {
        var metrics = OpenMetricsText()
        metrics.begin("runs", .counter, "help")
        metrics.sample("_total", [("app", text)], 1)
        let sample = metrics.finish().utf8.split(separator: UInt8(ascii: "\n")).dropFirst(2).first ?? ""[...].utf8
        let literal = sample.dropFirst("runs_total{app=".utf8.count).dropLast("} 1".utf8.count)
        // A carriage return is permitted in a value (OpenMetrics 1.0, "escaped-string").
        let text = Substring(literal).replacing(utf8: "\r", with: " ")
        #expect(HostileText.isOneLiteral(text), "\(Substring(sample))")
    }

    // MARK: Adoption

    private func note(_ run: UInt64, in slot: UInt64) -> RunNote {
        RunNote(run: Sample.run(run), slot: SlotID(number: slot), phase: .running)
    }

    private func plan(
        _ runs: [UnfinishedRun],
        notes: [RunNote],
        workers: [UInt64],
        lastSlot: UInt64 = 0
    ) -> AdoptionPlan {
        AdoptionPlan(runs: runs, notes: notes, workers: workers.map { SlotID(number: $0) }, lastSlot: lastSlot)
    }

    @Test func `a run, its note and its worker are matched by the recorded slot`() {
        let plan = plan([Sample.unfinished(1, slot: 7)], notes: [note(1, in: 7)], workers: [7])
        #expect(plan.notes == [Sample.run(1): note(1, in: 7)])
        #expect(plan.unclaimed.isEmpty)
        #expect(plan.forgotten.isEmpty)
    }

    @Test func `a worker is unclaimed if the note of its slot is for another run than the recorded one`() {
        let plan = plan([Sample.unfinished(1, slot: 7)], notes: [note(2, in: 7)], workers: [7])
        #expect(plan.notes.isEmpty)
        #expect(plan.unclaimed == [SlotID(number: 7)])
    }

    @Test func `a spare worker, which has no note, is unclaimed`() {
        #expect(plan([], notes: [], workers: [3]).unclaimed == [SlotID(number: 3)])
    }

    @Test func `a note without a worker or a run is forgotten, and the note of a run with an exited worker is kept`() {
        let plan = plan([Sample.unfinished(1, slot: 7)], notes: [note(1, in: 7), note(2, in: 8)], workers: [])
        #expect(plan.notes[Sample.run(1)] != nil)
        #expect(plan.forgotten == [SlotID(number: 8)])
    }

    @Test(arguments: [(5, 9), (11, 11)] as [(UInt64, UInt64)])
    func `no slot number in a note, a record or a report of the launcher is reused`(
        launcher: UInt64,
        last: UInt64
    ) {
        let plan = plan([Sample.unfinished(1, slot: 9)], notes: [note(2, in: 8)], workers: [4], lastSlot: launcher)
        #expect(plan.lastSlot == last)
    }

    @Test func `intentd waits for an unreadable history while workers are live or the problem may pass`() {
        #expect(AdoptionPlan.patience(hasWorkers: true, mayPass: false) == .seconds(10))
        #expect(AdoptionPlan.patience(hasWorkers: false, mayPass: true) == .seconds(3))
        #expect(AdoptionPlan.patience(hasWorkers: false, mayPass: false) == nil)
    }

    // MARK: The end

    @Test func `the program ends when no client waits for a record and the log is on disk`() {
        func decide(_ cause: RunTable.QuitCause, log: Bool, gate: Bool, broken: Bool = false) -> QuitPatience {
            QuitPatience.decide(cause, isLogSettled: log, isGateOpen: gate, isHistoryBroken: broken)
        }
        #expect(decide(.stopped, log: true, gate: true) == .quit)
        #expect(decide(.stopped, log: true, gate: false) == .wait(.seconds(3)))
        #expect(decide(.stopped, log: false, gate: true) == .wait(.seconds(20)))
        #expect(decide(.stopped, log: true, gate: false, broken: true) == .wait(.seconds(3)))
        #expect(decide(.launcherLost, log: true, gate: false, broken: true) == .quit)
        #expect(decide(.launcherLost, log: false, gate: false, broken: true) == .wait(.seconds(20)))
    }

    // MARK: Paths

    @Test func `a folder contains no path that is only equivalent according to Unicode`() {
        func isBelow(_ path: String, _ root: String) -> Bool {
            PassedFile(name: .verified(path), byteCount: 3, contents: .copy(digest: "")).isBelow([root])
        }
        #expect(!isBelow("/home/e\u{301}/key", "/home/\u{E9}"))
        #expect(isBelow("/home/\u{E9}/key", "/home/\u{E9}"))
        #expect(isBelow("/srv/\u{301}key", "/srv"))
    }

    @Test func `a path in a command is one word of a shell`() throws {
        let path = "/srv/a'\u{301};echo INJECTED;'\u{301}b $HOME `id`"
        let (text, isSuccess) = try ChildProcess.output(
            of: "/bin/sh",
            arguments: ["-c", "printf %s \(GrantCheck.quoted(path))"]
        )
        #expect(isSuccess)
        #expect(Array(text.utf8) == Array(path.utf8))
    }

    // MARK: Operators

    @Test(arguments: OperatorRequest.allCases)
    func `only an operator may make an operator's request, and the refusal states which users are operators`(
        request: OperatorRequest
    ) throws {
        #expect(request.refusal(for: .operator) == nil)
        let refusal = try #require(request.refusal(for: .user))
        #expect(refusal.code == .notPermitted)
        #expect(refusal.hint?.contains("intentd-operators") == true)
    }

    // MARK: Undo

    private func known(undo: UndoOffer?) -> (KnownRun, RunEnd) {
        var account = RunAccount()
        account.details = RunDetails(undo: undo)
        let end = RunEnd(run: Sample.run(1), outcome: .done(value: nil, dialog: nil), account: account)
        return (
            KnownRun(
                run: Sample.run(1),
                app: "Notes",
                intent: "Delete",
                requester: Requester(ann),
                end: end,
                lastSerial: 3
            ), end
        )
    }

    private func undo(_ offer: UndoOffer?, by user: Caller) -> Result<PerformRequest, ErrorReport> {
        let (known, end) = known(undo: offer)
        var request = PerformRequest(app: "", intent: "")
        request.undoOf = known.run
        return UndoDecision.request(undoing: known, end, by: Requester(user), .user, request)
    }

    @Test func `an undo performs the registered intent with a key of its own`() throws {
        let offer = UndoOffer(intent: IntentReference(intent: "Restore", values: ["note": .string("n1")]))
        let request = try undo(offer, by: ann).get()
        #expect(request.app == "Notes")
        #expect(request.intent == "Restore")
        #expect(request.values == ["note": .string("n1")])
        #expect(request.undoOf == nil)
        #expect(request.key == UndoRule(undoing: Sample.run(1), after: nil).key.text)
    }

    @Test func `another user cannot undo a run`() {
        let offer = UndoOffer(intent: IntentReference(intent: "Restore", values: [:]))
        #expect(throws: ErrorReport.self) { try undo(offer, by: ben).get() }
        #expect(undo(offer, by: ben).refusalCode == .notPermitted)
    }

    @Test func `a run that registered nothing, or only closures, cannot be undone`() {
        #expect(undo(nil, by: ann).refusalCode == .cannotUndo)
        #expect(undo(UndoOffer(name: "Delete"), by: ann).refusalCode == .cannotUndo)
    }
}

extension Result where Failure == ErrorReport {
    fileprivate var refusalCode: ErrorReport.Code? {
        if case .failure(let error) = self { return error.code }
        return nil
    }
}
