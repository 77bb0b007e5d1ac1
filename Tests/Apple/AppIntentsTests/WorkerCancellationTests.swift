import AppIntents
import Glibc
import IntentLauncherMessages
import TestSupport
import Testing

/// Tests the cancellation of a run.
@Suite(.ownThread) struct WorkerCancellationTests {
    private let cancel = WorkerCommand.cancel(reason: .timeout, graceMilliseconds: 5000)

    @Test func `an app can name each reason`() {
        let reasons: [IntentCancellationReason] = [
            .timeout, .userCancelled, .serviceStopping, .clientDisconnected, .replaced,
        ]
        #expect(reasons.map { "\($0)" } == CancellationReason.known.map(\.name))
    }

    @Test(arguments: [false, true])
    func `the handler is called while perform spins or blocks`(isBlocking: Bool) throws {
        let worker = try AppProcess.performing("Spin", ["isBlocking": .bool(isBlocking)])
        _ = worker.isReadable(within: 300)
        try worker.send(cancel)
        try worker.wait(for: "told: timeout")
        #expect(worker.isRunning)
    }

    @Test func `the result waits for the task that a handler started`() throws {
        let worker = try AppProcess.performing("Cleanup", ["milliseconds": .int(500)])
        _ = worker.isReadable(within: 200)
        try worker.send(.cancel(reason: .clientDisconnected, graceMilliseconds: 5000))
        let run = try worker.result()
        #expect(run.result.ending == .threwCancellation)
        // The task prints this as its last step, half a second after the cancellation.
        #expect(worker.output.contains("cleaned up: clientDisconnected, grace true"))
        #expect(try worker.acknowledge() == 0)
    }

    @Test func `only the first reason is kept`() throws {
        let worker = try AppProcess.performing("Cleanup")
        _ = worker.isReadable(within: 200)
        try worker.send(cancel)
        try worker.send(.cancel(reason: .serviceStopping, graceMilliseconds: 1))
        _ = try worker.result()
        #expect(worker.output.contains("cleaned up: timeout"))
        #expect(!worker.output.contains("serviceStopping"))
    }

    @Test func `a background task's handler replaces the intent's`() throws {
        let worker = try AppProcess.performing("BothHandlers")
        try worker.waitForBackground()
        try worker.send(cancel)
        #expect(try worker.result().phases.last == .left)
        #expect(worker.output == "background handler: timeout\n")
    }

    @Test func `a handler registered after the cancellation runs, and the worker waits for its task`() throws {
        let worker = try AppProcess.performing("LateHandler")
        try worker.send(cancel)
        #expect(try worker.result().result.ending == .returned(value: nil, dialog: nil))
        #expect(worker.output == "late handler: timeout\n")
    }

    @Test func `a task that the app itself cancels calls no handler`() throws {
        let worker = try AppProcess.performing("OwnCancel")
        #expect(try worker.result().value == .bool(true))
        #expect(worker.output.isEmpty)
    }

    @Test func `a cancelled run that returns reports its result`() throws {
        let worker = try AppProcess.performing("ReturnsAnyway")
        _ = worker.isReadable(within: 100)
        try worker.send(cancel)
        #expect(try worker.result().text == "anyway")
    }

    @Test func `a cancellation that arrives after the result was sent is ignored`() throws {
        let worker = try AppProcess.performing("Echo", ["text": .string("x")])
        _ = try worker.result()
        try worker.send(cancel)
        #expect(try worker.acknowledge() == 0)
    }

    @Test func `a cancellation before any run is refused`() throws {
        let worker = try AppProcess("Probe", mode: "once")
        _ = try worker.next()
        try worker.send(cancel)
        #expect(worker.exitCode() == 76)
    }
}
