import IntentLauncherMessages
import IntentLifecycle
import Testing

extension SpareTests {
    func app(_ spareCount: Int) -> InstalledApp { Scene.app("Probe", spareCount: spareCount) }

    /// A run table with an app that was used once. The next run makes its use steady.
    func ready(_ app: InstalledApp) throws -> Scene {
        var scene = try Scene.ready(RunTable.Capacity(), apps: [app])
        let first = scene.echo(Self.firstRun, app: app)
        #expect(launches(first).count == 1)
        scene.finish(try scene.launchedSlot(first, mode: .once))
        return scene
    }

    static let firstRun: UInt64 = 99

    /// A run table with an app in steady use that has this many ready spares.
    func scene(spares count: Int) throws -> (Scene, [SlotID]) {
        var scene = try ready(app(count))
        let first = scene.echo(1, app: app(count))
        let spares = spareSlots(first)
        #expect(spares.count == count)
        for spare in spares { #expect(scene.launched(spare) == []) }
        scene.finish(try scene.launchedSlot(first, mode: .once))
        return (scene, spares)
    }

    /// Starts a run at this second, and returns its slot.
    func begin(_ number: UInt64, in scene: inout Scene, at seconds: Int64) -> SlotID? {
        let request = PerformRequest(
            request: Scene.request(number),
            app: "Probe",
            intent: "Echo",
            values: ["text": .string("a")]
        )
        let body = RunTable.Request.perform(request, newRun: Scene.run(number), .found(app(1)))
        _ = scene.runTable.handle(.requested(Scene.client, Scene.user, id: number, body), at: at(seconds))
        return scene.runTable.slot(of: Scene.run(number))
    }

    func launches(_ actions: [RunTable.Action]) -> [LaunchRequest] {
        actions.compactMap { if case .launch(let request) = $0 { request } else { nil } }
    }

    func spareSlots(_ actions: [RunTable.Action]) -> [SlotID] {
        launches(actions).filter { $0.mode == .once && $0.run == nil }.map(\.slot)
    }

    /// The slots with workers that receive their run.
    func tells(_ actions: [RunTable.Action]) -> [SlotID] {
        actions.compactMap { if case .send(let slot, _, .perform) = $0 { slot } else { nil } }
    }

    func kills(_ actions: [RunTable.Action]) -> [SlotID] {
        actions.compactMap { if case .signal(let slot, .kill) = $0 { slot } else { nil } }
    }

    func accounts(_ actions: [RunTable.Action]) -> [RunAccount] { ends(actions).map(\.account) }

    func outcomes(_ actions: [RunTable.Action]) -> [RunOutcome] { ends(actions).map(\.outcome) }

    func ends(_ actions: [RunTable.Action]) -> [RunEnd] {
        actions.compactMap { action in
            if case .publish(_, let event) = action, case .finished(let end) = event.event { return end }
            return nil
        }
    }

    func isSpareTimer(_ action: RunTable.Action) -> Bool {
        if case .armTimer(.spares, _) = action { return true }
        return false
    }
}
