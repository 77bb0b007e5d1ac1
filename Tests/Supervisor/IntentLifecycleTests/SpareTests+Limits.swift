import IntentLauncherMessages
import IntentLifecycle
import Testing

/// The spares that end when all apps together would have too many.
extension SpareTests {
    /// Starts a run at this second.
    private func begin(_ number: UInt64, of app: InstalledApp, in scene: inout Scene, at seconds: Int64)
        -> [RunTable.Action]
    {
        let request = PerformRequest(
            request: Scene.request(number),
            app: app.name.text,
            intent: "Echo",
            values: ["text": .string("a")]
        )
        let body = RunTable.Request.perform(request, newRun: Scene.run(number), .found(app))
        return scene.runTable.handle(.requested(Scene.client, Scene.user, id: number, body), at: at(seconds))
    }

    private func end(_ number: UInt64, in scene: inout Scene, at seconds: Int64) throws -> [RunTable.Action] {
        let slot = try #require(scene.runTable.slot(of: Scene.run(number)))
        return scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(seconds))
    }

    /// The runs of an app have numbers from `first`. The first one ends, and the second one launches the spares.
    private func use(_ app: InstalledApp, from first: UInt64, in scene: inout Scene, at seconds: Int64) throws
        -> [SlotID]
    {
        _ = begin(first, of: app, in: &scene, at: seconds)
        let spares = spareSlots(begin(first + 1, of: app, in: &scene, at: seconds))
        for spare in spares { _ = scene.launched(spare) }
        _ = try end(first, in: &scene, at: seconds)
        return spares
    }

    @Test func `the spares that have been idle longest end for the spares of an app in use`() throws {
        let apps = ["Busy", "Idle", "Later", "Last", "Once", "New"].map { Scene.app($0, spareCount: 64) }
        var scene = try Scene.ready(RunTable.Capacity(), apps: apps)
        // Its run continues, so it is not idle.
        #expect(try use(apps[0], from: 10, in: &scene, at: 1).count == 64)
        // An app that was used once has no spares to end.
        _ = begin(20, of: apps[4], in: &scene, at: 2)
        _ = try end(20, in: &scene, at: 2)
        var idle: [SlotID] = []
        for (number, app) in apps[1...3].enumerated() {
            let (first, seconds) = (UInt64(30 + 10 * number), Int64(10 + number))
            let spares = try use(app, from: first, in: &scene, at: seconds)
            #expect(spares.count == 64)
            if number == 0 { idle = spares }
            _ = try end(first + 1, in: &scene, at: seconds)
        }
        _ = begin(80, of: apps[5], in: &scene, at: 100)
        let actions = begin(81, of: apps[5], in: &scene, at: 100)
        #expect(Set(kills(actions)) == Set(idle))
        #expect(actions.contains(.disarmTimer(.spares(AppUser(app: apps[1].name, user: Scene.user)))))
        // Their slots are free when they have exited.
        #expect(spareSlots(actions).isEmpty)
        for spare in idle { _ = scene.runTable.handle(.ended(spare, Scene.exited, lastLine: nil), at: at(101)) }
        #expect(spareSlots(try end(80, in: &scene, at: 102)).count == 64)
    }

    @Test func `an app does not lose its own spares for more of them`() throws {
        let apps = ["One", "Two", "Three", "Own", "Other"].map { Scene.app($0, spareCount: 64) }
        var scene = try Scene.ready(RunTable.Capacity(), apps: apps)
        for (number, app) in apps[0..<4].enumerated() {
            #expect(try use(app, from: UInt64(10 * number + 10), in: &scene, at: 1).count == 64)
        }
        // Ten spares of the app perform runs, and another app takes their places.
        for number in UInt64(100)..<110 { #expect(tells(begin(number, of: apps[3], in: &scene, at: 2)).count == 1) }
        #expect(try use(apps[4], from: 200, in: &scene, at: 3).count == 10)
        var ended = try end(41, in: &scene, at: 4)
        for number in UInt64(100)..<110 { ended += try end(number, in: &scene, at: 4) }
        #expect(kills(ended).isEmpty && spareSlots(ended).isEmpty)
    }

    @Test func `a spare that no run has used ends after the idle time, also of an app with Spare=0`() throws {
        let app = app(0)
        var scene = Scene(RunTable.Capacity())
        let started = scene.runTable.handle(
            .started([app], expectingRunOf: Scene.user, with: [app.fingerprint: Scene.catalog]),
            at: at(0)
        )
        let spare = try #require(spareSlots(started).first)
        _ = scene.launched(spare)
        scene.runTable.areSparesCurrent = false
        _ = begin(1, of: app, in: &scene, at: 1)
        let ended = try end(1, in: &scene, at: 2)
        #expect(kills(ended).isEmpty)
        let idleEnd = 2 + app.idleStop.components.seconds
        let fired =
            scene.runTable.handle(.timerFired(.spares(name)), at: at(idleEnd - 2))
            + scene.runTable.handle(.timerFired(.spares(name)), at: at(idleEnd))
        #expect(kills(fired) == [spare])
    }
}
