import IntentLauncherMessages
import IntentLifecycle
import Testing

/// When spares are killed, and how many may exist.
extension SpareTests {
    @Test func `spares end after their idle time`() throws {
        var scene = try ready(app(2))
        // The timer of the first use finds a live run, and is armed again at the end of that run.
        let second = scene.echo(1, app: app(2))
        let spares = spareSlots(second)
        for spare in spares { _ = scene.launched(spare) }
        // While a run is live, the app is not idle.
        #expect(!second.contains(where: isSpareTimer))
        #expect(scene.runTable.handle(.timerFired(.spares(name)), at: at(0)) == [])
        let ended = scene.finish(try scene.launchedSlot(second, mode: .once))
        #expect(ended.contains(.armTimer(.spares(name), at: .monotonic(at(300).monotonic))))
        let fired = scene.runTable.handle(.timerFired(.spares(name)), at: at(300))
        #expect(fired == spares.map { .signal($0, .kill) })
        #expect(scene.launchedRuns(scene.echo(2, app: app(2))) == [2])
    }

    @Test func `a run extends the idle time`() throws {
        var (scene, spares) = try scene(spares: 1)
        _ = scene.echo(2, app: app(1))
        _ = scene.launched(spares[0])
        _ = scene.runTable.handle(.reported(spares[0], .started), at: at(0))
        // A run is live, and its end arms the timer again.
        #expect(scene.runTable.handle(.timerFired(.spares(name)), at: at(300)) == [])
        let ended = scene.runTable.handle(.ended(spares[0], Scene.exited, lastLine: nil), at: at(310))
        #expect(ended.contains(.armTimer(.spares(name), at: .monotonic(at(610).monotonic))))
        let next = try #require(scene.runTable.slot(of: Scene.run(3)) ?? begin(3, in: &scene, at: 400))
        let again = scene.runTable.handle(.ended(next, Scene.exited, lastLine: nil), at: at(420))
        // The armed timer checks how long the app was idle.
        #expect(!again.contains(where: isSpareTimer))
        #expect(
            scene.runTable.handle(.timerFired(.spares(name)), at: at(610))
                == [.armTimer(.spares(name), at: .monotonic(at(720).monotonic))]
        )
        #expect(kills(scene.runTable.handle(.timerFired(.spares(name)), at: at(720))).count == 1)
    }

    @Test func `each app has its own idle time`() throws {
        let quick = Scene.app("Probe", spareCount: 1, idleStop: .seconds(7))
        var scene = try Scene.ready(RunTable.Capacity(), apps: [quick])
        let first = scene.echo(1, app: quick)
        let ended = scene.finish(try scene.launchedSlot(first, mode: .once))
        #expect(ended.contains(.armTimer(.spares(name), at: .monotonic(at(7).monotonic))))
    }

    @Test(arguments: [(Int64(7), true), (900, false)])
    func `a shorter idle time applies at once, a longer one when the timer fires`(_ seconds: Int64, _ isArmed: Bool)
        throws
    {
        var (scene, _) = try scene(spares: 1)
        var changed = Scene.app("Probe", spareCount: 1, idleStop: .seconds(seconds))
        changed.revision += 1
        let second = scene.echo(2, app: changed)
        let ended = scene.finish(try scene.launchedSlot(second, mode: .once))
        #expect(ended.contains(.armTimer(.spares(name), at: .monotonic(at(seconds).monotonic))) == isArmed)
        let fired = scene.runTable.handle(.timerFired(.spares(name)), at: at(300))
        #expect(isArmed ? kills(fired).count == 1 : fired.contains(where: isSpareTimer))
    }

    @Test func `the timer is disarmed when no spare is left`() throws {
        var (scene, spares) = try scene(spares: 1)
        var changed = app(0)
        changed.revision += 1
        let second = scene.echo(2, app: changed)
        #expect(kills(second) == spares)
        let ended = scene.finish(try #require(scene.runTable.slot(of: Scene.run(2))))
        #expect(ended.contains(.disarmTimer(.spares(name))))
    }

    @Test func `all apps together have at most 256 spares`() throws {
        let apps = (0..<5).map { Scene.app("App\($0)", spareCount: 64) }
        var scene = try Scene.ready(RunTable.Capacity(), apps: apps)
        var slots: [SlotID] = []
        for (number, app) in apps.enumerated() {
            #expect(spareSlots(scene.echo(UInt64(number + 100), app: app)).isEmpty)
        }
        for (number, app) in apps.enumerated() { slots += spareSlots(scene.echo(UInt64(number + 1), app: app)) }
        #expect(slots.count == 256)
        // Spares that must end count until they have exited.
        _ = scene.runTable.handle(.violated(slots[0], message: "garbage"), at: at(0))
        #expect(spareSlots(scene.echo(10, app: apps[4])).isEmpty)
        _ = scene.runTable.handle(.ended(slots[0], Scene.exited, lastLine: nil), at: at(0))
        #expect(spareSlots(scene.echo(11, app: apps[4])).count == 1)
    }

    @Test func `the servers in a user's spares have a bounded memory`() throws {
        let apps = (0..<2).map { number in
            var app = Scene.app("Server\(number)", spareCount: 64)
            app.spareMemory = 1 << 30
            return app
        }
        var scene = try Scene.ready(RunTable.Capacity(), apps: apps + [app(8)])
        let other = Caller.local(user: 1001, account: "ben")
        for (number, app) in apps.enumerated() { _ = scene.echo(UInt64(number + 100), app: app) }
        #expect(spareSlots(scene.echo(1, app: apps[0])).count == 4)
        #expect(spareSlots(scene.echo(2, app: apps[1])).isEmpty)
        // Apps without a server, and other users, have their own share.
        _ = scene.echo(103, app: app(8))
        #expect(spareSlots(scene.echo(3, app: app(8))).count == 8)
        _ = scene.echo(104, user: other, app: apps[1])
        #expect(spareSlots(scene.echo(4, user: other, app: apps[1])).count == 4)
        var unlimited = Scene.app("Unlimited", spareCount: 4)
        unlimited.spareMemory = 1 << 50
        var second = try Scene.ready(RunTable.Capacity(), apps: [unlimited])
        _ = second.echo(100, app: unlimited)
        #expect(spareSlots(second.echo(1, app: unlimited)).isEmpty)
    }

    @Test func `an app does not get the spares of another one`() throws {
        let other = Scene.app("Other", spareCount: 1)
        var scene = try Scene.ready(RunTable.Capacity(), apps: [app(1), other])
        _ = scene.echo(Self.firstRun, app: app(1))
        let spare = try #require(spareSlots(scene.echo(1, app: app(1))).first)
        _ = scene.launched(spare)
        #expect(scene.launchedRuns(scene.echo(2, app: other)) == [2])
        #expect(tells(scene.echo(3, app: app(1))) == [spare])
    }

    @Test func `an account with a reused uid gets no spares of the earlier account`() throws {
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

    @Test func `a stop kills the spares, launches none, and waits until they have exited`() throws {
        var (scene, spares) = try scene(spares: 2)
        let run = scene.echo(2, app: app(2))
        #expect(tells(run) == [spares[0]])
        let stopped = scene.runTable.handle(.stopRequested, at: at(1))
        #expect(kills(stopped).contains(spares[1]))
        #expect(stopped.contains(.disarmTimer(.spares(name))))
        let ended = scene.runTable.handle(.ended(spares[0], Scene.exited, lastLine: nil), at: at(2))
        #expect(launches(ended).isEmpty)
        #expect(!ended.contains(where: isSpareTimer))
        #expect(!ended.contains(.quit(.stopped)))
        let gone = scene.runTable.handle(.ended(spares[1], Scene.exited, lastLine: nil), at: at(3))
        #expect(gone == [.release(spares[1]), .quit(.stopped)])
    }

    @Test func `a stop ends starting spares`() throws {
        var scene = try ready(app(1))
        let first = scene.echo(1, app: app(1))
        let spare = try #require(spareSlots(first).first)
        let slot = try scene.launchedSlot(first, mode: .once)
        #expect(Set(kills(scene.runTable.handle(.stopRequested, at: at(1)))) == [slot, spare])
        #expect(scene.runTable.handle(.launchFailed(spare, LaunchFailure(message: "ended")), at: at(1)) == [])
        let last = scene.runTable.handle(.launchFailed(slot, LaunchFailure(message: "ended")), at: at(1))
        #expect(last.last == .quit(.stopped))
    }

    @Test func `when the launcher exits, its spares are removed and none are requested`() throws {
        var (scene, _) = try scene(spares: 2)
        _ = scene.echo(2, app: app(2))
        let lost = scene.runTable.handle(.launcherLost, at: at(1))
        #expect(launches(lost).isEmpty)
        #expect(lost.contains(.disarmTimer(.spares(name))))
        #expect(!lost.contains { if case .armTimer = $0 { true } else { false } })
        #expect(lost.last == .quit(.launcherLost))
        // Further requests of clients are refused.
        #expect(Scene.refusal(in: scene.echo(3, app: app(2)))?.code == .stopping)
    }
}
