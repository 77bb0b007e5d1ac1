import IntentLauncherMessages
import IntentLifecycle
import Testing

@Suite struct RunTableTests {
    @Test func `the first request for an app makes it describe its intents, and then starts the run`() throws {
        var scene = Scene()
        let slot = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")]), mode: .describe)
        _ = scene.runTable.handle(.reported(slot, .catalog(Scene.catalog)), at: at(0))
        let actions = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0))
        #expect(actions.contains(.answer(Scene.client, id: 1, .accepted(run: Scene.run(1)))))
        let run = try scene.launchedSlot(actions, mode: .once)
        #expect(scene.runTable.run(of: run) == Scene.run(1))
    }

    @Test func `a declaration of another program is bound to the run, and read again after it has changed`() throws {
        var scene = Scene()
        var catalog = Scene.catalog
        for index in catalog.intents.indices {
            var details = IntentDetails()
            details.version = "1"
            catalog.intents[index].details = details
        }
        let slot = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")]), mode: .describe)
        _ = scene.runTable.handle(.reported(slot, .catalog(catalog)), at: at(0))
        let run = try scene.launchedSlot(
            scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0)),
            mode: .once
        )
        let told = scene.launched(run)
        let versions = told.compactMap { action in
            if case .send(_, _, .perform(let command)) = action { command.version } else { nil }
        }
        #expect(versions == ["1"])
        _ = scene.runTable.handle(.reported(run, .started), at: at(0))
        let result = WorkerResult(
            ending: .threw(message: "it has changed"),
            details: RunDetails(code: RunDetails.changedDeclaration)
        )
        _ = scene.runTable.handle(.reported(run, .finished(result)), at: at(0))
        _ = scene.runTable.handle(.ended(run, Scene.exited, lastLine: nil), at: at(0))
        _ = try scene.launchedSlot(
            scene.perform("Echo", ["text": .string("b")], newRun: Scene.run(2), request: 2),
            mode: .describe
        )
    }

    @Test(arguments: [true, false])
    func `a worker with another version of the protocol is killed, and its run is violated`(isDescribing: Bool) throws {
        let other = Hello(protocolVersion: Hello.currentVersion + 1, software: "other")
        let own = Hello(protocolVersion: Hello.currentVersion, software: "own")
        var scene = isDescribing ? Scene() : try Scene.ready()
        let asked = scene.perform("Echo", ["text": .string("a")])
        let slot = try scene.launchedSlot(asked, mode: isDescribing ? .describe : .once)
        if !isDescribing { _ = scene.launched(slot) }
        #expect(scene.runTable.handle(.reported(slot, .hello(own)), at: at(0)) == [])
        let refused = scene.runTable.handle(.reported(slot, .hello(other)), at: at(0))
        #expect(refused.contains(.signal(slot, .kill)))
        let ended = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0))
        if isDescribing {
            #expect(Scene.refusal(in: ended)?.message.contains("version \(Hello.currentVersion + 1)") == true)
        } else {
            #expect(try scene.status().endedCount == 1)
        }
    }

    @Test func `a request that waits for an app's description is dropped when its client disconnects`() throws {
        var scene = Scene()
        let slot = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")]), mode: .describe)
        _ = scene.echo(2, user: .local(user: 1001))
        _ = scene.runTable.handle(.clientLeft(Scene.client), at: at(0))
        _ = scene.runTable.handle(.reported(slot, .catalog(Scene.catalog)), at: at(0))
        let described = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0))
        #expect(scene.launchedRuns(described) == [2])
    }

    @Test func `a run is remembered while it lives and after its end, and its files are needed while it lives`() throws
    {
        var scene = try Scene.ready()
        #expect(!scene.runTable.remembers(Scene.run(1)) && !scene.runTable.needsFiles(of: Scene.run(1)))
        let slot = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")]), mode: .once)
        #expect(scene.runTable.remembers(Scene.run(1)) && scene.runTable.needsFiles(of: Scene.run(1)))
        scene.finish(slot)
        #expect(scene.runTable.remembers(Scene.run(1)) && !scene.runTable.needsFiles(of: Scene.run(1)))
    }

    @Test func `the acceptance is sent before any other message about the run`() throws {
        var scene = try Scene.ready()
        let actions = scene.perform("Echo", ["text": .string("a")])
        let accepted = try #require(actions.firstIndex { if case .answer = $0 { true } else { false } })
        let published = try #require(actions.firstIndex { if case .publish = $0 { true } else { false } })
        #expect(accepted < published)
    }

    @Test func `an app that does not describe its intents is refused with its last line of output`() throws {
        var scene = Scene()
        let slot = try scene.launchedSlot(scene.perform("Echo", [:]), mode: .describe)
        let end = SlotEnd(processEnd: .exited(code: 78))
        let actions = scene.runTable.handle(.ended(slot, end, lastLine: "two intents share a name"), at: at(0))
        let error = try #require(Scene.refusal(in: actions))
        #expect(error.code == .brokenApp)
        #expect(error.message.contains("two intents share a name"))
        #expect(error.message.contains("78"))
        #expect(error.hint?.contains("in a terminal") == true)
    }

    @Test func `an app that hangs instead of describing its intents is killed, and the client receives the reason`()
        throws
    {
        var scene = Scene()
        let actions = scene.perform("Echo", [:])
        let slot = try scene.launchedSlot(actions, mode: .describe)
        let name = try #require(AppName("Probe"))
        #expect(actions.contains(.armTimer(.description(name), at: .monotonic(at(30).monotonic))))
        #expect(scene.runTable.handle(.timerFired(.description(name)), at: at(30)) == [.signal(slot, .kill)])
        let killed = SlotEnd(processEnd: .signaled(signal: 9))
        let end = scene.runTable.handle(.ended(slot, killed, lastLine: nil), at: at(30))
        #expect(try #require(Scene.refusal(in: end)).message.contains("it took longer than 30 s"))
    }

    @Test func `a description that a signal ended is refused with the signal's number`() throws {
        var scene = Scene()
        let slot = try scene.launchedSlot(scene.perform("Echo", [:]), mode: .describe)
        let killed = SlotEnd(processEnd: .signaled(signal: 11))
        let end = scene.runTable.handle(.ended(slot, killed, lastLine: nil), at: at(1))
        #expect(try #require(Scene.refusal(in: end)).message.contains("signal 11 killed it"))
    }

    @Test func `a catalogue is valid until the executable changes`() throws {
        var scene = try Scene.ready()
        var changed = Scene.app
        changed.fingerprint.executable.inode += 1
        let request = PerformRequest(request: Scene.request(7), app: "Probe", intent: "Echo")
        let event = RunTable.Event.requested(
            Scene.client,
            Scene.user,
            id: 9,
            .perform(request, newRun: Scene.run(7), .found(changed))
        )
        _ = try scene.launchedSlot(scene.runTable.handle(event, at: at(1)), mode: .describe)
    }

    @Test func `an unknown app is refused with the nearest name`() throws {
        var scene = Scene()
        let lookup = AppLookup.unknown(name: "Porbe", installed: ["Archive", "Probe"])
        let event = RunTable.Event.requested(Scene.client, Scene.user, id: 4, .describe(lookup))
        let error = try #require(Scene.refusal(in: scene.runTable.handle(event, at: at(0))))
        #expect(error.code == .unknownApp)
        #expect(error.hint == "did you mean 'Probe'?")
    }

    @Test(arguments: [
        ("Ehco", [:], ErrorReport.Code.unknownIntent, "Ehco"),
        ("Echo", [:], .missingParameter, "text"),
        ("Echo", ["text": IntentValue.int(3)], .badParameter, "text"),
        ("Echo", ["txet": .string("a")], .unknownParameter, "txet"),
        ("Echo", ["text": .file(FileReference(index: 0, name: "a"))], .badParameter, "text"),
    ])
    func `an invalid request is refused before any process starts`(
        _ intent: String,
        _ values: [String: IntentValue],
        _ code: ErrorReport.Code,
        _ named: String
    ) throws {
        var scene = try Scene.ready()
        let actions = scene.perform(intent, values)
        let error = try #require(Scene.refusal(in: actions))
        #expect(error.code == code)
        #expect(error.message.contains("'\(named)'"))
        #expect(!actions.contains { if case .launch = $0 { true } else { false } })
        #expect(actions.contains(.forget(Scene.run(1))))
    }

    @Test func `an intent is found by its name with and without the suffix`() throws {
        for name in ["Add", "AddIntent"] {
            var scene = try Scene.ready()
            let actions = scene.perform(name, ["left": .int(1)])
            #expect(Scene.refusal(in: actions) == nil, "\(name)")
        }
    }

    @Test func `the same request of the same user is the same run, even after its end`() throws {
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")]), mode: .once)
        let again = scene.perform("Echo", ["text": .string("a")], id: 2, newRun: Scene.run(2))
        #expect(again == [.answer(Scene.client, id: 2, .accepted(run: Scene.run(1))), .forget(Scene.run(2))])
        scene.finish(slot)
        let late = scene.perform("Echo", ["text": .string("a")], id: 3, newRun: Scene.run(3))
        #expect(late.contains(.answer(Scene.client, id: 3, .accepted(run: Scene.run(1)))))
        #expect(
            late.contains {
                if case .publish(_, let event) = $0, case .finished = event.event { true } else { false }
            }
        )
    }

    @Test func `the same request of another user is another run`() throws {
        var scene = try Scene.ready()
        _ = scene.perform("Echo", ["text": .string("a")])
        let other = scene.perform(
            "Echo",
            ["text": .string("a")],
            id: 1,
            newRun: Scene.run(2),
            client: ClientID(number: 2),
            user: Caller.local(user: 1001)
        )
        #expect(other.contains(.answer(ClientID(number: 2), id: 1, .accepted(run: Scene.run(2)))))
    }

    @Test func `a run is hidden from another user`() throws {
        var scene = try Scene.ready()
        _ = scene.perform("Echo", ["text": .string("a")])
        let otherClient = ClientID(number: 2)
        let user = Caller.local(user: 1001)
        let cancel = scene.runTable.handle(
            .requested(otherClient, user, id: 5, .cancel(run: Scene.run(1).text)),
            at: at(0)
        )
        #expect(Scene.refusal(in: cancel)?.code == .unknownRun)
        let list = scene.runTable.handle(.requested(otherClient, user, id: 6, .runs(held: [])), at: at(0))
        #expect(list == [.answer(otherClient, id: 6, .runs([]))])
    }

    @Test func `a cancel request is answered only once all processes of the run have exited`() throws {
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")]), mode: .once)
        _ = scene.runTable.handle(.launched(slot, Scene.isolation), at: at(0))
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let asked = scene.runTable.handle(
            .requested(Scene.client, Scene.user, id: 8, .cancel(run: Scene.run(1).text)),
            at: at(1)
        )
        #expect(!asked.contains { if case .answer = $0 { true } else { false } })
        let ended = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(2))
        #expect(
            ended.contains {
                if case .answer(Scene.client, 8, .ended(let end)) = $0 {
                    return end.outcome == .cancelled(.userCancelled)
                }
                return false
            }
        )
    }

    @Test(arguments: [(DisconnectRule.cancel, true), (.continue, false)])
    func `a run is cancelled with its client only if the client requested that`(
        _ rule: DisconnectRule,
        _ isCancelled: Bool
    )
        throws
    {
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(
            scene.perform("Echo", ["text": .string("a")], onDisconnect: rule),
            mode: .once
        )
        _ = scene.runTable.handle(.launched(slot, Scene.isolation), at: at(0))
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let actions = scene.runTable.handle(.clientLeft(Scene.client), at: at(1))
        let told = actions.contains {
            if case .send(slot, _, .cancel(.clientDisconnected, _)) = $0 { return true }
            return false
        }
        #expect(told == isCancelled)
    }

    @Test func `runs are admitted in order of arrival, up to the number of slots`() throws {
        var scene = try Scene.ready(places: 1)
        let first = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")]), mode: .once)
        for number in 2...3 {
            let actions = scene.perform(
                "Echo",
                ["text": .string("a")],
                id: UInt64(number),
                newRun: Scene.run(UInt64(number)),
                request: UInt64(number)
            )
            #expect(!actions.contains { if case .launch = $0 { true } else { false } })
        }
        #expect(scene.runTable.load.queuedCount == 2)
        let next = try scene.launchedSlot(scene.finish(first), mode: .once)
        #expect(scene.runTable.run(of: next) == Scene.run(2))
    }

    @Test func `a stop cancels all runs with its reason, refuses new runs, and quits when none is left`() throws {
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")]), mode: .once)
        _ = scene.runTable.handle(.launched(slot, Scene.isolation), at: at(0))
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let stopped = scene.runTable.handle(.stopRequested, at: at(1))
        #expect(stopped.contains(.send(slot, Scene.run(1), .cancel(reason: .serviceStopping, graceMilliseconds: 1000))))
        #expect(!stopped.contains(.quit(.stopped)))
        let refused = scene.perform("Echo", ["text": .string("b")], id: 2, newRun: Scene.run(2), request: 2)
        #expect(Scene.refusal(in: refused)?.code == .stopping)
        #expect(scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(2)).last == .quit(.stopped))
    }

    @Test func `without runs a stop quits at once`() {
        var scene = Scene()
        #expect(scene.runTable.handle(.stopRequested, at: at(0)) == [.quit(.stopped)])
    }

    @Test func `a caller may request more time up to the ceiling`() throws {
        var scene = try Scene.ready()
        for (limit, seconds) in [(Int64(120_000), Int64(120)), (9_000_000, 600), (1000, 1)] {
            let number = UInt64(seconds)
            let slot = try scene.launchedSlot(
                scene.perform("Echo", ["text": .string("a")], newRun: Scene.run(number), request: number, limit: limit),
                mode: .once
            )
            _ = scene.runTable.handle(.launched(slot, Scene.isolation), at: at(0))
            let started = scene.runTable.handle(.reported(slot, .started), at: at(0))
            #expect(started.contains(.armTimer(.run(Scene.run(number)), at: .monotonic(at(seconds).monotonic))))
        }
    }

    @Test(arguments: [
        // With Runtime=30s and Ceiling=10min: the requested limit and ceiling, and the granted seconds of a plain
        // intent.
        (nil, Int64(1_800_000), Int64?.none, Int64(600)),
        (nil, 1_800_000, 3_600_000, 600),
        (nil, 1_800_000, 120_000, 120),
        (Duration.seconds(60), 1_800_000, nil, 60),
        (.seconds(60), 45_000, nil, 45),
        (.seconds(3600), 1_800_000, nil, 1800),
        (.seconds(3600), 9_000_000, 36_000_000, 3600),
        (.seconds(3600), 9_000_000, 120_000, 120),
        // The default limit is not a request of the caller.
        (.seconds(5), 1_800_000, nil, 30),
        (.seconds(5), 20_000, nil, 20),
    ])
    func `a caller's limit is granted up to the operator's cap`(
        _ cap: Duration?,
        _ limit: Int64,
        _ ceiling: Int64?,
        _ seconds: Int64
    ) throws {
        var scene = try Scene.ready()
        var app = Scene.app
        app.limits.runtimeMax = cap
        let asked = scene.perform("Echo", ["text": .string("a")], limit: limit, ceiling: ceiling, app: app)
        let slot = try scene.launchedSlot(asked, mode: .once)
        _ = scene.runTable.handle(.launched(slot, Scene.isolation), at: at(0))
        let started = scene.runTable.handle(.reported(slot, .started), at: at(0))
        #expect(started.contains(.armTimer(.run(Scene.run(1)), at: .monotonic(at(seconds).monotonic))))
    }

    @Test(arguments: [(Duration?.none, Int64(600)), (.seconds(60), 60), (.seconds(5), 30)])
    func `the limits of an app include the maximum that a caller may request`(_ cap: Duration?, _ seconds: Int64) {
        var limits = RunLimits()
        limits.runtimeMax = cap
        #expect(limits.grantableRuntime == .seconds(seconds))
    }

    @Test func `a list waits for every app, and reports the broken apps`() throws {
        var scene = Scene()
        var other = Scene.app
        other.name = try #require(AppName("Other"))
        let asked = scene.runTable.handle(
            .requested(Scene.client, Scene.user, id: 3, .list([Scene.app, other])),
            at: at(0)
        )
        let slots = asked.compactMap { if case .launch(let request) = $0 { request.slot } else { nil } }
        #expect(slots.count == 2)
        _ = scene.runTable.handle(.reported(slots[0], .catalog(Scene.catalog)), at: at(0))
        let first = scene.runTable.handle(.ended(slots[0], Scene.exited, lastLine: nil), at: at(0))
        #expect(!first.contains { if case .answer = $0 { true } else { false } })
        let second = scene.runTable.handle(.launchFailed(slots[1], LaunchFailure(message: "gone")), at: at(0))
        let answer = try #require(
            second.compactMap { action -> [AppDescription]? in
                if case .answer(Scene.client, 3, .apps(let apps)) = action { return apps }
                return nil
            }.first
        )
        #expect(answer.map(\.name) == ["Other", "Probe"])
        #expect(answer.map(\.problem) == ["gone", nil])
    }

    @Test func `one user's ended runs do not displace those of another user`() throws {
        var scene = try Scene.ready()
        func perform(_ number: UInt64, _ user: Caller) throws {
            _ = scene.finish(try scene.launchedSlot(scene.echo(number, user: user), mode: .once))
        }
        try perform(1, Caller.local(user: 1001))
        for number in UInt64(2)...1100 { try perform(number, Caller.local(user: 1000)) }
        #expect(scene.runTable.remembers(Scene.run(1)))
        #expect(!scene.runTable.remembers(Scene.run(2)))
        #expect(scene.runTable.remembers(Scene.run(1100)))
    }
}
