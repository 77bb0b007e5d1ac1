import IntentClient
import IntentLauncherMessages
import Testing

private let run = RunID(randomBits: 7)

/// The sequences of progress and output, beside the events.
@Suite struct RunStreamTests {
    private func handle(_ script: @escaping @Sendable (ScriptedPeer) throws -> Void) async throws -> IntentRun {
        let connection = try await ScriptedPeer.greeted { peer in
            let (request, _) = try peer.requestAndFiles()
            try peer.answer(request.id, .accepted(run: run))
            try script(peer)
        }
        return try await connection.perform("Soup/OrderSoup")
    }

    private static func progress(_ completed: Int64) -> RunEvent {
        .progress(
            ProgressReport(completedUnitCount: completed, totalUnitCount: 4, fraction: Double(completed) / 4)
        )
    }

    @Test func `progress, output and events have readers of their own`() async throws {
        let handle = try await handle { peer in
            try peer.event(run, 1, .output(.stdout, text: "a"))
            try peer.event(run, 2, Self.progress(1))
            try peer.event(run, 3, .output(.stderr, text: "b"))
            let end = RunEnd(run: run, outcome: .done(value: .int(3), dialog: nil), account: RunAccount())
            try peer.event(run, 4, .finished(end))
            try peer.waitForTheEnd()
        }
        async let progress = handle.progress.reduce(into: []) { $0.append($1.completedUnitCount) }
        async let first = handle.output.reduce(into: "") { $0 += $1.text }
        async let second = handle.output.reduce(into: "") { $0 += $1.text }
        #expect(try await progress == [1])
        #expect(try await first == "ab")
        #expect(try await second == "ab")
        #expect(try await handle.value(as: Int.self) == 3)
        // The events are all there, although progress and output were read.
        #expect(try await handle.events.reduce(into: 0) { count, _ in count += 1 } == 4)
        // After the end, a new sequence has the newest progress, and ends.
        #expect(try await handle.progress.reduce(into: []) { $0.append($1.completedUnitCount) } == [1])
    }

    @Test func `a lost connection ends the sequences with its error`() async throws {
        let handle = try await handle { peer in try peer.event(run, 1, .output(.stdout, text: "a")) }
        var text = ""
        let error = await #expect(throws: IntentClientError.self) {
            for try await piece in handle.output { text += piece.text }
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.run == run)
        #expect(text == "a")
    }

    @Test func `a reader that is cancelled does not cancel the run`() async throws {
        let handle = try await handle { peer in
            try peer.event(run, 1, Self.progress(1))
            // A cancellation of the run would be a request.
            try peer.waitForTheEnd()
        }
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let reader = Task {
            for try await _ in handle.progress { start.yield() }
            return true
        }
        for await _ in started { break }
        reader.cancel()
        #expect(try await reader.value)
    }
}
