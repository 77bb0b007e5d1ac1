import IntentClient
import IntentLauncherMessages
import IntentLinux
import Testing

private let run = RunID(randomBits: 7)

private let live = LiveRun(run: run, app: "Soup", intent: "OrderSoup", state: .running, age: .milliseconds(5))

extension ScriptedPeer {
    /// Answers the next request, which must be `watch`.
    fileprivate func acceptWatch(_ description: LiveRun? = live) throws -> UInt64? {
        let request = try request()
        guard case .watch(let text, let serial, _) = request.request, text == run.text else { throw Disconnected() }
        try answer(
            request.id,
            .watching(WatchedRun(run: run, app: "Soup", intent: "OrderSoup", live: description))
        )
        return serial
    }

    fileprivate func finish(_ serial: UInt64, _ value: IntentValue? = nil) throws {
        let end = RunEnd(run: run, outcome: .done(value: value, dialog: nil), account: RunAccount())
        try event(run, serial, .finished(end))
    }
}

@Suite struct RunWatchTests {
    @Test func `a watch returns the run's state, then its events to the end`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            #expect(try peer.acceptWatch() == 3)
            try peer.event(run, 4, .state(.running, reason: nil))
            try peer.event(run, 9, .output(.stdout, text: "hi\n"))
            try peer.finish(10, .int(4))
            try peer.waitForTheEnd()
        }
        let watch = try await connection.watch(run: run, after: 3)
        #expect(watch.start.app == "Soup")
        #expect(watch.start.live?.state == .running)
        var events: [RunEvent] = []
        for try await event in watch.events { events.append(event) }
        #expect(events.count == 3)
        #expect(watch.lastSerial == 9)
        #expect(try await watch.result.outcome == .done(value: .int(4), dialog: nil))
    }

    @Test func `watching an ended run returns its end`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.acceptWatch(nil)
            try peer.finish(.max)
            try peer.waitForTheEnd()
        }
        let watch = try await connection.watch(run: run)
        #expect(watch.start.live == nil)
        #expect(try await watch.result.outcome == .done(value: nil, dialog: nil))
    }

    @Test func `a result reports that its files were deleted`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.acceptWatch(nil)
            try peer.finish(.max, .file(FileReference(index: 0, name: "a.txt")))
            try peer.waitForTheEnd()
        }
        let result = try await connection.watch(run: run).result
        #expect(result.outcome == .done(value: nil, dialog: nil))
        #expect(result.hasLostFiles)
    }

    @Test func `cancelling a watch does not cancel the run`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.acceptWatch()
            // The client sends no `cancel`, so this is its next request.
            let request = try peer.request()
            #expect(request.request == .runs)
            try peer.answer(request.id, .runs([]))
            try peer.waitForTheEnd()
        }
        let watch = try await connection.watch(run: run)
        let reading = Task { for try await _ in watch.events {} }
        let waiting = Task { _ = try await watch.result }
        reading.cancel()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(try await connection.runs().isEmpty)
    }

    @Test func `an owner and a watcher on one connection each receive every event`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            let request = try peer.request()
            try peer.answer(request.id, .accepted(run: run))
            _ = try peer.acceptWatch()
            try peer.event(run, 1, .output(.stdout, text: "hi\n"))
            try peer.finish(2)
            try peer.waitForTheEnd()
        }
        let owner = try await connection.perform(PerformRequest(app: "Soup", intent: "OrderSoup"))
        let watch = try await connection.watch(run: owner.id)
        for events in [owner.events, watch.events] {
            var count = 0
            for try await _ in events { count += 1 }
            #expect(count == 2)
        }
    }

    @Test func `the error for a lost connection contains the watched run`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in _ = try peer.acceptWatch() }
        let watch = try await connection.watch(run: run)
        let error = await #expect(throws: IntentClientError.self) { try await watch.result }
        #expect(error?.code == .connectionLost)
        #expect(error?.run == run)
    }
}
