import IntentLauncherMessages
import IntentLifecycle
import Testing

/// The isolation of workers, from the launcher's report to the client's message.
@Suite struct IsolationTests {
    private let reduced = Isolation(grade: .reduced, parts: ["own root"], missing: ["a cgroup"])

    @Test func `a description has the isolation of the worker that sent the catalogue`() throws {
        var scene = Scene()
        let event = RunTable.Event.requested(Scene.client, Scene.user, id: 4, .describe(.found(Scene.app)))
        let slot = try scene.launchedSlot(scene.runTable.handle(event, at: at(0)), mode: .describe)
        _ = scene.runTable.handle(.launched(slot, reduced), at: at(0))
        _ = scene.runTable.handle(.reported(slot, .catalog(Scene.catalog)), at: at(0))
        let told = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0))
        #expect(isolation(in: told) == reduced)
        // The isolation is stored with the catalogue.
        #expect(isolation(in: scene.runTable.handle(event, at: at(1))) == reduced)
    }

    @Test func `a later description has the isolation of the newest worker`() throws {
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(scene.echo(1), mode: .once)
        _ = scene.runTable.handle(.launched(slot, reduced), at: at(0))
        let event = RunTable.Event.requested(Scene.client, Scene.user, id: 4, .describe(.found(Scene.app)))
        #expect(isolation(in: scene.runTable.handle(event, at: at(1))) == reduced)
    }

    @Test func `the end of a run has its isolation, and that of an unstarted run has none`() throws {
        for (launches, grade) in [(true, IsolationGrade?.some(.reduced)), (false, nil)] {
            var scene = try Scene.ready()
            let slot = try scene.launchedSlot(scene.echo(1), mode: .once)
            let end =
                if launches {
                    scene.runTable.handle(.launched(slot, reduced), at: at(0))
                        + scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(1))
                } else {
                    scene.runTable.handle(.launchFailed(slot, LaunchFailure(message: "no")), at: at(1))
                }
            let account = end.lazy.compactMap { action -> RunAccount? in
                if case .publish(_, let event) = action, case .finished(let end) = event.event { return end.account }
                return nil
            }.first
            #expect(try #require(account).isolation == grade)
        }
    }

    @Test func `the status has the isolation grade, parts and missing requirements that the launcher reported`() throws
    {
        var scene = Scene()
        #expect(try scene.status().isolationGrade == nil)
        #expect(scene.runTable.handle(.isolationReported(reduced), at: at(0)) == [])
        let status = try scene.status()
        #expect(status.isolation == ["own root"])
        #expect(status.isolationGrade == .reduced)
        #expect(status.isolationMissing == ["a cgroup"])
    }

    @Test func `an app that exceeds a limit while it describes its intents is refused with that limit`() throws {
        var scene = Scene()
        let slot = try scene.launchedSlot(scene.perform("Echo", [:]), mode: .describe)
        let end = SlotEnd(processEnd: .signaled(signal: 9), exceeded: .memory)
        let error = try #require(Scene.refusal(in: scene.runTable.handle(.ended(slot, end, lastLine: nil), at: at(0))))
        #expect(error.code == .brokenApp)
        #expect(error.message.contains("MemoryMax="))
    }

    @Test(arguments: [
        (OutputStream.stderr, [Isolation.Need.memoryController], Int32(6), true),
        // Text that any program may print, a limit that the kernel reports itself, and another end.
        (.stdout, [.memoryController], 6, false),
        (.stderr, [], 6, false),
        (.stderr, [.memoryController], 11, false),
    ])
    func `without a memory controller, a run that the runtime aborts for memory exceeded MemoryMax=`(
        stream: OutputStream,
        needs: [Isolation.Need],
        signal: Int32,
        isMemory: Bool
    ) throws {
        for text in [
            "Fatal error: failed to allocate 1048608 bytes of memory with alignment 16\n",
            "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n",
        ] {
            let outcome = try outcome(needs: needs, signal: signal) { scene, slot in
                _ = scene.runTable.handle(.printed(slot, stream, text: text), at: at(0))
            }
            #expect(outcome == (isMemory ? .exceeded(.memory) : .crashed(.signaled(signal: signal))), "\(text)")
        }
    }

    @Test func `a run that aborts with another message has not exceeded MemoryMax=`() throws {
        let outcome = try outcome(needs: [.memoryController], signal: 6) { scene, slot in
            let text = "terminate called after throwing an instance of 'std::out_of_range'\n"
            _ = scene.runTable.handle(.printed(slot, .stderr, text: text), at: at(0))
        }
        #expect(outcome == .crashed(.signaled(signal: 6)))
    }

    @Test(arguments: [
        (Int64(250), [Isolation.Need.memoryController], "", true),
        (250, [.memoryController], "Fatal error: Unexpectedly found nil while unwrapping an Optional value\n", true),
        // A trap with another cause, enough free memory, and a limit that the kernel reports itself.
        (250, [.memoryController], "Fatal error: Index out of range\n", false),
        (200, [.memoryController], "", false),
        (250, [], "", false),
    ])
    func `without a memory controller, a run that crashes when its memory is used up exceeded MemoryMax=`(
        mebibytes: Int64,
        needs: [Isolation.Need],
        text: String,
        isMemory: Bool
    ) throws {
        let memory = CrashReport.Memory(byteCount: mebibytes << 20, limit: 256 << 20)
        let report = CrashReport(signal: 11, frames: [], images: [], memory: memory)
        let outcome = try outcome(needs: needs, signal: 11) { scene, slot in
            _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
            _ = scene.runTable.handle(.printed(slot, .stderr, text: text), at: at(0))
            _ = scene.runTable.handle(.reported(slot, .crashed(report)), at: at(0))
        }
        #expect(outcome == (isMemory ? .exceeded(.memory) : .crashed(.signaled(signal: 11))))
    }

    /// The outcome of a run that a signal ends.
    private func outcome(
        needs: [Isolation.Need],
        signal: Int32,
        _ happen: (inout Scene, SlotID) -> Void
    ) throws -> RunOutcome? {
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(scene.echo(1), mode: .once)
        let isolation = Isolation(grade: .reduced, parts: [], missing: [], needs: needs)
        _ = scene.runTable.handle(.launched(slot, isolation), at: at(0))
        happen(&scene, slot)
        let end = SlotEnd(processEnd: .signaled(signal: signal))
        return scene.runTable.handle(.ended(slot, end, lastLine: nil), at: at(1)).lazy.compactMap { action in
            if case .publish(_, let event) = action, case .finished(let end) = event.event {
                end.outcome
            } else {
                nil
            }
        }.first
    }

    private func isolation(in actions: [RunTable.Action]) -> Isolation? {
        actions.lazy.compactMap { action in
            if case .answer(_, _, .app(let app)) = action { return app.isolation }
            return nil
        }.first
    }
}
