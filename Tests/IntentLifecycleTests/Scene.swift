import IntentLifecycle
import IntentWire
import Testing

/// A fleet with one app, one client and one user.
struct Scene {
    static let client = ClientID(number: 1)
    static let user = UserID(number: 1000)
    static let exited = SlotEnd(processEnd: .exited(code: 0))
    static let catalog = IntentCatalog(intents: [
        IntentDeclaration(
            name: "Echo",
            title: "Echo",
            parameters: [ParameterDeclaration(name: "text", title: "Text", type: .string)],
            result: .string
        ),
        IntentDeclaration(
            name: "AddIntent",
            title: "Add",
            parameters: [
                ParameterDeclaration(name: "left", title: "Left", type: .int),
                ParameterDeclaration(name: "right", title: "Right", type: .int, defaultValue: .int(1)),
            ],
            result: .int
        ),
    ])
    static var app: InstalledApp {
        guard let name = AppName("Probe") else { preconditionFailure("'Probe' is a name") }
        return InstalledApp(
            name: name,
            executable: "/apps/Probe",
            fingerprint: .init(device: 1, inode: 2, byteCount: 3, modifiedNanoseconds: 4),
            limits: RunLimits()
        )
    }

    var fleet: Fleet

    init(places: Int = 64, waiting: Int = 256) {
        var capacity = Fleet.Capacity()
        capacity.waitingCount = waiting
        capacity.runCount = places
        fleet = Fleet(capacity: capacity, at: at(0))
    }

    /// A fleet that knows the app's catalogue already.
    static func ready(places: Int = 64, waiting: Int = 256) throws -> Scene {
        var scene = Scene(places: places, waiting: waiting)
        let asked = scene.fleet.handle(.requested(client, user, id: 0, .describe(.found(app))), at: at(0))
        let slot = try scene.launchedSlot(asked, mode: .describe)
        _ = scene.fleet.handle(.reported(slot, .catalog(catalog)), at: at(0))
        _ = scene.fleet.handle(.ended(slot, exited, lastWords: nil), at: at(0))
        return scene
    }

    static func run(_ number: UInt64) -> RunID { RunID(randomBits: number) }
    static func request(_ number: UInt64) -> RequestID { RequestID(randomBits: 0, number) }

    static func refusal(in actions: [Fleet.Action]) -> ErrorReport? {
        actions.lazy.compactMap { action in
            if case .answer(_, _, .refused(let error)) = action { return error }
            return nil
        }.first
    }

    mutating func perform(
        _ intent: String,
        _ values: [String: IntentValue],
        id: UInt64 = 1,
        newRun: RunID = Scene.run(1),
        request: UInt64 = 1,
        client: ClientID = Scene.client,
        user: UserID = Scene.user,
        onDisconnect: DisconnectRule = .cancel,
        limit: Int64? = nil
    ) -> [Fleet.Action] {
        let perform = PerformRequest(
            request: Scene.request(request),
            app: "Probe",
            intent: intent,
            values: values,
            limitMilliseconds: limit,
            onDisconnect: onDisconnect
        )
        return fleet.handle(
            .requested(client, user, id: id, .perform(perform, newRun: newRun, .found(Scene.app))),
            at: at(0)
        )
    }

    func launchedSlot(_ actions: [Fleet.Action], mode: WorkerMode) throws -> SlotID {
        try #require(
            actions.lazy.compactMap { action in
                if case .launch(let request) = action, request.mode == mode { return request.slot }
                return nil
            }.first
        )
    }

    /// Brings a launched run to its end.
    @discardableResult
    mutating func finish(_ slot: SlotID) -> [Fleet.Action] {
        _ = fleet.handle(.launched(slot), at: at(0))
        _ = fleet.handle(.reported(slot, .started), at: at(0))
        let result = WorkerResult(ending: .returned(value: nil, dialog: nil))
        _ = fleet.handle(.reported(slot, .finished(result)), at: at(0))
        return fleet.handle(.ended(slot, Scene.exited, lastWords: nil), at: at(0))
    }
}
