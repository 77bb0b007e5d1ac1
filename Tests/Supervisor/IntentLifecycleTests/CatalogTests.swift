import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Descriptions of many apps: at the start, and after a reload.
@Suite struct CatalogTests {
    private static let exitedBadly = SlotEnd(processEnd: .exited(code: 78))
    private static let names = ["Good", "Broken"]

    private func name(_ text: String) throws -> AppName { try #require(AppName(text)) }

    /// Starts with a good app, which has described its intents, and a broken app.
    private func started() throws -> (Scene, broken: SlotID) {
        var scene = Scene()
        let actions = scene.runTable.handle(.started(Self.names.map { Scene.app($0) }), at: at(0))
        let slots = actions.compactMap { action -> SlotID? in
            if case .launch(let request) = action, request.mode == .describe { return request.slot }
            return nil
        }
        try #require(slots.count == 2)
        _ = scene.runTable.handle(.reported(slots[0], .catalog(Scene.catalog)), at: at(0))
        #expect(!scene.runTable.handle(.ended(slots[0], Scene.exited, lastLine: nil), at: at(0)).contains(.catalogued))
        return (scene, slots[1])
    }

    @Test func `the start is complete once every app has described its intents or failed to do so`() throws {
        var (scene, broken) = try started()
        let end = scene.runTable.handle(.ended(broken, Self.exitedBadly, lastLine: "no soup"), at: at(1))
        #expect(end.last == .catalogued)
        #expect(try Set(scene.runTable.brokenApps.keys) == [name("Broken")])
        guard case .reportBroken(let app, let problem)? = end.first(where: \.isReport) else {
            Issue.record("the journal hears of it")
            return
        }
        #expect(try app == name("Broken") && problem.contains("no soup") && problem.contains("78"))
    }

    @Test func `an app that does not answer does not prevent the start`() throws {
        var (scene, broken) = try started()
        #expect(
            scene.runTable.handle(.timerFired(.description(try name("Broken"))), at: at(10)) == [.signal(broken, .kill)]
        )
        let killed = SlotEnd(processEnd: .signaled(signal: 9))
        #expect(scene.runTable.handle(.ended(broken, killed, lastLine: nil), at: at(10)).last == .catalogued)
    }

    @Test func `a catalogue in several parts is one catalogue, and too many parts are refused`() throws {
        let intents = (0..<4000).map {
            IntentDeclaration(name: "I\($0)", title: "I", summary: String(repeating: "x", count: 70))
        }
        let catalog = IntentCatalog(intents: intents, warnings: ["a warning"])
        let parts = try WorkerReport.parts(of: catalog)
        #expect(parts.count > 2 && parts.count <= WorkerReport.catalogPartLimit)
        for part in parts {
            _ = try Frame.encode(WireCoding.encode(part), limit: Frame.recordLimit - Frame.headerByteCount)
        }
        #expect(throws: FrameError.self) {
            try WorkerReport.parts(of: IntentCatalog(intents: intents + intents))
        }
        for hasEnd in [true, false] {
            var scene = Scene()
            let app = Scene.app("Good")
            let slot = try scene.launchedSlot(scene.runTable.handle(.started([app]), at: at(0)), mode: .describe)
            for part in parts { #expect(scene.runTable.handle(.reported(slot, part), at: at(0)).isEmpty) }
            let excess = WorkerReport.catalogPartLimit - parts.count + 1
            for number in 1...excess where !hasEnd {
                let actions = scene.runTable.handle(.reported(slot, parts[1]), at: at(0))
                #expect(actions == (number == excess ? [.signal(slot, .kill)] : []))
            }
            _ = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(1))
            #expect(scene.runTable.catalog(of: app) == (hasEnd ? catalog : nil))
        }
    }

    @Test func `without apps the start is complete at once`() {
        var scene = Scene()
        #expect(scene.runTable.handle(.started([]), at: at(0)) == [.catalogued])
    }

    @Test func `a reload is answered once all apps are described, with the broken apps`() throws {
        var (scene, broken) = try started()
        _ = scene.runTable.handle(.ended(broken, Self.exitedBadly, lastLine: nil), at: at(1))
        let asked = reload(&scene, Self.names.map { Scene.app($0) }, warnings: ["Refused: others can write it"])
        // An app with a known catalogue is not described again. An app that failed is described again.
        let slot = try scene.launchedSlot(asked, mode: .describe)
        #expect(!asked.contains { $0.isAnswer })
        let end = scene.runTable.handle(.ended(slot, Self.exitedBadly, lastLine: nil), at: at(2))
        guard case .answer(Scene.client, id: 9, .reloaded(let report))? = end.last else {
            Issue.record("\(end)")
            return
        }
        #expect(report.appCount == 1)
        #expect(report.warnings.count == 2 && report.warnings[0] == "Refused: others can write it")
        #expect(report.warnings[1].hasPrefix("Broken: "))
    }

    @Test func `a removed app is no longer reported`() throws {
        var (scene, broken) = try started()
        _ = scene.runTable.handle(.ended(broken, Self.exitedBadly, lastLine: nil), at: at(1))
        let answer = reload(&scene, [Scene.app("Good")], warnings: [])
        #expect(answer == [.answer(Scene.client, id: 9, .reloaded(ReloadReport(appCount: 1, warnings: [])))])
        #expect(scene.runTable.brokenApps.isEmpty)
    }

    @Test func `more slots admit waiting runs, and fewer slots remove no run`() throws {
        var capacity = RunTable.Capacity()
        capacity.runCount = 1
        var scene = try Scene.ready(capacity)
        _ = scene.echo(1)
        #expect(scene.launchedRuns(scene.echo(2)) == [])
        #expect(scene.launchedRuns(scene.echo(3)) == [])
        capacity.runCount = 2
        #expect(scene.launchedRuns(reload(&scene, [Scene.app], capacity)) == [2])
        capacity.runCount = 1
        #expect(reload(&scene, [Scene.app], capacity).allSatisfy { $0.isAnswer })
        #expect(scene.runTable.load.runningCount == 2)
    }

    @Test func `a run keeps the limits with which it began`() throws {
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(scene.echo(1), mode: .once)
        var shorter = Scene.app
        shorter.limits.runtime = .seconds(1)
        _ = reload(&scene, [shorter])
        _ = scene.runTable.handle(.launched(slot, Scene.isolation), at: at(0))
        let started = scene.runTable.handle(.reported(slot, .started), at: at(0))
        #expect(started.contains(.armTimer(.run(Scene.run(1)), at: .monotonic(at(30).monotonic))))
    }

    private static let hidden = "a\u{200B}b"
    private static let unreadable: [IntentDeclaration] = {
        func parameter(_ type: ValueType) -> IntentDeclaration {
            IntentDeclaration(
                name: "Echo",
                title: "Echo",
                parameters: [ParameterDeclaration(name: "text", title: "Text", type: type)]
            )
        }
        let choice = ValueType.enumeration([EnumerationCase(value: hidden, title: "A")])
        let object = ObjectType(
            title: "O",
            properties: [PropertyDeclaration(name: "list", title: "L", type: .array(choice))]
        )
        var named = parameter(.string)
        named.parameters[0].name = "te\u{202E}xt"
        var found = parameter(.string)
        found.parameters[0].search = PropertySearchDeclaration(
            properties: [SearchableProperty(name: hidden, comparators: [])]
        )
        return [
            IntentDeclaration(name: "Echo\u{E0041}", title: "Echo"), named, found, parameter(choice),
            parameter(.array(choice)), parameter(.object(object)),
            parameter(.entity(EntityType(name: hidden, title: "E", isSearchable: false))),
            IntentDeclaration(name: "Echo\n", title: "Echo"),
            IntentDeclaration(name: "Echo", title: "", result: choice),
        ]
    }()

    @Test(arguments: unreadable.indices)
    func `an app with an identifier that is not visible as it is cannot be used, and the reason names it`(
        index: Int
    ) throws {
        var scene = Scene()
        let asked = scene.runTable.handle(.started([Scene.app("Good")]), at: at(0))
        let slot = try scene.launchedSlot(asked, mode: .describe)
        let catalog = IntentCatalog(intents: [Self.unreadable[index]])
        #expect(scene.runTable.handle(.reported(slot, .catalog(catalog)), at: at(0)) == [.signal(slot, .kill)])
        // The worker may exit before it is killed.
        let end = index.isMultiple(of: 2) ? SlotEnd(processEnd: .signaled(signal: 9)) : Scene.exited
        _ = scene.runTable.handle(.ended(slot, end, lastLine: nil), at: at(0))
        let problem = try #require(scene.runTable.brokenApps[try name("Good")])
        #expect(problem.contains("\\") && problem.contains("rename it") && problem.utf8.allSatisfy { $0 < 0x7F })
    }

    @Test func `joiners that a script or an emoji needs, and invisible characters of titles, are no problem`() {
        let family = EnumerationCase(value: "\u{1F469}\u{200D}\u{1F467}", title: "x\u{200B}")
        let parameter = ParameterDeclaration(name: "größe", title: "\u{202E}", type: .enumeration([family]))
        let intent = IntentDeclaration(name: "نامه\u{200C}ای", title: "\n", parameters: [parameter])
        #expect(IntentCatalog(intents: [intent]).identifierProblem == nil)
    }

    private func reload(
        _ scene: inout Scene,
        _ apps: [InstalledApp],
        _ capacity: RunTable.Capacity = RunTable.Capacity(),
        warnings: [String] = []
    ) -> [RunTable.Action] {
        scene.runTable.handle(
            .requested(Scene.client, Caller.local(user: 0), id: 9, .reload(capacity, apps, warnings: warnings)),
            at: at(1)
        )
    }
}

extension RunTable.Action {
    fileprivate var isAnswer: Bool {
        if case .answer = self { return true }
        return false
    }

    fileprivate var isReport: Bool {
        if case .reportBroken = self { return true }
        return false
    }
}
