import Foundation
import Testing

@Suite struct DebuggerTests {
    private static let hasTracer = FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")

    @Test(.enabled(if: hasTracer, "there is no strace(1) on this host to trace a worker with"))
    func `while a debugger holds a worker its clocks stand still, and ps says so`() throws {
        let daemon = try Daemon(limits: ["Runtime=4s"])
        let running = try daemon.start(["run", "Probe/AwaitFile"])
        _ = try daemon.run()
        let worker = try #require(try daemon.settledWorkers().keys.first)
        let tracer = try Command(
            URL(fileURLWithPath: "/usr/bin/strace"),
            ["-f", "-q", "-o", "/dev/null", "-p", "\(worker)"]
        )
        try eventually("ps says so") { try daemon.intentctl("ps").output.contains("(debugger)") }
        // More than its limit, and it ends by itself.
        sleep(5)
        try daemon.bring()
        #expect(running.exitCode() == 0, "\(running.errors)")
        tracer.exitCode()
    }
}
