import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Tests what a failed launch of a worker means to its app and its run.
@Suite struct LaunchFailureTests {
    @Test func `an app without a working worker is refused with a hint about its settings, not its program`() throws {
        var scene = Scene()
        let slot = try scene.launchedSlot(scene.perform("Echo", [:]), mode: .describe)
        let actions = scene.runTable.handle(
            .launchFailed(slot, LaunchFailure(message: "cannot mount '/srv'")),
            at: at(0)
        )
        let error = try #require(Scene.refusal(in: actions))
        #expect(error.message.contains("cannot mount '/srv'"))
        #expect(error.hint?.contains("settings") == true)
    }

    @Test func `an app that cannot describe its intents for a shortage is not broken, and its request is busy`()
        throws
    {
        var scene = Scene()
        let slot = try scene.launchedSlot(scene.perform("Echo", [:]), mode: .describe)
        let shortage = LaunchFailure(message: "no process id was free", isTemporary: true)
        let actions = scene.runTable.handle(.launchFailed(slot, shortage), at: at(0))
        let error = try #require(Scene.refusal(in: actions))
        #expect(error.code == .busy)
        #expect(error.message.contains("no process id was free"))
        #expect(scene.runTable.brokenApps.isEmpty)
        // The next request does not wait for a pause.
        _ = try scene.launchedSlot(scene.perform("Echo", [:]), mode: .describe)
    }

    @Test(arguments: [true, false])
    func `a run that could not be launched is busy after a shortage, and otherwise not started`(isTemporary: Bool)
        throws
    {
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(scene.echo(1), mode: .once)
        let failure = LaunchFailure(message: "no process id was free", isTemporary: isTemporary)
        let outcomes = scene.runTable.handle(.launchFailed(slot, failure), at: at(1)).compactMap { action in
            if case .record(let record) = action, case .ended(let end) = record.fact { return end.outcome }
            return nil as RunOutcome?
        }
        let outcome: RunOutcome =
            isTemporary ? .busy(message: failure.message) : .notStarted(message: failure.message)
        #expect(outcomes == [outcome])
        // intent-run@.service starts a run again after this code only.
        #expect(outcome.exitCode == (isTemporary ? 75 : 78))
    }
}
