import IntentLifecycle
import IntentWire
import Testing

/// Workers that wait for a run.
@Suite struct SpareTests {
    private let name = AppUser(app: Scene.app.name, user: Scene.user)

    @Test func `a run takes a worker that waits, and is told to perform at once`() throws {
        var (scene, spares) = try scene(spares: 2)
        let begun = scene.echo(2, app: app(2))
        #expect(tells(begun) == [spares[0]])
        #expect(launches(begun).isEmpty)
        #expect(scene.runTable.run(of: spares[0]) == Scene.run(2))
        #expect(tells(scene.echo(3, app: app(2))) == [spares[1]])
    }

    @Test func `a run now and then has no worker made ahead`() throws {
        var scene = try Scene.ready(RunTable.Capacity(), apps: [app(2)])
        let first = scene.echo(1, app: app(2))
        #expect(launches(first).count == 1)
        let ended = scene.finish(try scene.launchedSlot(first, mode: .once))
        #expect(launches(ended).isEmpty)
        // Long after it the next is a first one again.
        let idleEnd = Scene.app("Probe").idleStop.components.seconds
        let looked = scene.runTable.handle(.timerFired(.spares(name)), at: at(idleEnd + 1))
        #expect(looked == [])
        #expect(spareSlots(scene.echo(2, app: app(2))).isEmpty)
        #expect(spareSlots(scene.echo(3, app: app(2))).count == 2)
    }

    @Test func `a run is told that it starts before its waiting worker hears of it`() throws {
        var (scene, _) = try scene(spares: 1)
        let begun = scene.echo(2, app: app(1))
        let published = try #require(begun.firstIndex { if case .publish = $0 { true } else { false } })
        let told = try #require(begun.firstIndex { if case .tell = $0 { true } else { false } })
        let launched = try #require(begun.firstIndex { if case .launch = $0 { true } else { false } })
        #expect(published < told)
        // The next one is made while this one works.
        #expect(told < launched)
    }

    @Test func `a run takes a worker that is still made, and is told when it is there`() throws {
        var scene = try ready(app(2))
        let first = scene.echo(1, app: app(2))
        let spares = spareSlots(first)
        #expect(spares.count == 2)
        let begun = scene.echo(2, app: app(2))
        #expect(tells(begun).isEmpty)
        #expect(scene.launchedRuns(begun) == [])
        #expect(scene.runTable.run(of: spares[0]) == Scene.run(2))
        #expect(tells(scene.launched(spares[0])) == [spares[0]])
        // The other is nobody's yet.
        #expect(scene.launched(spares[1]) == [])
    }

    @Test func `workers that are there go before those that are still made, each to one run`() throws {
        var scene = try ready(app(3))
        let spares = spareSlots(scene.echo(1, app: app(3)))
        _ = scene.launched(spares[2])
        _ = scene.launched(spares[1])
        let taken = [UInt64(2), 3, 4].map { number in
            _ = scene.echo(number, app: app(3))
            return scene.runTable.slot(of: Scene.run(number))
        }
        #expect(taken == [spares[2], spares[1], spares[0]])
    }

    @Test func `a run whose worker fails to be made ends as any other`() throws {
        var scene = try ready(app(1))
        let spare = try #require(spareSlots(scene.echo(1, app: app(1))).first)
        _ = scene.echo(2, app: app(1))
        let failed = scene.runTable.handle(.launchFailed(spare, message: "no memory"), at: at(1))
        #expect(outcomes(failed) == [.notStarted(message: "no memory")])
    }

    @Test func `while runs go on, others are made only when more than half are gone`() throws {
        var (scene, _) = try scene(spares: 4)
        #expect(spareSlots(scene.echo(2, app: app(4))).isEmpty)
        #expect(spareSlots(scene.echo(3, app: app(4))).isEmpty)
        #expect(spareSlots(scene.echo(4, app: app(4))).count == 3)
    }

    @Test func `when nothing runs, all that are missing are made`() throws {
        var (scene, spares) = try scene(spares: 4)
        _ = scene.echo(2, app: app(4))
        _ = scene.echo(3, app: app(4))
        #expect(spareSlots(scene.finish(spares[0])).isEmpty)
        #expect(spareSlots(scene.finish(spares[1])).count == 2)
    }

    @Test func `an app that wants none has none, and no timer`() throws {
        var scene = try ready(app(0))
        let first = scene.echo(1, app: app(0))
        #expect(launches(first).count == 1)
        let ended = scene.finish(try scene.launchedSlot(first, mode: .once))
        #expect(launches(ended).isEmpty)
        #expect(!(first + ended).contains(where: isSpareTimer))
    }

    @Test func `workers of older files are ended and never used`() throws {
        var (scene, spares) = try scene(spares: 2)
        var changed = app(2)
        changed.revision += 1
        let begun = scene.echo(2, app: changed)
        #expect(kills(begun) == spares)
        #expect(scene.launchedRuns(begun) == [2])
        #expect(spareSlots(begun).count == 2)
        // What comes of them later touches nobody.
        #expect(scene.runTable.handle(.reported(spares[0], .started), at: at(1)) == [])
        #expect(
            scene.runTable.handle(.ended(spares[0], Scene.exited, lastWords: nil), at: at(1)) == [.release(spares[0])]
        )
        #expect(tells(scene.echo(3, app: changed)).isEmpty)
        #expect(scene.runTable.slot(of: Scene.run(3)).map(spares.contains) == false)
    }

    @Test func `a worker of older files that is made too late is not used either`() throws {
        var scene = try ready(app(1))
        let old = try #require(spareSlots(scene.echo(1, app: app(1))).first)
        var changed = app(1)
        changed.revision += 1
        #expect(kills(scene.echo(2, app: changed)) == [old])
        #expect(scene.launched(old) == [])
        _ = scene.echo(3, app: changed)
        #expect(scene.runTable.slot(of: Scene.run(3)) != old)
        // It was ended before it was made.
        #expect(scene.runTable.handle(.launchFailed(old, message: "ended"), at: at(1)) == [])
    }

    @Test func `a run that waited since before a change takes the newer workers and leaves the others alone`() throws {
        var (scene, spares) = try scene(spares: 2)
        var older = app(5)
        older.revision -= 1
        let begun = scene.echo(2, app: older)
        #expect(kills(begun).isEmpty)
        #expect(tells(begun) == [spares[0]])
        #expect(launches(begun).isEmpty)
    }

    @Test(arguments: [(2, 0), (1, 3), (3, 1)])
    func `another number of them holds with the next run`(_ before: Int, _ after: Int) throws {
        var (scene, spares) = try scene(spares: before)
        var changed = app(after)
        changed.revision += 1
        let begun = scene.echo(2, app: changed)
        #expect(kills(begun) == spares)
        #expect(spareSlots(begun).count == after)
    }

    @Test func `one that cannot be made is dropped, and another is made after the next run`() throws {
        var scene = try ready(app(1))
        let first = scene.echo(1, app: app(1))
        let spare = try #require(spareSlots(first).first)
        #expect(scene.runTable.handle(.launchFailed(spare, message: "no luck"), at: at(0)) == [])
        let ended = scene.finish(try scene.launchedSlot(first, mode: .once))
        #expect(spareSlots(ended).count == 1)
    }

    @Test func `one that dies is dropped without touching any run`() throws {
        var (scene, spares) = try scene(spares: 2)
        #expect(
            scene.runTable.handle(.ended(spares[0], Scene.exited, lastWords: "bye"), at: at(1)) == [.release(spares[0])]
        )
        #expect(tells(scene.echo(2, app: app(2))) == [spares[1]])
    }

    @Test(arguments: [
        WorkerReport.started, .catalog(Scene.catalog), .background(.entered),
        .finished(WorkerResult(ending: .returned(value: .int(1), dialog: nil))),
        .hello(Hello(protocolVersion: 2, software: "x")),
    ])
    func `one that lies or speaks another version is killed once, and no run gets it`(_ report: WorkerReport) throws {
        var (scene, spares) = try scene(spares: 2)
        #expect(scene.runTable.handle(.reported(spares[0], report), at: at(1)) == [.signal(spares[0], .kill)])
        #expect(scene.runTable.handle(.reported(spares[0], report), at: at(1)) == [])
        #expect(scene.runTable.handle(.violated(spares[0], message: "garbage"), at: at(1)) == [])
        #expect(tells(scene.echo(2, app: app(2))) == [spares[1]])
        #expect(scene.launchedRuns(scene.echo(3, app: app(2))) == [])
        #expect(scene.runTable.slot(of: Scene.run(3)) != spares[0])
    }

    @Test func `one that sends garbage, or comes without its socket, is killed, and no run gets it`() throws {
        var scene = try ready(app(2))
        let spares = spareSlots(scene.echo(1, app: app(2)))
        _ = scene.launched(spares[0])
        for spare in spares {
            #expect(scene.runTable.handle(.violated(spare, message: "garbage"), at: at(1)) == [.signal(spare, .kill)])
        }
        #expect(scene.launched(spares[1]) == [])
        #expect(scene.launchedRuns(scene.echo(2, app: app(2))) == [2])
    }

    @Test func `its hello is no lie`() throws {
        var (scene, spares) = try scene(spares: 1)
        #expect(scene.runTable.handle(.reported(spares[0], .hello(Hello(software: "x"))), at: at(1)) == [])
        #expect(tells(scene.echo(2, app: app(1))) == [spares[0]])
    }

    @Test func `what it prints before its run is nobody's`() throws {
        var (scene, spares) = try scene(spares: 1)
        #expect(scene.runTable.handle(.printed(spares[0], .stdout, text: "warm"), at: at(1)) == [])
        _ = scene.echo(2, app: app(1))
        #expect(scene.runTable.handle(.printed(spares[0], .stdout, text: "hi"), at: at(1)).count == 1)
    }

    @Test func `when nobody asks for long they go`() throws {
        var scene = try ready(app(2))
        // The timer of the first use looks, finds a run, and is armed again at its end.
        let second = scene.echo(1, app: app(2))
        let spares = spareSlots(second)
        for spare in spares { _ = scene.launched(spare) }
        // While a run goes on there is no idle time to measure.
        #expect(!second.contains(where: isSpareTimer))
        #expect(scene.runTable.handle(.timerFired(.spares(name)), at: at(0)) == [])
        let ended = scene.finish(try scene.launchedSlot(second, mode: .once))
        #expect(ended.contains(.armTimer(.spares(name), at: .monotonic(at(300).monotonic))))
        let fired = scene.runTable.handle(.timerFired(.spares(name)), at: at(300))
        #expect(fired == spares.map { .signal($0, .kill) })
        #expect(scene.launchedRuns(scene.echo(2, app: app(2))) == [2])
    }

    @Test func `use moves the time of their end`() throws {
        var (scene, spares) = try scene(spares: 1)
        _ = scene.echo(2, app: app(1))
        _ = scene.launched(spares[0])
        _ = scene.runTable.handle(.reported(spares[0], .started), at: at(0))
        // A run goes on: its end arms the timer again.
        #expect(scene.runTable.handle(.timerFired(.spares(name)), at: at(300)) == [])
        let ended = scene.runTable.handle(.ended(spares[0], Scene.exited, lastWords: nil), at: at(310))
        #expect(ended.contains(.armTimer(.spares(name), at: .monotonic(at(610).monotonic))))
        let next = try #require(scene.runTable.slot(of: Scene.run(3)) ?? begin(3, in: &scene, at: 400))
        let again = scene.runTable.handle(.ended(next, Scene.exited, lastWords: nil), at: at(420))
        // The timer that is armed looks for itself how long nobody asked.
        #expect(!again.contains(where: isSpareTimer))
        #expect(
            scene.runTable.handle(.timerFired(.spares(name)), at: at(610))
                == [.armTimer(.spares(name), at: .monotonic(at(720).monotonic))]
        )
        #expect(kills(scene.runTable.handle(.timerFired(.spares(name)), at: at(720))).count == 1)
    }

    @Test func `their time is the app's own`() throws {
        let quick = Scene.app("Probe", spareCount: 1, idleStop: .seconds(7))
        var scene = try Scene.ready(RunTable.Capacity(), apps: [quick])
        let first = scene.echo(1, app: quick)
        let ended = scene.finish(try scene.launchedSlot(first, mode: .once))
        #expect(ended.contains(.armTimer(.spares(name), at: .monotonic(at(7).monotonic))))
    }

    @Test(arguments: [(Int64(7), true), (900, false)])
    func `a shorter time holds at once, a longer one when the timer looks`(_ seconds: Int64, _ isArmed: Bool) throws {
        var (scene, _) = try scene(spares: 1)
        var changed = Scene.app("Probe", spareCount: 1, idleStop: .seconds(seconds))
        changed.revision += 1
        let second = scene.echo(2, app: changed)
        let ended = scene.finish(try scene.launchedSlot(second, mode: .once))
        #expect(ended.contains(.armTimer(.spares(name), at: .monotonic(at(seconds).monotonic))) == isArmed)
        let fired = scene.runTable.handle(.timerFired(.spares(name)), at: at(300))
        #expect(isArmed ? kills(fired).count == 1 : fired.contains(where: isSpareTimer))
    }

    @Test func `a timer without workers is disarmed`() throws {
        var (scene, spares) = try scene(spares: 1)
        var changed = app(0)
        changed.revision += 1
        let second = scene.echo(2, app: changed)
        #expect(kills(second) == spares)
        let ended = scene.finish(try #require(scene.runTable.slot(of: Scene.run(2))))
        #expect(ended.contains(.disarmTimer(.spares(name))))
    }

    @Test func `all apps together have no more than 256`() throws {
        let apps = (0..<5).map { Scene.app("App\($0)", spareCount: 64) }
        var scene = try Scene.ready(RunTable.Capacity(), apps: apps)
        var slots: [SlotID] = []
        for (number, app) in apps.enumerated() {
            #expect(spareSlots(scene.echo(UInt64(number + 100), app: app)).isEmpty)
        }
        for (number, app) in apps.enumerated() { slots += spareSlots(scene.echo(UInt64(number + 1), app: app)) }
        #expect(slots.count == 256)
        // Those that must go count until they are gone.
        _ = scene.runTable.handle(.violated(slots[0], message: "garbage"), at: at(0))
        #expect(spareSlots(scene.echo(10, app: apps[4])).isEmpty)
        _ = scene.runTable.handle(.ended(slots[0], Scene.exited, lastWords: nil), at: at(0))
        #expect(spareSlots(scene.echo(11, app: apps[4])).count == 1)
    }

    @Test func `apps do not get each other's`() throws {
        let other = Scene.app("Other", spareCount: 1)
        var scene = try Scene.ready(RunTable.Capacity(), apps: [app(1), other])
        _ = scene.echo(Self.firstRun, app: app(1))
        let spare = try #require(spareSlots(scene.echo(1, app: app(1))).first)
        _ = scene.launched(spare)
        #expect(scene.launchedRuns(scene.echo(2, app: other)) == [2])
        #expect(tells(scene.echo(3, app: app(1))) == [spare])
    }

    @Test func `an account that is given the uid of another gets none of that one's workers`() throws {
        let accounts = ["ann", "ben"].map { Caller.local(user: 1000, account: $0) }
        var scene = try Scene.ready(RunTable.Capacity(), apps: [app(1)])
        _ = scene.echo(Self.firstRun, user: accounts[0], app: app(1))
        let first = scene.echo(1, user: accounts[0], app: app(1))
        let spare = try #require(spareSlots(first).first)
        _ = scene.launched(spare)
        let others = scene.echo(2, user: accounts[1], app: app(1))
        #expect(scene.launchedRuns(others) == [2])
        #expect(launches(first).map(\.account) == ["ann", "ann"])
        #expect(launches(others).map(\.account) == ["ben"])
        #expect(tells(scene.echo(3, user: accounts[0], app: app(1))) == [spare])
    }

    @Test func `a stop ends them, makes none, and waits until they are gone`() throws {
        var (scene, spares) = try scene(spares: 2)
        let run = scene.echo(2, app: app(2))
        #expect(tells(run) == [spares[0]])
        let stopped = scene.runTable.handle(.stopRequested, at: at(1))
        #expect(kills(stopped).contains(spares[1]))
        #expect(stopped.contains(.disarmTimer(.spares(name))))
        let ended = scene.runTable.handle(.ended(spares[0], Scene.exited, lastWords: nil), at: at(2))
        #expect(launches(ended).isEmpty)
        #expect(!ended.contains(where: isSpareTimer))
        #expect(!ended.contains(.quit(.stopped)))
        let gone = scene.runTable.handle(.ended(spares[1], Scene.exited, lastWords: nil), at: at(3))
        #expect(gone == [.release(spares[1]), .quit(.stopped)])
    }

    @Test func `a stop ends those that are still made`() throws {
        var scene = try ready(app(1))
        let first = scene.echo(1, app: app(1))
        let spare = try #require(spareSlots(first).first)
        let slot = try scene.launchedSlot(first, mode: .once)
        #expect(Set(kills(scene.runTable.handle(.stopRequested, at: at(1)))) == [slot, spare])
        #expect(scene.runTable.handle(.launchFailed(spare, message: "ended"), at: at(1)) == [])
        let last = scene.runTable.handle(.launchFailed(slot, message: "ended"), at: at(1))
        #expect(last.last == .quit(.stopped))
    }

    @Test func `with the launcher they are gone, and none are asked of it`() throws {
        var (scene, _) = try scene(spares: 2)
        _ = scene.echo(2, app: app(2))
        let lost = scene.runTable.handle(.launcherLost, at: at(1))
        #expect(launches(lost).isEmpty)
        #expect(lost.contains(.disarmTimer(.spares(name))))
        #expect(!lost.contains { if case .armTimer = $0 { true } else { false } })
        #expect(lost.last == .quit(.launcherLost))
        // Clients that still ask are refused.
        #expect(Scene.refusal(in: scene.echo(3, app: app(2)))?.code == .stopping)
    }

    @Test func `a run's account has the isolation of the worker that it took`() throws {
        for isReady in [true, false] {
            var scene = try ready(app(1))
            let spare = try #require(spareSlots(scene.echo(1, app: app(1))).first)
            let reduced = Isolation(grade: .reduced, parts: [], missing: ["a cgroup"])
            if isReady { _ = scene.runTable.handle(.launched(spare, reduced), at: at(0)) }
            _ = scene.echo(2, app: app(1))
            if !isReady { _ = scene.runTable.handle(.launched(spare, reduced), at: at(0)) }
            let ended = scene.runTable.handle(.ended(spare, Scene.exited, lastWords: nil), at: at(1))
            #expect(accounts(ended).map(\.isolation) == [.reduced])
        }
    }

    // MARK: Fixtures

    private func app(_ spareCount: Int) -> InstalledApp { Scene.app("Probe", spareCount: spareCount) }

    /// A run table whose app has been used once: with the next run its use is steady.
    private func ready(_ app: InstalledApp) throws -> Scene {
        var scene = try Scene.ready(RunTable.Capacity(), apps: [app])
        let first = scene.echo(Self.firstRun, app: app)
        #expect(launches(first).count == 1)
        scene.finish(try scene.launchedSlot(first, mode: .once))
        return scene
    }

    private static let firstRun: UInt64 = 99

    /// A run table whose app is in steady use, with that many workers that wait.
    private func scene(spares count: Int) throws -> (Scene, [SlotID]) {
        var scene = try ready(app(count))
        let first = scene.echo(1, app: app(count))
        let spares = spareSlots(first)
        #expect(spares.count == count)
        for spare in spares { #expect(scene.launched(spare) == []) }
        scene.finish(try scene.launchedSlot(first, mode: .once))
        return (scene, spares)
    }

    /// Begins a run at that second, and returns its slot.
    private func begin(_ number: UInt64, in scene: inout Scene, at seconds: Int64) -> SlotID? {
        let request = PerformRequest(
            request: Scene.request(number),
            app: "Probe",
            intent: "Echo",
            values: ["text": .string("a")]
        )
        let wish = RunTable.Request.perform(request, newRun: Scene.run(number), .found(app(1)))
        _ = scene.runTable.handle(.requested(Scene.client, Scene.user, id: number, wish), at: at(seconds))
        return scene.runTable.slot(of: Scene.run(number))
    }

    private func launches(_ actions: [RunTable.Action]) -> [LaunchRequest] {
        actions.compactMap { if case .launch(let request) = $0 { request } else { nil } }
    }

    private func spareSlots(_ actions: [RunTable.Action]) -> [SlotID] {
        launches(actions).filter { $0.mode == .once && $0.run == nil }.map(\.slot)
    }

    /// The slots whose workers hear of their run.
    private func tells(_ actions: [RunTable.Action]) -> [SlotID] {
        actions.compactMap { if case .tell(let slot, .perform) = $0 { slot } else { nil } }
    }

    private func kills(_ actions: [RunTable.Action]) -> [SlotID] {
        actions.compactMap { if case .signal(let slot, .kill) = $0 { slot } else { nil } }
    }

    private func accounts(_ actions: [RunTable.Action]) -> [RunAccount] { ends(actions).map(\.account) }

    private func outcomes(_ actions: [RunTable.Action]) -> [RunOutcome] { ends(actions).map(\.outcome) }

    private func ends(_ actions: [RunTable.Action]) -> [RunEnd] {
        actions.compactMap { action in
            if case .publish(_, let event, _) = action, case .finished(let end) = event.event { return end }
            return nil
        }
    }

    private func isSpareTimer(_ action: RunTable.Action) -> Bool {
        if case .armTimer(.spares, _) = action { return true }
        return false
    }
}
