import IntentClient
import IntentLauncherMessages
import IntentLinux
import Testing

private let run = RunID(randomBits: 7)
private let other = RunID(randomBits: 8)

private func end(_ run: RunID, _ outcome: RunOutcome, files: Int = 0) -> RunEnd {
    RunEnd(run: run, outcome: outcome, account: RunAccount(runtime: .milliseconds(5)), fileCount: files)
}

private func progress(_ completed: Int64) -> ProgressReport {
    ProgressReport(completedUnitCount: completed, totalUnitCount: 10, fraction: Double(completed) / 10)
}

extension ScriptedPeer {
    /// Accepts the next request, which must be `perform`.
    fileprivate func accept(as run: RunID) throws -> (PerformRequest, [SharedFileDescriptor]) {
        let (request, files) = try requestAndFiles()
        guard case .perform(let perform) = request.request else { throw Disconnected() }
        try answer(request.id, .accepted(run: run))
        return (perform, files)
    }
}

@Suite struct IntentRunTests {
    @Test func `a run's events arrive in order, and the sequence ends`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            let (request, _) = try peer.accept(as: run)
            #expect(request.app == "Soup")
            #expect(request.values == ["soup": .string("tomato"), "guests": .int(3)])
            #expect(request.limit == .milliseconds(1500))
            #expect(request.onDisconnect == .continue)
            try peer.event(run, 1, .state(.running, reason: nil))
            try peer.event(run, 2, .output(.stdout, text: "hi\n"))
            try peer.event(run, 5, .progress(progress(3)))
            try peer.event(run, 6, .finished(end(run, .done(value: .int(4), dialog: "enjoy"))))
            try peer.waitForTheEnd()
        }
        let handle = try await connection.perform(
            PerformRequest(
                app: "Soup",
                intent: "OrderSoup",
                values: ["soup": .string("tomato"), "guests": .int(3)],
                limit: .milliseconds(1500),
                onDisconnect: .continue
            )
        )
        #expect(handle.id == run)
        var events: [RunEvent] = []
        for try await event in handle.events { events.append(event) }
        let result = RunResult(end(run, .done(value: .int(4), dialog: "enjoy")))
        #expect(
            events == [
                .state(.running, reason: nil), .output(.stdout, text: "hi\n"),
                .progress(ProgressReport(completedUnitCount: 3, totalUnitCount: 10, fraction: 0.3)),
                .finished(result.end),
            ]
        )
        #expect(try await handle.result == result)
    }

    @Test(arguments: SandboxLimit.allCases)
    func `the end of a run that exceeded a limit has the limit and the isolation`(
        _ limit: SandboxLimit
    ) async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.accept(as: run)
            let account = RunAccount(processEnd: .signaled(signal: 9), isolation: .reduced)
            try peer.event(run, 1, .finished(RunEnd(run: run, outcome: .exceeded(limit), account: account)))
            try peer.waitForTheEnd()
        }
        let result = try await connection.perform(PerformRequest(app: "A", intent: "One")).result
        #expect(result.outcome == .exceeded(limit))
        #expect(limit.message.contains(limit.key))
        #expect(result.end.account.isolation == .reduced)
    }

    @Test func `two runs on one connection receive only their own events`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.accept(as: run)
            _ = try peer.accept(as: other)
            try peer.event(run, 1, .progress(progress(1)))
            try peer.event(other, 1, .progress(progress(2)))
            try peer.event(other, 2, .finished(end(other, .failed(message: "no"))))
            try peer.event(run, 2, .finished(end(run, .done(value: nil, dialog: nil))))
            try peer.waitForTheEnd()
        }
        let first = try await connection.perform(PerformRequest(app: "A", intent: "One"))
        let second = try await connection.perform(PerformRequest(app: "A", intent: "Two"))
        #expect(try await second.result.outcome == .failed(message: "no"))
        #expect(try await first.result.outcome == .done(value: nil, dialog: nil))
    }

    @Test func `files are passed with a request and with its result`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            let (request, files) = try peer.accept(as: run)
            #expect(request.fileCount == 2)
            #expect(files.count == 2)
            #expect(request.values["a"] == .file(FileReference(index: 0, name: "a.txt")))
            #expect(request.values["b"] == .file(FileReference(index: 1, name: "b.txt")))
            let text = try File.readAll(files[1].rawValue, limit: 100) ?? []
            let result = try MemoryFile.sealed(name: "result", (text + Array("!".utf8))[...])
            let reference = FileReference(index: 0, name: "c.txt", contentType: "text/plain")
            try peer.event(run, 1, .progress(progress(1)))
            try peer.event(
                run,
                2,
                .finished(end(run, .done(value: .file(reference), dialog: nil), files: 1)),
                files: [result]
            )
            try peer.waitForTheEnd()
        }
        var files: [RunFile] = []
        for name in ["a", "b"] {
            let source = try MemoryFile.sealed(name: name, Array(name.utf8)[...])
            files.append(try RunFile(duplicating: source.rawValue, name: name + ".txt"))
        }
        let values = ["a": files[0].value(at: 0), "b": files[1].value(at: 1)]
        let request = PerformRequest(app: "A", intent: "One", values: values)
        let result = try await connection.perform(request, files: files).result
        guard case .file(let reference)? = result.value, let file = result.file(reference) else {
            Issue.record("the value is not a file")
            return
        }
        #expect(file.name == "c.txt")
        #expect(file.contentType == "text/plain")
        let bytes = try file.withDescriptor { try File.readAll($0, limit: 100) }
        #expect(bytes == Array("b!".utf8))
    }

    @Test func `a value with a missing file is a protocol violation, and the error contains the run`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.accept(as: run)
            let value = IntentValue.file(FileReference(index: 0, name: "c.txt"))
            try peer.event(run, 1, .finished(end(run, .done(value: value, dialog: nil), files: 1)))
            try peer.waitForTheEnd()
        }
        let handle = try await connection.perform(PerformRequest(app: "A", intent: "One"))
        let error = await #expect(throws: IntentClientError.self) { try await handle.result }
        #expect(error?.code == .protocolViolation)
        #expect(error?.run == run)
    }

    @Test func `the error for a connection lost during a run contains the run, once per reader`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.accept(as: run)
            try peer.event(run, 1, .progress(progress(1)))
        }
        let handle = try await connection.perform(PerformRequest(app: "A", intent: "One"))
        let error = await #expect(throws: IntentClientError.self) { try await handle.result }
        #expect(error?.code == .connectionLost)
        #expect(error?.run == run)
        #expect(error?.message.contains(run.text) == true)
        var iterator = handle.events.makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        await #expect(throws: IntentClientError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test func `cancelling a task cancels its run and waits for the run's end`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.accept(as: run)
            try peer.event(run, 1, .state(.running, reason: nil))
            let cancel = try peer.request()
            #expect(cancel.request == .cancel(run: run.text))
            let ending = end(run, .cancelled(.userCancelled))
            try peer.event(run, 2, .state(.stopping, reason: .userCancelled))
            try peer.event(run, 3, .finished(ending))
            try peer.answer(cancel.id, .ended(ending))
            try peer.waitForTheEnd()
        }
        let handle = try await connection.perform(PerformRequest(app: "A", intent: "One"))
        let following = Task {
            var events: [RunEvent] = []
            for try await event in handle.events { events.append(event) }
            return events
        }
        following.cancel()
        let events = try await following.value
        #expect(events.count == 3)
        #expect(try await handle.result.outcome == .cancelled(.userCancelled))
    }

    @Test func `cancelling a run of another connection returns its end`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            let request = try peer.request()
            let account = RunAccount(runtime: .milliseconds(9), signals: ["SIGTERM"], leftoverProcessCount: 2)
            let ending = RunEnd(run: run, outcome: .cancelled(.userCancelled), account: account)
            try peer.answer(request.id, .ended(ending))
            try peer.waitForTheEnd()
        }
        let result = try await connection.cancel(run: run)
        #expect(result.end.account.signals == ["SIGTERM"])
        #expect(result.end.account.leftoverProcessCount == 2)
    }

    @Test func `newer progress replaces unread progress`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.accept(as: run)
            for serial in 1...9 { try peer.event(run, UInt64(serial), .progress(progress(Int64(serial)))) }
            try peer.event(run, 10, .finished(end(run, .done(value: nil, dialog: nil))))
            try peer.waitForTheEnd()
        }
        let handle = try await connection.perform(PerformRequest(app: "A", intent: "One"))
        _ = try await handle.result
        var events: [RunEvent] = []
        for try await event in handle.events { events.append(event) }
        #expect(events.count == 2)
        #expect(events.first == .progress(ProgressReport(completedUnitCount: 9, totalUnitCount: 10, fraction: 0.9)))
    }

    @Test func `the client refuses a request over the size limit, and the connection continues`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            let request = try peer.request()
            try peer.answer(request.id, .runs([]))
            try peer.waitForTheEnd()
        }
        let text = String(repeating: "x", count: 2 << 20)
        let error = await #expect(throws: IntentClientError.self) {
            _ = try await connection.perform(PerformRequest(app: "A", intent: "One", values: ["text": .string(text)]))
        }
        #expect(error?.code == .tooLarge)
        #expect(try await connection.runs().isEmpty)
    }

    @Test func `a large request is sent in pieces`() async throws {
        let text = String(repeating: "x", count: 900_000)
        let connection = try await ScriptedPeer.greeted { peer in
            let (request, _) = try peer.accept(as: run)
            #expect(request.values["text"] == .string(String(repeating: "x", count: 900_000)))
            try peer.event(run, 1, .finished(end(run, .done(value: nil, dialog: nil))))
            try peer.waitForTheEnd()
        }
        let handle = try await connection.perform(
            PerformRequest(app: "A", intent: "One", values: ["text": .string(text)])
        )
        _ = try await handle.result
    }
}
