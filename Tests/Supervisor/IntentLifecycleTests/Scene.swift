import IntentLauncherMessages
import IntentLifecycle
import Testing

/// A run table with one or two apps, and with clients of one or two users.
struct Scene {
    static let client = ClientID(number: 1)
    static let user = Caller.local(user: 1000)
    static let isolation = Isolation(grade: .full, parts: ["own root"])
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
    static var app: InstalledApp { app("Probe") }

    static func app(
        _ text: String,
        runCountMax: Int = 32,
        spareCount: Int = 0,
        idleStop: Duration = .seconds(300)
    ) -> InstalledApp {
        guard let name = AppName(text) else { preconditionFailure("'\(text)' is a name") }
        var app = InstalledApp(
            name: name,
            executable: "/apps/\(text)",
            fingerprint: .init(.init(device: 1, inode: 2, byteCount: 3, modifiedNanoseconds: 4)),
            limits: RunLimits()
        )
        app.runCountMax = runCountMax
        app.spareCount = spareCount
        app.idleStop = idleStop
        app.revision = 1
        return app
    }

    var runTable: RunTable

    init(places: Int = 64, waiting: Int = 256, succession: RunTable.Succession = .none) {
        var capacity = RunTable.Capacity()
        capacity.waitingCount = waiting
        capacity.runCount = places
        self.init(capacity, succession: succession)
    }

    init(_ capacity: RunTable.Capacity, succession: RunTable.Succession = .none) {
        runTable = RunTable(capacity: capacity, succession: succession, at: at(0))
    }

    /// A scene in which the app's catalogue is already known.
    static func ready(
        places: Int = 64,
        waiting: Int = 256,
        succession: RunTable.Succession = .none
    ) throws -> Scene {
        var scene = Scene(places: places, waiting: waiting, succession: succession)
        try scene.learn(app)
        return scene
    }

    /// A scene with that capacity, and the catalogues of these apps.
    static func ready(_ capacity: RunTable.Capacity, apps: [InstalledApp] = [app]) throws -> Scene {
        var scene = Scene(capacity)
        for app in apps { try scene.learn(app) }
        return scene
    }

    private mutating func learn(_ app: InstalledApp) throws {
        let asked = runTable.handle(.requested(Scene.client, Scene.user, id: 0, .describe(.found(app))), at: at(0))
        let slot = try launchedSlot(asked, mode: .describe)
        _ = runTable.handle(.reported(slot, .catalog(Scene.catalog)), at: at(0))
        _ = runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0))
    }

    static func run(_ number: UInt64) -> RunID { RunID(randomBits: number) }
    static func request(_ number: UInt64) -> RequestID { RequestID(randomBits: 0, number) }

    static func refusal(in actions: [RunTable.Action]) -> ErrorReport? {
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
        user: Caller = Scene.user,
        entryPoint: EntryPoint? = nil,
        onDisconnect: DisconnectRule = .cancel,
        limit: Int64? = nil,
        ceiling: Int64? = nil,
        isInteractive: Bool? = nil,
        answers: AnswersInAdvance? = nil,
        refusal: ErrorReport? = nil,
        app: InstalledApp = Scene.app
    ) -> [RunTable.Action] {
        let perform = PerformRequest(
            request: Scene.request(request),
            app: app.name.text,
            intent: intent,
            values: values,
            limit: limit.map { .milliseconds($0) },
            ceiling: ceiling.map { .milliseconds($0) },
            onDisconnect: onDisconnect,
            entryPoint: entryPoint,
            isInteractive: isInteractive,
            answers: answers
        )
        return runTable.handle(
            .requested(client, user, id: id, .perform(perform, newRun: newRun, .found(app), refusal: refusal)),
            at: at(0)
        )
    }

    /// Requests a run with that number as that user.
    mutating func echo(
        _ number: UInt64,
        user: Caller = Scene.user,
        app: InstalledApp = Scene.app,
        isInteractive: Bool? = nil
    ) -> [RunTable.Action] {
        perform(
            "Echo",
            ["text": .string("a")],
            id: number,
            newRun: Scene.run(number),
            request: number,
            client: ClientID(number: UInt64(user.uid)),
            user: user,
            isInteractive: isInteractive,
            app: app
        )
    }

    /// The status that a user receives.
    func status(for user: Caller = Scene.user) throws -> DaemonStatus {
        var copy = runTable
        let actions = copy.handle(
            .requested(
                Scene.client,
                user,
                id: 99,
                .status(RunTable.StatusFacts(installedAppCount: 0, problems: []), of: [])
            ),
            at: at(1)
        )
        guard case .answer(_, _, .status(let status))? = actions.first else { throw NoStatus() }
        return status
    }

    struct NoStatus: Error {}

    /// The numbers of the launched runs, up to 100.
    func launchedRuns(_ actions: [RunTable.Action]) -> [UInt64] {
        actions.compactMap { action in
            guard case .launch(let request) = action, let run = request.run else { return nil }
            return (0...100).first { Scene.run($0) == run }
        }
    }

    func launchedSlot(_ actions: [RunTable.Action], mode: WorkerMode) throws -> SlotID {
        try #require(
            actions.lazy.compactMap { action in
                if case .launch(let request) = action, request.mode == mode { return request.slot }
                return nil
            }.first
        )
    }

    mutating func launched(_ slot: SlotID) -> [RunTable.Action] {
        runTable.handle(.launched(slot, Scene.isolation), at: at(0))
    }

    /// Brings a launched run to its end.
    @discardableResult
    mutating func finish(_ slot: SlotID) -> [RunTable.Action] {
        _ = runTable.handle(.launched(slot, Scene.isolation), at: at(0))
        _ = runTable.handle(.reported(slot, .started), at: at(0))
        let result = WorkerResult(ending: .returned(value: nil, dialog: nil))
        _ = runTable.handle(.reported(slot, .finished(result)), at: at(0))
        return runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0))
    }
}

extension RunTable.Event {
    /// The origin of a request of a user, with the rank that follows from the uid.
    static func requested(
        _ client: ClientID,
        _ user: Caller,
        groups: Set<UInt32> = [],
        id: UInt64,
        shortcut: RunID? = nil,
        _ request: RunTable.Request
    ) -> RunTable.Event {
        var origin = RunTable.RequestOrigin(
            client: client,
            user: user,
            rank: RunAccess.Rank(of: user),
            groups: groups,
            id: id,
            caller: CallerProcess(user)
        )
        origin.shortcut = shortcut
        return .requested(origin, request)
    }
}

extension PerformRequest {
    /// The request that intentd makes for a step.
    init(_ step: StepRequest) {
        self.init(
            request: step.request,
            app: step.app,
            intent: step.intent,
            values: step.values,
            onDisconnect: .continue,
            key: step.key
        )
    }
}
