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
}
