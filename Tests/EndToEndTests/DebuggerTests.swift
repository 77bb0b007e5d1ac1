import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct DebuggerTests {
    private static let hasTracer = FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")

    @Test(.enabled(if: hasTracer, "needs strace(1)"))
    func `a debugger attached to a worker stops the run's clocks, and ps reports it`() throws {
        let daemon = try Daemon(limits: ["Runtime=3s"])
        let running = try daemon.start(["run", "Probe/AwaitFile"])
        let run = try daemon.run()
        let worker = try #require(try daemon.settledWorkers().keys.first)
        let tracer = try Command(
            URL(fileURLWithPath: "/usr/bin/strace"),
            ["-f", "-q", "-o", "/dev/null", "-p", "\(worker)"]
        )
        try eventually("ps reports the debugger") { try daemon.intentctl("ps").output.contains("(debugger)") }
        // The run is older than its limit now, and still ends by itself.
        try daemon.waitForAge(of: run, seconds: 4)
        try daemon.bring()
        #expect(running.exitCode() == 0, "\(running.errors)")
        tracer.exitCode()
    }

    @Test(arguments: Debugger.all)
    func `a debugger stops an app without a sandbox at a line of its code`(_ debugger: Debugger) throws {
        let line = try SourceLine(containing: "let sum = crashNow(kind)", in: "CrashIntents.swift")
        let session = try debugger.start(
            Programs.url("Probe"),
            ["CrashInFunction", "--kind", "index"],
            [line.breakpoint, ("run", "run"), ("backtrace 3", "thread backtrace --count 3"), ("kill", "process kill")]
        )
        session.exitCode()
        #expect(session.output.contains("CrashIntents.swift:\(line.number)"), "\(session.output)\(session.errors)")
    }

    @Test(arguments: Debugger.all)
    func `a debugger attaches to the worker of a live run, and the run continues when it detaches`(
        _ debugger: Debugger
    ) throws {
        _ = try debugger.path()
        let daemon = try Daemon()
        let running = try daemon.start(["run", "Probe/AwaitFile"])
        let run = try daemon.run()
        let worker = try #require(try daemon.settledWorkers().keys.first)
        let session = try debugger.attach(
            to: "\(worker)",
            [("thread apply all backtrace 1", "thread list"), ("detach", "detach")]
        )
        session.exitCode()
        #expect(
            session.output.contains(debugger.name == "gdb" ? "Thread 1" : "thread #1"),
            "\(session.output)\(session.errors)"
        )
        #expect(try daemon.intentctl("ps").output.contains(run))
        try daemon.bring()
        #expect(running.exitCode() == 0, "\(running.errors)")
    }
}
