import Glibc
import IntentLauncherMessages
import IntentLinux
import TestSupport
import Testing

/// Tests a worker from its command to its exit.
@Suite(.ownThread) struct WorkerTests {
    @Test func `a run returns a value and a dialog`() throws {
        let run = try AppProcess.run("Echo", ["text": .string("hello")])
        #expect(run.result == WorkerResult(ending: .returned(value: .string("hello"), dialog: "You said: hello")))
        #expect(run.progress.isEmpty && run.phases.isEmpty)
    }

    @Test func `a default replaces a missing value`() throws {
        #expect(try AppProcess.run("AddIntent", ["first": .int(41)]).value == .int(42))
        #expect(try AppProcess.run("AddIntent", ["first": .int(40), "second": .int(2)]).value == .int(42))
    }

    @Test func `optional parameters may be given, omitted or null`() throws {
        #expect(try AppProcess.run("Choices").text == "- - 0.5 true -")
        let values: [String: IntentValue] = ["text": .string("t"), "ratio": .null, "isLoud": .bool(false)]
        #expect(try AppProcess.run("Choices", values).text == "t - - false -")
    }

    @Test(arguments: [
        (["first": IntentValue.string("1")], "parameter 'first' expects a whole number, got text"),
        (["first": .double(1.5)], "parameter 'first' expects a whole number, got a number"),
        ([:], "parameter 'first' is missing"),
        (["first": .int(1), "third": .int(1)], "the intent 'AddIntent' has no parameter 'third'"),
    ])
    func `an invalid value is reported with its parameter`(values: [String: IntentValue], message: String) throws {
        #expect(try AppProcess.run("AddIntent", values).message == message)
    }

    @Test func `a value outside its range is refused`() throws {
        let run = try AppProcess.run("Choices", ["number": .int(11)])
        #expect(run.message == "parameter 'number' expects a whole number from 0 to 10, got 11")
    }

    @Test func `an intent of the main actor runs`() throws {
        #expect(try AppProcess.run("OnMain").value == .bool(true))
    }

    @Test func `types of the main actor can use their own members`() throws {
        let added = try AppProcess.run("AddShelf", of: "CompileShapes5", ["name": .string("Loft")])
        #expect(added.result.ending == .returned(value: .int(3), dialog: "Added Loft."))
        #expect(try AppProcess.run("AdmitDog", of: "CompileShapes6", ["name": .string("Bo")]).value == .int(2))
    }

    @Test func `a restart calls perform() again with the current values, also inside another intent`() throws {
        #expect(try AppProcess.run("FillShelves", of: "CompileShapes5", ["count": .int(5)]).value == .int(3))
        #expect(try AppProcess.run("FillTwice", of: "CompileShapes5").value == .array([.int(3), .int(1)]))
    }

    @Test func `the worker stays until its result is acknowledged`() throws {
        let worker = try AppProcess.performing("Echo", ["text": .string("x")])
        _ = try worker.result()
        #expect(!worker.isReadable(within: 200))
        #expect(worker.isRunning)
        #expect(try worker.acknowledge() == 0)
    }

    @Test func `after the result, the worker treats the end of the socket as an acknowledgement`() throws {
        let worker = try AppProcess.performing("Echo", ["text": .string("x")])
        _ = try worker.result()
        worker.disconnect()
        #expect(worker.exitCode() == 0)
    }

    @Test(arguments: ["Slow", "Spin"])
    func `a worker exits as soon as its supervisor has exited`(intent: String) throws {
        let worker = try AppProcess.performing(intent)
        worker.disconnect()
        #expect(worker.exitCode() == 13)
    }

    @Test func `a command that cannot be decoded ends the worker`() throws {
        let worker = try AppProcess("Probe", mode: "once")
        _ = try worker.next()
        try worker.sendRaw([0, 0, 0, 2, 0x7b, 0x7d])
        #expect(worker.exitCode() == 76)
    }

    @Test func `a second run is refused`() throws {
        let worker = try AppProcess.performing("Slow")
        try worker.send(.perform(PerformCommand(run: RunID(randomBits: 2), intent: "Slow", values: [:], fileCount: 0)))
        #expect(worker.exitCode() == 76)
    }

    @Test func `a result too large for a record is an error that names the alternative`() throws {
        let run = try AppProcess.run("BigResult", ["byteCount": .int(200_000)])
        #expect(run.message?.contains("IntentFile") == true)
        #expect(try AppProcess.run("BigResult", ["byteCount": .int(100_000)]).text?.count == 100_000)
    }

    @Test(arguments: [
        ("custom", "it failed"), ("localized", "it failed"), ("plain", #"PlainFailure: broken("it failed")"#),
    ])
    func `a thrown error is reported with its most specific text`(kind: String, message: String) throws {
        #expect(try AppProcess.run("Throws", ["kind": .string(kind)]).message == message)
    }

    @Test func `a message has a maximum length`() throws {
        let message = try #require(try AppProcess.run("Throws", ["kind": .string("long")]).message)
        #expect(message.utf8.count <= 16 << 10)
        #expect(message.hasSuffix("ü…"))
    }

    @Test func `a thrown CancellationError is reported as such`() throws {
        #expect(try AppProcess.run("Throws", ["kind": .string("cancellation")]).result.ending == .threwCancellation)
    }

    @Test func `a crash and an exit are visible in the exit status`() throws {
        #expect(try AppProcess.performing("Crash").exitCode() < 0)
        #expect(try AppProcess.performing("ExitWith", ["code": .int(7)]).exitCode() == 7)
    }

    @Test func `a worker that performs one run reports where it crashed, and its signal ends it`() throws {
        let worker = try AppProcess.performing("CrashInFunction", ["kind": .string("access")])
        guard case .crashed(let report)? = try worker.next()?.report else {
            throw AppProcess.Failure(description: "no crash report: \(worker.output)")
        }
        #expect(report.problem == nil)
        #expect(report.signal == 11)
        #expect(report.faultAddress?.rawValue == 0x40)
        #expect(report.frames.count > 2)
        #expect(report.images.first?.path.isEmpty == true)
        #expect(worker.exitCode() == -11)
    }

    @Test func `app code sees neither the mode nor any other descriptors`() throws {
        let text = try #require(try AppProcess.run("Where").text)
        #expect(text.contains("INTENTD_MODE: -"))
    }

    @Test func `a process that an intent leaves behind does not delay the worker`() throws {
        let worker = try AppProcess.run("Grandchild", variables: ["INTENTD_SUBPROCESSES": "yes"])
        guard case .int(let child)? = worker.value, child > 1 else {
            throw AppProcess.Failure(description: "no process")
        }
        // Send signal 0, because SIGTERM could end the process before it has begun to ignore SIGTERM.
        #expect(kill(pid_t(child), 0) == 0)
        #expect(kill(pid_t(child), SIGKILL) == 0)
    }

    @Test(arguments: ["notjson", "halfframe", "hugeframe", "unknown"])
    func `an app can send false reports on its socket`(lie: String) throws {
        let worker = try AppProcess.performing("Liar", ["lie": .string(lie)])
        #expect(throws: (any Error).self) { try worker.next() }
    }

    @Test func `an app can report two results`() throws {
        let worker = try AppProcess.performing("Liar", ["lie": .string("twice")])
        #expect(try worker.result().message == "a lie")
        #expect(try worker.result().message == "a lie")
    }

    @Test(arguments: [("SampleUpload", "Uploaded a.txt"), ("SampleRender", "Rendered a.txt")])
    func `intents in the shape of Apple's samples run`(intent: String, dialog: String) throws {
        let run = try AppProcess.run(intent, ["name": .string("a.txt")])
        guard case .returned(_, let said) = run.result.ending else { throw AppProcess.Failure(description: "threw") }
        #expect(said == dialog)
        #expect(run.progress.last?.fraction == 1)
    }

    @Test func `all output is flushed before the result`() throws {
        let worker = try AppProcess.performing("Flood", ["lineCount": .int(20_000)])
        _ = try worker.result()
        #expect(worker.output.contains("line 19999 of 20000"))
        #expect(try worker.acknowledge() == 0)
    }
}
