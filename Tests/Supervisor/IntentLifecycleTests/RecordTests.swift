import IntentLauncherMessages
import IntentLifecycle
import Testing

@Suite struct RecordTests {
    private static func facts(_ actions: [RunTable.Action]) -> [RunRecord.Fact] {
        actions.compactMap { if case .record(let record) = $0 { record.fact } else { nil } }
    }

    @Test func `a run is recorded with its caller, intent and limits before it is accepted`() throws {
        var scene = try Scene.ready()
        let actions = scene.perform("AddIntent", ["left": .int(1)], limit: 5000)
        let record = try #require(actions.firstIndex { if case .record = $0 { true } else { false } })
        let answer = try #require(actions.firstIndex { if case .answer = $0 { true } else { false } })
        #expect(record < answer)
        guard case .accepted(let run)? = Self.facts(actions).first else {
            Issue.record("the first record is the acceptance")
            return
        }
        #expect(run.caller.user == 1000)
        #expect(run.intent == "AddIntent")
        #expect(run.values == ["left": .int(1)])
        #expect(run.limits.runtime == .seconds(5))
    }

    @Test func `the slot of a run is recorded before its worker receives the run`() throws {
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")]), mode: .once)
        let told = scene.launched(slot)
        #expect(Self.facts(told) == [])
        let facts = Self.facts(scene.perform("Echo", ["text": .string("a")], newRun: Scene.run(2), request: 2))
        guard case .state(.starting, _, let given?)? = facts.last else {
            Issue.record("starting is on record with its worker: \(facts)")
            return
        }
        #expect(given != slot)
    }

    @Test func `the values of secret parameters are not recorded, only their names`() throws {
        var scene = try Scene.ready()
        var app = Scene.app
        app.secretNames = ["text"]
        let actions = scene.perform("Echo", ["text": .string("hush")], app: app)
        let facts = Self.facts(actions)
        let kept = actions.compactMap { if case .keep(_, let remainder) = $0 { remainder.secrets } else { nil } }
        #expect(kept == [["text": .string("hush")]])
        guard case .accepted(let run)? = facts.first else {
            Issue.record("the first record is the acceptance")
            return
        }
        #expect(run.values == [:])
        #expect(run.secretNames == ["text"])
    }

    private func refused(_ host: String, _ port: UInt16?, _ reason: RefusedConnection.Reason) -> RefusedConnection {
        RefusedConnection(host: host, port: port, reason: reason)
    }

    /// The details of a run in a slot that ends after these events.
    private func details(
        _ ending: WorkerEnding,
        after events: (SlotID) -> [RunTable.Event]
    ) throws -> RunDetails? {
        var scene = try Scene.ready()
        var app = Scene.app
        app.grants.hasHosts = true
        let slot = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")], app: app), mode: .once)
        _ = scene.runTable.handle(.launched(slot, Isolation(grade: .full, parts: [])), at: at(0))
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        #expect(scene.runTable.mayHaveRefusals(in: slot))
        for event in events(slot) { _ = scene.runTable.handle(event, at: at(1)) }
        let result = WorkerResult(ending: ending, details: RunDetails(failedCall: FailedCall(errorNumber: 104)))
        let facts = Self.facts(scene.runTable.handle(.reported(slot, .finished(result)), at: at(2)))
        return facts.lazy.compactMap { if case .ended(let end) = $0 { end } else { nil } }.first?.account.details
    }

    @Test func `a refused connection says more about a failure than a refused look-up, and nothing about a success`()
        throws
    {
        let events: (SlotID) -> [RunTable.Event] = { slot in
            [
                .hosts([slot], .refused(self.refused("own", nil, .notGranted))),
                .hosts([slot], .refused(self.refused("tracker.example", 443, .notGranted))),
                .hosts([slot], .refused(self.refused("absent.example", nil, .notGranted))),
            ]
        }
        let denial = try #require(try details(.threw(message: "no"), after: events)?.denial)
        #expect(denial.host == "tracker.example:443" && denial.key == "AllowHosts=tracker.example:443")
        #expect(denial.isCertain == true && denial.subject == .network)
        #expect(try details(.returned(value: nil, dialog: nil), after: events)?.denial == nil)
    }

    @Test(arguments: [
        (RefusedConnection.Reason.privateAddress, "AllowHosts=a.example:443,private"),
        (.otherName, "AllowHosts=a.example:443,unchecked"), (.declined, "AllowHosts=a.example:443"), (.noAddress, ""),
        (.unreachable, ""), (.limit, ""), (.credential, ""), (.request, ""), (.certificate, ""),
    ])
    func `a refused connection names the grant that permits it`(_ reason: RefusedConnection.Reason, _ key: String)
        throws
    {
        let details = try details(.threw(message: "no")) {
            [.hosts([$0], .refused(self.refused("a.example", 443, reason)))]
        }
        #expect(details?.denial?.key == key)
    }

    @Test func `the use of hosts is in the record of the run, for at most 64 hosts`() throws {
        let use = HostUse(host: "a.example:443", connectionCount: 1, sentByteCount: 5, receivedByteCount: 7)
        let recorded = try details(.threw(message: "no")) { slot in
            [
                .hosts([slot], .used(hosts: [use])), .hosts([slot], .used(hosts: [use])),
                .hosts([slot], .refused(self.refused("b.example", 80, .notGranted))),
                .hosts([SlotID(number: 999)], .used(hosts: [use])),
            ]
        }
        let sum = HostUse(host: "a.example:443", connectionCount: 2, sentByteCount: 10, receivedByteCount: 14)
        #expect(recorded?.hosts == [sum, HostUse(host: "b.example:80", refusedCount: 1, grant: "b.example:80")])
        let credential = HostUse(host: "c.example:443", connectionCount: 1, credential: "github", requests: ["GET /a"])
        let requests = try details(.threw(message: "no")) { slot in
            [.hosts([slot], .used(hosts: [credential, credential]))]
                + (0..<50).map { number in
                    .hosts([slot], .used(hosts: [HostUse(host: "c.example:443", requests: ["GET /\(number)"])]))
                }
        }
        #expect(requests?.hosts?.first?.credential == "github")
        #expect(requests?.hosts?.first?.requests?.count == 32)
        #expect(requests?.hosts?.first?.requests?.prefix(2) == ["GET /a", "GET /0"])
        let many = try details(.threw(message: "no")) { slot in
            [.hosts([slot], .used(hosts: (0..<100).map { HostUse(host: "h\($0):1", connectionCount: 1) }))]
        }
        #expect(many?.hosts?.count == 64)
    }

    private func details(under grade: IsolationGrade, _ details: RunDetails) throws -> RunDetails? {
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")]), mode: .once)
        _ = scene.runTable.handle(.launched(slot, Isolation(grade: grade, parts: [])), at: at(0))
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let result = WorkerResult(ending: .threw(message: "no"), details: details)
        let facts = Self.facts(scene.runTable.handle(.reported(slot, .finished(result)), at: at(1)))
        return facts.lazy.compactMap { if case .ended(let end) = $0 { end } else { nil } }.first?.account.details
    }

    @Test func `intentd itself decides whether the sandbox caused an error, and ignores the worker's claim`()
        throws
    {
        var told = RunDetails(code: "c", failedCall: FailedCall(errorNumber: 2, path: "/etc/hosts"))
        told.denial = SandboxDenial(subject: .reading, path: "/etc/shadow", key: "ReadPaths=/etc")
        let judged = try details(under: .full, told)
        #expect(judged?.denial?.key == "ReadPaths=/etc/hosts")
        #expect(judged?.failedCall == nil)
        #expect(judged?.code == "c")
        // Without a sandbox, no access was denied.
        #expect(try details(under: .none, told) == RunDetails(code: "c"))
        told.failedCall = FailedCall(errorNumber: 2, path: "/" + String(repeating: "x", count: 5000))
        #expect(try details(under: .full, told) == RunDetails(code: "c"))
    }

    @Test func `intents that a run donates or opens are recorded without secrets, and published in full`() throws {
        var scene = try Scene.ready()
        var app = Scene.app
        app.intentRules["Echo", default: IntentRules()].secretNames = ["text"]
        let slot = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")], app: app), mode: .once)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let known = IntentReference(intent: "Echo", values: ["text": .string("hush")])
        let unknown = IntentReference(intent: "Unknown", values: ["text": .string("hush")])
        let result = WorkerResult(
            ending: .returned(value: nil, dialog: nil),
            details: RunDetails(opens: known, donations: [known, unknown])
        )
        let actions = scene.runTable.handle(.reported(slot, .finished(result)), at: at(1))
        for case .ended(let end) in Self.facts(actions) {
            #expect(end.account.details?.opens?.values == [:])
            #expect(end.account.details?.donations?.map(\.values) == [[:], [:]])
        }
        let told = actions.lazy.compactMap { action in
            if case .publish(_, let event) = action, case .finished(let end) = event.event { end } else { nil }
        }.first
        #expect(told?.account.details?.opens == known)
    }

    @Test func `a run that cannot be recorded is never sent to its worker, and can be requested again`() throws {
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")]), mode: .once)
        let withdrawn = scene.runTable.handle(.notRecorded(Scene.run(1), message: "full"), at: at(1))
        #expect(withdrawn.contains(.signal(slot, .kill)))
        #expect(Self.facts(withdrawn) == [])
        let gone = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(1))
        #expect(gone.contains(.forget(Scene.run(1))))
        #expect(!gone.contains { if case .publish = $0 { true } else { false } })
        // A request with the same identifier makes a new run now.
        let again = scene.perform("Echo", ["text": .string("a")], id: 2, newRun: Scene.run(2))
        #expect(again.contains(.answer(Scene.client, id: 2, .accepted(run: Scene.run(2)))))
    }

    @Test func `a queued run that cannot be recorded leaves the backlog at once`() throws {
        var scene = try Scene.ready(places: 1)
        _ = scene.echo(1)
        _ = scene.echo(2)
        let actions = scene.runTable.handle(.notRecorded(Scene.run(2), message: "full"), at: at(1))
        #expect(actions.contains(.forget(Scene.run(2))))
        #expect(scene.runTable.load.queuedCount == 0)
    }

    @Test func `a client that repeats a recorded request becomes an owner of that run`() throws {
        var scene = try Scene.ready()
        _ = scene.perform("Echo", ["text": .string("a")])
        let end = RunEnd(run: Scene.run(9), outcome: .done(value: .int(1), dialog: nil), account: RunAccount())
        let known = KnownRun(
            run: Scene.run(9),
            app: "Probe",
            intent: "Echo",
            requester: Requester(.local(user: 1000)),
            end: end,
            lastSerial: 4
        )
        let origin = RunTable.WaitingClient(client: Scene.client, id: 1)
        let actions = scene.runTable.handle(.foundOnRecord(Scene.run(1), known, [origin]), at: at(1))
        #expect(actions.contains(.answer(Scene.client, id: 1, .accepted(run: Scene.run(9)))))
        let event = NumberedEvent(run: Scene.run(9), serial: 4, .finished(end))
        #expect(actions.contains(.publish([Scene.client], event)))
    }

    @Test func `a new run is refused while history accepts none, and a repeated request is not`() throws {
        var scene = try Scene.ready()
        let problem = ErrorReport(.historyUnavailable, "the disk is full")
        let actions = scene.perform("Echo", ["text": .string("a")], refusal: problem)
        #expect(Scene.refusal(in: actions)?.code == .historyUnavailable)
        #expect(actions.contains(.forget(Scene.run(1))))
        _ = scene.perform("Echo", ["text": .string("a")])
        let again = scene.perform("Echo", ["text": .string("a")], id: 2, newRun: Scene.run(2), refusal: problem)
        #expect(again.contains(.answer(Scene.client, id: 2, .accepted(run: Scene.run(1)))))
    }

    @Test func `a cancel request for a run that only history has is answered with its end`() {
        var scene = Scene()
        let (known, end) = Self.recalledRun
        let origin = RunTable.WaitingClient(client: Scene.client, id: 3)
        let actions = scene.runTable.handle(.endRecalled(origin, known, end, for: .cancelling), at: at(1))
        #expect(actions == [.answer(Scene.client, id: 3, .ended(end))])
    }

    @Test func `a watch request for a run that only history has receives its last event`() {
        var scene = Scene()
        let (known, end) = Self.recalledRun
        let origin = RunTable.WaitingClient(client: Scene.client, id: 3)
        let watched = WatchedRun(run: known.run, app: "Probe", intent: "Echo", live: nil)
        #expect(
            scene.runTable.handle(.endRecalled(origin, known, end, for: .watching), at: at(1)) == [
                .answer(Scene.client, id: 3, .watching(watched)),
                .publish([Scene.client], NumberedEvent(run: known.run, serial: 4, .finished(end))),
            ]
        )
    }

    private static var recalledRun: (KnownRun, RunEnd) {
        let end = RunEnd(
            run: Scene.run(9),
            outcome: .done(value: .int(1), dialog: nil),
            account: RunAccount(),
            fileCount: 0
        )
        let known = KnownRun(
            run: Scene.run(9),
            app: "Probe",
            intent: "Echo",
            requester: Requester(.local(user: 1000)),
            end: end,
            lastSerial: 4
        )
        return (known, end)
    }

    @Test func `the clock that ended a run is recorded`() throws {
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")]), mode: .once)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        _ = scene.runTable.handle(.timerFired(.run(Scene.run(1))), at: at(30))
        let facts = Self.facts(scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(31)))
        guard case .ended(let end)? = facts.first else {
            Issue.record("the end is on record: \(facts)")
            return
        }
        #expect(end.outcome == .cancelled(.timeout))
        #expect(end.clock == .total)
        guard case .exited(let exit)? = facts.last else {
            Issue.record("the exit status is not recorded: \(facts)")
            return
        }
        #expect(exit.processEnd == Scene.exited.processEnd)
    }
}
