import IntentLauncherMessages
import IntentLifecycle
import Testing

@Suite struct CrashReportTests {
    private static let report = CrashReport(
        signal: 4,
        thread: "run",
        frames: [CrashReport.Frame(image: 0, address: CrashReport.Address(rawValue: 0x1A))],
        images: [CrashReport.Image(path: "", buildID: "0a")]
    )

    private func running() throws -> (Scene, SlotID) {
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")]), mode: .once)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        return (scene, slot)
    }

    /// The account of the run after its process has ended.
    private func account(
        _ scene: inout Scene,
        _ slot: SlotID,
        signal: Int32 = 4
    ) throws -> (outcome: RunOutcome, crash: CrashReport?) {
        let end = SlotEnd(processEnd: .signaled(signal: signal))
        let actions = scene.runTable.handle(.ended(slot, end, lastLine: nil), at: at(1))
        let recorded = actions.lazy.compactMap { action in
            if case .record(let record) = action, case .ended(let end) = record.fact { end } else { nil }
        }.first
        let ended = try #require(recorded)
        return (ended.outcome, ended.account.details?.crash)
    }

    @Test func `a crash is recorded with the last fatal error that the worker printed to standard error`() throws {
        var (scene, slot) = try running()
        for (stream, line) in [
            (OutputStream.stderr, "Shop/A.swift:1: Fatal error: first\nShop/B.swift:2: Fatal error: second\nat 0x1"),
            (.stderr, "more"),
            (.stdout, "Fatal error: on standard output"),
        ] {
            _ = scene.runTable.handle(.printed(slot, stream, text: line), at: at(1))
        }
        #expect(scene.runTable.handle(.reported(slot, .crashed(Self.report)), at: at(1)).isEmpty)
        var expected = Self.report
        expected.message = "Shop/B.swift:2: Fatal error: second"
        #expect(try account(&scene, slot) == (.crashed(.signaled(signal: 4)), expected))
    }

    @Test func `a message is shortened to the limit of a report`() throws {
        var (scene, slot) = try running()
        let text = "Fatal error: " + String(repeating: "ü", count: 4096)
        _ = scene.runTable.handle(.printed(slot, .stderr, text: text), at: at(1))
        _ = scene.runTable.handle(.reported(slot, .crashed(Self.report)), at: at(1))
        let report = try #require(try account(&scene, slot).crash)
        #expect(report.problem == nil)
        #expect(report.message?.hasPrefix("Fatal error: üü") == true)
    }

    @Test func `a message is found and shortened in output without line feeds`() throws {
        var (scene, slot) = try running()
        // A flag is a character of two scalars. Its start can be found only by reading all flags before it.
        let flags = String(repeating: "\u{1F1E9}\u{1F1EA}", count: 20_000)
        let time = ContinuousClock().measure {
            _ = scene.runTable.handle(.printed(slot, .stderr, text: flags + "Fatal error: " + flags), at: at(1))
        }
        #expect(time < .seconds(2))
        _ = scene.runTable.handle(.reported(slot, .crashed(Self.report)), at: at(1))
        let report = try #require(try account(&scene, slot).crash)
        #expect(report.problem == nil)
        #expect(report.message?.contains(utf8: "Fatal error: \u{1F1E9}") == true)
    }

    @Test func `the kernel decides the outcome, and a claim of another signal is dropped`() throws {
        var (scene, slot) = try running()
        _ = scene.runTable.handle(.reported(slot, .crashed(Self.report)), at: at(1))
        #expect(try account(&scene, slot, signal: 11) == (.crashed(.signaled(signal: 11)), nil))
    }

    @Test func `an invalid or a second report kills the worker`() throws {
        var invalid = Self.report
        invalid.frames = Array(repeating: invalid.frames[0], count: 65)
        var (scene, slot) = try running()
        #expect(scene.runTable.handle(.reported(slot, .crashed(invalid)), at: at(1)).contains(.signal(slot, .kill)))
        #expect(try account(&scene, slot, signal: 9).crash == nil)
        (scene, slot) = try running()
        _ = scene.runTable.handle(.reported(slot, .crashed(Self.report)), at: at(1))
        let actions = scene.runTable.handle(.reported(slot, .crashed(Self.report)), at: at(1))
        #expect(actions.contains(.signal(slot, .kill)))
    }

    @Test func `a crash in the details of a result is dropped`() throws {
        var (scene, slot) = try running()
        var details = RunDetails(code: "closed")
        details.crash = Self.report
        let result = WorkerResult(ending: .threw(message: "closed"), details: details)
        let actions = scene.runTable.handle(.reported(slot, .finished(result)), at: at(1))
        let ended = actions.lazy.compactMap { action in
            if case .record(let record) = action, case .ended(let end) = record.fact { end } else { nil }
        }.first
        #expect(ended?.account.details == RunDetails(code: "closed"))
    }

    @Test func `stacks count only in a run that is stopped for a limit, and an invalid report kills the worker`() throws
    {
        let stack = StackReport.CallStack(frames: Self.report.frames, thread: "run")
        let report = StackReport(callStacks: [stack], images: Self.report.images)
        var (scene, slot) = try running()
        #expect(scene.runTable.handle(.reported(slot, .stuck(report)), at: at(1)).isEmpty)
        #expect(try account(&scene, slot).outcome == .crashed(.signaled(signal: 4)))
        (scene, slot) = try running()
        let crowd = StackReport(callStacks: Array(repeating: stack, count: 17), images: Self.report.images)
        #expect(scene.runTable.handle(.reported(slot, .stuck(crowd)), at: at(1)).contains(.signal(slot, .kill)))
    }
}
