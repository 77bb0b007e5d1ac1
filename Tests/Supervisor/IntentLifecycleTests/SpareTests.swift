import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Spares: workers that wait for a run.
@Suite struct SpareTests {
    let name = AppUser(app: Scene.app.name, user: Scene.user)

    @Test func `a run gets a waiting spare, which performs it at once`() throws {
        var (scene, spares) = try scene(spares: 2)
        let begun = scene.echo(2, app: app(2))
        #expect(tells(begun) == [spares[0]])
        #expect(launches(begun).isEmpty)
        #expect(scene.runTable.run(of: spares[0]) == Scene.run(2))
        #expect(tells(scene.echo(3, app: app(2))) == [spares[1]])
    }

    @Test func `spares of an outdated sandbox are killed, and runs that have begun in it continue`() throws {
        var (scene, spares) = try scene(spares: 2)
        #expect(tells(scene.echo(2, app: app(2))) == [spares[0]])
        let slots = spares + [SlotID(number: 4711)]
        let actions = scene.runTable.handle(.outdated(slots, path: "/srv/disk"), at: at(1))
        #expect(actions == [.signal(spares[1], .kill)])
        let outdated = OutdatedRun(run: Scene.run(2), app: "Probe", path: "/srv/disk")
        #expect(try scene.status().outdatedRuns == [outdated])
        #expect(try scene.status(for: .local(user: 4711)).outdatedRuns == nil)
        #expect(scene.runTable.run(of: spares[0]) == Scene.run(2))
        // The next run gets a worker of its own.
        #expect(launches(scene.echo(3, app: app(2))).contains { $0.run == Scene.run(3) })
    }

    @Test func `while the host changes, a run gets a worker of its own, and the spares remain for later runs`() throws {
        var (scene, spares) = try scene(spares: 2)
        scene.runTable.areSparesCurrent = false
        #expect(launches(scene.echo(2, app: app(2))).contains { $0.run == Scene.run(2) })
        scene.runTable.areSparesCurrent = true
        #expect(tells(scene.echo(3, app: app(2))) == [spares[0]])
    }

    @Test func `an app that is rarely used has no spares`() throws {
        var scene = try Scene.ready(RunTable.Capacity(), apps: [app(2)])
        let first = scene.echo(1, app: app(2))
        #expect(launches(first).count == 1)
        let ended = scene.finish(try scene.launchedSlot(first, mode: .once))
        #expect(launches(ended).isEmpty)
        // Long after that run, the next run counts as a first run again.
        let idleEnd = Scene.app("Probe").idleStop.components.seconds
        let looked = scene.runTable.handle(.timerFired(.spares(name)), at: at(idleEnd + 1))
        #expect(looked == [])
        #expect(spareSlots(scene.echo(2, app: app(2))).isEmpty)
        #expect(spareSlots(scene.echo(3, app: app(2))).count == 2)
    }

    @Test func `the first run of a private daemon gets the spare that started while the app described its intents`()
        throws
    {
        let app = app(0)
        var scene = Scene(RunTable.Capacity())
        let started = scene.runTable.handle(.started([app], expectingRunOf: Scene.user), at: at(0))
        #expect(launches(started).map(\.mode) == [.describe, .once])
        let description = try scene.launchedSlot(started, mode: .describe)
        let spare = try #require(spareSlots(started).first)
        #expect(launches(started).last?.user == Scene.user.uid)
        // The run waits for the description, and takes the spare before the spare is ready.
        #expect(launches(scene.echo(1, app: app)).isEmpty)
        _ = scene.runTable.handle(.launched(description, Scene.isolation), at: at(1))
        _ = scene.runTable.handle(.reported(description, .catalog(Scene.catalog)), at: at(1))
        let described = scene.runTable.handle(.ended(description, Scene.exited, lastLine: nil), at: at(1))
        #expect(launches(described).isEmpty)
        #expect(scene.runTable.run(of: spare) == Scene.run(1))
        #expect(tells(scene.launched(spare)) == [spare])
    }

    @Test func `the first run of a private daemon needs no description if an earlier daemon recorded one`() throws {
        let app = app(0)
        var scene = Scene(RunTable.Capacity())
        let started = scene.runTable.handle(
            .started([app], expectingRunOf: Scene.user, with: [app.fingerprint: Scene.catalog]),
            at: at(0)
        )
        #expect(launches(started).map(\.mode) == [.once])
        #expect(started.contains(.catalogued))
        #expect(scene.runTable.catalog(of: app) == Scene.catalog)
        let spare = try #require(spareSlots(started).first)
        #expect(launches(scene.echo(1, app: app)).isEmpty)
        #expect(scene.runTable.run(of: spare) == Scene.run(1))
        // A changed app is described again.
        var changed = app
        changed.fingerprint.executable.byteCount += 1
        #expect(launches(scene.echo(2, app: changed)).map(\.mode) == [.describe])
    }

    @Test func `a spare for an expected run that fails or is not used costs nothing`() throws {
        let app = app(0)
        for ends in [true, false] {
            var scene = Scene(RunTable.Capacity())
            let started = scene.runTable.handle(.started([app], expectingRunOf: Scene.user), at: at(0))
            let spare = try #require(spareSlots(started).first)
            if ends {
                #expect(scene.runTable.handle(.launchFailed(spare, LaunchFailure(message: "no")), at: at(0)) == [])
                let description = try scene.launchedSlot(started, mode: .describe)
                _ = scene.runTable.handle(.launched(description, Scene.isolation), at: at(1))
                _ = scene.runTable.handle(.reported(description, .catalog(Scene.catalog)), at: at(1))
                _ = scene.runTable.handle(.ended(description, Scene.exited, lastLine: nil), at: at(1))
                // The run gets a worker of its own.
                #expect(scene.launchedRuns(scene.echo(1, app: app)) == [1])
            } else {
                _ = scene.launched(spare)
                let idleEnd = Int64(app.idleStop.components.seconds)
                #expect(kills(scene.runTable.handle(.timerFired(.spares(name)), at: at(idleEnd))) == [spare])
            }
        }
    }

    @Test func `clients are informed of a run's start before its spare receives the run`() throws {
        var (scene, _) = try scene(spares: 1)
        let begun = scene.echo(2, app: app(1))
        let published = try #require(begun.firstIndex { if case .publish = $0 { true } else { false } })
        let told = try #require(begun.firstIndex { if case .send = $0 { true } else { false } })
        let launched = try #require(begun.firstIndex { if case .launch = $0 { true } else { false } })
        #expect(published < told)
        // The next spare is launched while this one performs its run.
        #expect(told < launched)
    }

    @Test func `a run gets a spare that is still starting, which performs it when it is ready`() throws {
        var scene = try ready(app(2))
        let first = scene.echo(1, app: app(2))
        let spares = spareSlots(first)
        #expect(spares.count == 2)
        let begun = scene.echo(2, app: app(2))
        #expect(tells(begun).isEmpty)
        #expect(scene.launchedRuns(begun) == [])
        #expect(scene.runTable.run(of: spares[0]) == Scene.run(2))
        #expect(tells(scene.launched(spares[0])) == [spares[0]])
        // The other spare has no run yet.
        #expect(scene.launched(spares[1]) == [])
    }

    @Test func `ready spares are used before starting ones, each for one run`() throws {
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

    @Test func `a run with a spare that cannot be launched ends like any other`() throws {
        var scene = try ready(app(1))
        let spare = try #require(spareSlots(scene.echo(1, app: app(1))).first)
        _ = scene.echo(2, app: app(1))
        let failed = scene.runTable.handle(.launchFailed(spare, LaunchFailure(message: "no memory")), at: at(1))
        #expect(outcomes(failed) == [.notStarted(message: "no memory")])
    }

    @Test func `while runs are active, spares are launched only if fewer than half are left`() throws {
        var (scene, _) = try scene(spares: 4)
        #expect(spareSlots(scene.echo(2, app: app(4))).isEmpty)
        #expect(spareSlots(scene.echo(3, app: app(4))).isEmpty)
        #expect(spareSlots(scene.echo(4, app: app(4))).count == 3)
    }

    @Test func `without active runs, all missing spares are launched`() throws {
        var (scene, spares) = try scene(spares: 4)
        _ = scene.echo(2, app: app(4))
        _ = scene.echo(3, app: app(4))
        #expect(spareSlots(scene.finish(spares[0])).isEmpty)
        #expect(spareSlots(scene.finish(spares[1])).count == 2)
    }

    @Test func `an app with Spare=0 has no spares, and no timer`() throws {
        var scene = try ready(app(0))
        let first = scene.echo(1, app: app(0))
        #expect(launches(first).count == 1)
        let ended = scene.finish(try scene.launchedSlot(first, mode: .once))
        #expect(launches(ended).isEmpty)
        #expect(!(first + ended).contains(where: isSpareTimer))
    }

    @Test func `spares of older files are ended and never used`() throws {
        var (scene, spares) = try scene(spares: 2)
        var changed = app(2)
        changed.revision += 1
        let begun = scene.echo(2, app: changed)
        #expect(kills(begun) == spares)
        #expect(scene.launchedRuns(begun) == [2])
        #expect(spareSlots(begun).count == 2)
        // Their later events have no effect.
        #expect(scene.runTable.handle(.reported(spares[0], .started), at: at(1)) == [])
        #expect(
            scene.runTable.handle(.ended(spares[0], Scene.exited, lastLine: nil), at: at(1)) == [.release(spares[0])]
        )
        #expect(tells(scene.echo(3, app: changed)).isEmpty)
        #expect(scene.runTable.slot(of: Scene.run(3)).map(spares.contains) == false)
    }

    @Test func `a spare of older files that becomes ready late is not used either`() throws {
        var scene = try ready(app(1))
        let old = try #require(spareSlots(scene.echo(1, app: app(1))).first)
        var changed = app(1)
        changed.revision += 1
        #expect(kills(scene.echo(2, app: changed)) == [old])
        #expect(scene.launched(old) == [])
        _ = scene.echo(3, app: changed)
        #expect(scene.runTable.slot(of: Scene.run(3)) != old)
        // The spare was killed before its launch was reported.
        #expect(scene.runTable.handle(.launchFailed(old, LaunchFailure(message: "ended")), at: at(1)) == [])
    }

    @Test func `a queued run from before a change gets a newer spare, and the other spares stay`() throws {
        var (scene, spares) = try scene(spares: 2)
        var older = app(5)
        older.revision -= 1
        let begun = scene.echo(2, app: older)
        #expect(kills(begun).isEmpty)
        #expect(tells(begun) == [spares[0]])
        #expect(launches(begun).isEmpty)
    }

    @Test(arguments: [(2, 0), (1, 3), (3, 1)])
    func `a changed number of spares applies with the next run`(_ before: Int, _ after: Int) throws {
        var (scene, spares) = try scene(spares: before)
        var changed = app(after)
        changed.revision += 1
        let begun = scene.echo(2, app: changed)
        #expect(kills(begun) == spares)
        #expect(spareSlots(begun).count == after)
    }

    @Test func `a spare that cannot be launched is dropped, and another is launched after the next run`() throws {
        var scene = try ready(app(1))
        let first = scene.echo(1, app: app(1))
        let spare = try #require(spareSlots(first).first)
        #expect(scene.runTable.handle(.launchFailed(spare, LaunchFailure(message: "no luck")), at: at(0)) == [])
        let ended = scene.finish(try scene.launchedSlot(first, mode: .once))
        #expect(spareSlots(ended).count == 1)
    }

    @Test func `a spare that exits is dropped without effect on runs`() throws {
        var (scene, spares) = try scene(spares: 2)
        #expect(
            scene.runTable.handle(.ended(spares[0], Scene.exited, lastLine: "bye"), at: at(1)) == [.release(spares[0])]
        )
        #expect(tells(scene.echo(2, app: app(2))) == [spares[1]])
    }

    @Test(arguments: [
        WorkerReport.started, .catalog(Scene.catalog), .background(.entered),
        .finished(WorkerResult(ending: .returned(value: .int(1), dialog: nil))),
        .hello(Hello(protocolVersion: 2, software: "x")),
    ])
    func `a spare that violates the protocol or has another version is killed once, and no run gets it`(
        _ report: WorkerReport
    ) throws {
        var (scene, spares) = try scene(spares: 2)
        #expect(scene.runTable.handle(.reported(spares[0], report), at: at(1)) == [.signal(spares[0], .kill)])
        #expect(scene.runTable.handle(.reported(spares[0], report), at: at(1)) == [])
        #expect(scene.runTable.handle(.violated(spares[0], message: "garbage"), at: at(1)) == [])
        #expect(tells(scene.echo(2, app: app(2))) == [spares[1]])
        #expect(scene.launchedRuns(scene.echo(3, app: app(2))) == [])
        #expect(scene.runTable.slot(of: Scene.run(3)) != spares[0])
    }

    @Test func `a spare that sends garbage, or has no socket, is killed, and no run gets it`() throws {
        var scene = try ready(app(2))
        let spares = spareSlots(scene.echo(1, app: app(2)))
        _ = scene.launched(spares[0])
        for spare in spares {
            #expect(scene.runTable.handle(.violated(spare, message: "garbage"), at: at(1)) == [.signal(spare, .kill)])
        }
        #expect(scene.launched(spares[1]) == [])
        #expect(scene.launchedRuns(scene.echo(2, app: app(2))) == [2])
    }

    @Test func `a spare may send hello`() throws {
        var (scene, spares) = try scene(spares: 1)
        #expect(scene.runTable.handle(.reported(spares[0], .hello(Hello(software: "x"))), at: at(1)) == [])
        #expect(tells(scene.echo(2, app: app(1))) == [spares[0]])
    }

    @Test func `the output of a spare before its run is discarded`() throws {
        var (scene, spares) = try scene(spares: 1)
        #expect(scene.runTable.handle(.printed(spares[0], .stdout, text: "warm"), at: at(1)) == [])
        _ = scene.echo(2, app: app(1))
        #expect(scene.runTable.handle(.printed(spares[0], .stdout, text: "hi"), at: at(1)).count == 1)
    }

    @Test func `a run's account has the isolation of its spare`() throws {
        for isReady in [true, false] {
            var scene = try ready(app(1))
            let spare = try #require(spareSlots(scene.echo(1, app: app(1))).first)
            let reduced = Isolation(grade: .reduced, parts: [], missing: ["a cgroup"])
            if isReady { _ = scene.runTable.handle(.launched(spare, reduced), at: at(0)) }
            _ = scene.echo(2, app: app(1))
            if !isReady { _ = scene.runTable.handle(.launched(spare, reduced), at: at(0)) }
            let ended = scene.runTable.handle(.ended(spare, Scene.exited, lastLine: nil), at: at(1))
            #expect(accounts(ended).map(\.isolation) == [.reduced])
        }
    }
}
