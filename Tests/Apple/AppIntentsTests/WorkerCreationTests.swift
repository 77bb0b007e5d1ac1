import Glibc
import IntentLauncherMessages
import TestSupport
import Testing

/// Tests the creation of the app in a worker.
@Suite(.ownThread) struct WorkerCreationTests {
    private func notes(_ behaviour: String) throws -> IntentValue? {
        try AppProcess.run("CreationNotes", variables: ["PROBE_INIT": behaviour]).value
    }

    @Test func `init() runs on the main actor, and knows the run`() throws {
        #expect(try notes("isolation") == .array([.string("isolated in \(RunID(randomBits: 1).text)")]))
    }

    @Test func `a task of the main actor that init() starts runs after init()`() throws {
        #expect(try notes("task") == .array([.string("init"), .string("task")]))
    }

    @Test func `the app is created on the main queue if the queue already has work`() throws {
        let worker = try AppProcess("Probe", mode: "once", variables: ["PROBE_INIT": "queue"])
        try worker.wait(for: "the main queue is served")
        _ = try worker.next()
        try worker.send(
            .perform(PerformCommand(run: RunID(randomBits: 1), intent: "CreationNotes", values: [:], fileCount: 0))
        )
        _ = try worker.next()
        #expect(try worker.result().value == .array([.string("on the main queue")]))
        #expect(try worker.acknowledge() == 0)
    }

    @Test func `a cancellation that arrives while init() runs cancels the run`() throws {
        let worker = try AppProcess.performing("CreationNotes", variables: ["PROBE_INIT": "cancellation"])
        try worker.wait(for: "creating")
        try worker.send(.cancel(reason: .timeout, graceMilliseconds: 5000))
        #expect(try worker.result().value == .array([.string("cancelled")]))
        #expect(try worker.acknowledge() == 0)
    }

    @Test func `a run that uses the main actor only in init() starts no threads for the main queue`() throws {
        let run = try AppProcess.run("ThreadCount", variables: ["PROBE_INIT": "isolation"])
        guard case .int(let count)? = run.value else { throw AppProcess.Failure(description: "no number") }
        // The main thread, the run's thread and, in a run that takes a millisecond, the listener.
        #expect(count <= 3)
    }
}
