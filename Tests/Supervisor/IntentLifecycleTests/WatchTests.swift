import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Tests which events watchers of a run receive, and that watching does not affect a run.
@Suite struct WatchTests {
    private static let watcher = ClientID(number: 2)
    private static let run = Scene.run(1)

    /// A scene with one live run of client 1.
    private func running(onDisconnect: DisconnectRule = .cancel) throws -> (Scene, SlotID) {
        var scene = try Scene.ready()
        let actions = scene.perform("Echo", ["text": .string("a")], onDisconnect: onDisconnect)
        let slot = try scene.launchedSlot(actions, mode: .once)
        _ = scene.runTable.handle(.launched(slot, Scene.isolation), at: at(0))
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        return (scene, slot)
    }

    @Test func `the end of a run, with its files, is looked up only for users who may fetch them`() throws {
        var (scene, slot) = try running()
        func found(_ user: Caller, _ rank: RunAccess.Rank = .user) -> String {
            switch scene.runTable.end(of: Self.run.text, for: Requester(user), rank) {
            case .known: "known"
            case .live: "live"
            case .unknown: "unknown"
            }
        }
        let other = Caller.local(user: 1001)
        #expect(found(Scene.user) == "live" && found(other) == "unknown" && found(other, .operator) == "live")
        scene.finish(slot)
        #expect(found(Scene.user) == "known" && found(other) == "unknown" && found(other, .operator) == "known")
    }

    private func watch(
        _ scene: inout Scene,
        run: String = Self.run.text,
        after: UInt64? = nil,
        user: Caller = Scene.user
    ) -> [RunTable.Action] {
        scene.runTable.handle(.requested(Self.watcher, user, id: 5, .watch(run: run, after: after)), at: at(1))
    }

    private func report(_ completed: Int64) -> WorkerReport {
        .progress(ProgressReport(completedUnitCount: completed, totalUnitCount: 10, fraction: Double(completed) / 10))
    }

    /// The events published to a client, in order.
    private func heard(_ client: ClientID, in actions: [RunTable.Action]) -> [NumberedEvent] {
        actions.compactMap { action in
            if case .publish(let clients, let event) = action, clients.contains(client) { return event }
            return nil
        }
    }

    /// Ends a run that has begun.
    @discardableResult
    private func finish(_ scene: inout Scene, _ slot: SlotID) -> [RunTable.Action] {
        let result = WorkerResult(ending: .returned(value: nil, dialog: nil))
        return scene.runTable.handle(.reported(slot, .finished(result)), at: at(0))
            + scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0))
    }

    private func endsRun(_ actions: [RunTable.Action]) -> Bool {
        actions.contains { if case .send(_, _, .cancel) = $0 { true } else { false } }
    }

    @Test func `a watcher receives the state of the run, and then the same events as its owner`() throws {
        var (scene, slot) = try running()
        let actions = watch(&scene)
        guard case .answer(Self.watcher, id: 5, .watching(let watched))? = actions.first else {
            Issue.record("the answer does not come first")
            return
        }
        #expect(watched.run == Self.run)
        #expect(watched.app == "Probe")
        #expect(watched.live?.state == .running)
        let output = scene.runTable.handle(.printed(slot, .stdout, text: "hi"), at: at(1))
        #expect(heard(Scene.client, in: output) == heard(Self.watcher, in: output))
        #expect(heard(Self.watcher, in: output).count == 1)
        let ended = finish(&scene, slot)
        #expect(heard(Scene.client, in: ended) == heard(Self.watcher, in: ended))
        #expect(heard(Self.watcher, in: ended).count == 1)
    }

    @Test func `a late watcher receives the newest state and progress with their original serials`() throws {
        var (scene, slot) = try running()
        _ = scene.runTable.handle(.reported(slot, report(1)), at: at(0))
        let newest = heard(Scene.client, in: scene.runTable.handle(.reported(slot, report(4)), at: at(0)))
        let news = heard(Self.watcher, in: watch(&scene))
        #expect(news.count == 2)
        #expect(news.first?.event == .state(.running, reason: nil))
        #expect(news.last == newest.first)
        let serials = news.map(\.serial)
        #expect(serials == serials.sorted())
    }

    @Test func `a reconnecting watcher receives no event twice`() throws {
        var (scene, slot) = try running()
        let newest = heard(Scene.client, in: scene.runTable.handle(.reported(slot, report(4)), at: at(0)))
        let serial = try #require(newest.last?.serial)
        #expect(heard(Self.watcher, in: watch(&scene, after: serial)).isEmpty)
        #expect(heard(Self.watcher, in: watch(&scene, after: serial - 1)) == newest)
        let next = scene.runTable.handle(.reported(slot, report(5)), at: at(2))
        #expect(heard(Self.watcher, in: next).count == 1)
    }

    @Test func `a watcher that disconnects does not end the run`() throws {
        var (scene, _) = try running()
        _ = watch(&scene)
        #expect(!endsRun(scene.runTable.handle(.clientLeft(Self.watcher), at: at(2))))
        #expect(scene.runTable.isLive(Self.run))
    }

    @Test func `a watcher does not keep a run after its owner disconnected`() throws {
        var (scene, _) = try running()
        _ = watch(&scene)
        let actions = scene.runTable.handle(.clientLeft(Scene.client), at: at(2))
        #expect(endsRun(actions))
        #expect(heard(Self.watcher, in: actions).map(\.event) == [.state(.stopping, reason: .clientDisconnected)])
    }

    @Test func `a detached run is not ended when its watchers disconnect`() throws {
        var (scene, _) = try running(onDisconnect: .continue)
        _ = watch(&scene)
        #expect(!endsRun(scene.runTable.handle(.clientLeft(Scene.client), at: at(2))))
        #expect(!endsRun(scene.runTable.handle(.clientLeft(Self.watcher), at: at(3))))
    }

    @Test func `a client that repeats the request of the run that it watches becomes its owner`() throws {
        var (scene, slot) = try running()
        _ = watch(&scene)
        _ = scene.perform("Echo", ["text": .string("a")], id: 6, newRun: Scene.run(2), client: Self.watcher)
        #expect(!endsRun(scene.runTable.handle(.clientLeft(Scene.client), at: at(2))))
        #expect(
            heard(Self.watcher, in: scene.runTable.handle(.printed(slot, .stdout, text: "hi"), at: at(1))).count == 1
        )
        #expect(endsRun(scene.runTable.handle(.clientLeft(Self.watcher), at: at(3))))
    }

    @Test func `a watcher of an ended run receives its end at once`() throws {
        var (scene, slot) = try running()
        finish(&scene, slot)
        let actions = watch(&scene)
        guard case .answer(_, _, .watching(let watched))? = actions.first else {
            Issue.record("it was not remembered")
            return
        }
        #expect(watched.live == nil)
        #expect(watched.intent == "Echo")
        guard case .finished(let end)? = heard(Self.watcher, in: actions).first?.event else {
            Issue.record("its end was not said")
            return
        }
        #expect(end.outcome == .done(value: nil, dialog: nil))
    }

    @Test func `a watcher that arrives between the outcome and the exit receives the outcome`() throws {
        var (scene, slot) = try running()
        _ = scene.runTable.handle(
            .reported(slot, .finished(WorkerResult(ending: .returned(value: nil, dialog: nil)))),
            at: at(0)
        )
        let actions = watch(&scene)
        guard case .finished? = heard(Self.watcher, in: actions).first?.event else {
            Issue.record("it would wait for ever")
            return
        }
        let rest = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(2))
        #expect(heard(Self.watcher, in: rest).isEmpty)
    }

    @Test(arguments: ["0000000000", "nonsense", ""])
    func `an unknown run is refused`(_ run: String) throws {
        var (scene, _) = try running()
        #expect(Scene.refusal(in: watch(&scene, run: run))?.code == .unknownRun)
    }

    @Test func `a run of another user is hidden, live or ended, except from root`() throws {
        var (scene, slot) = try running()
        let other = Caller.local(user: 1001)
        #expect(Scene.refusal(in: watch(&scene, user: other))?.code == .unknownRun)
        finish(&scene, slot)
        #expect(Scene.refusal(in: watch(&scene, user: other))?.code == .unknownRun)
        #expect(Scene.refusal(in: watch(&scene, user: Caller.local(user: 0))) == nil)
    }
}
