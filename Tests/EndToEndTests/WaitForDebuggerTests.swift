import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct WaitForDebuggerTests {
    private func start(_ intent: String...) throws -> Command {
        try Command(
            Programs.intentctl,
            ["run", "--wait-for-debugger", "--local", Programs.url("Probe").path] + intent
        )
    }

    /// Waits for the message of the private daemon, and returns the process that it names.
    private func process(of running: Command) throws -> String {
        var process: String?
        try eventually("the run waits for a debugger") {
            process = running.errors.firstMatch(of: /lldb -p (\d+)/).map { String($0.1) }
            return process != nil
        }
        return try #require(process)
    }

    @Test(arguments: Debugger.all)
    func `a debugger attaches before perform(), and stops at a line of the app's code`(_ debugger: Debugger) throws {
        _ = try debugger.path()
        let line = try SourceLine(containing: "let sum = crashNow(kind)", in: "CrashIntents.swift")
        let running = try start("CrashInFunction", "--kind", "abort")
        let attached = try debugger.attach(
            to: try process(of: running),
            [
                line.breakpoint, ("continue", "continue"), ("backtrace 3", "thread backtrace --count 3"),
                ("detach", "detach"),
            ]
        )
        #expect(running.exitCode() == 70, "\(running.errors)")
        attached.exitCode()
        #expect(attached.output.contains("CrashIntents.swift:\(line.number)"), "\(attached.output)\(attached.errors)")
    }

    @Test func `the run is performed after a debugger has attached`() throws {
        let strace = URL(fileURLWithPath: "/usr/bin/strace")
        guard FileManager.default.isExecutableFile(atPath: strace.path) else { try skipTest("needs strace(1)") }
        let running = try start("Echo", "--text", "hello")
        let tracer = try Command(strace, ["-f", "-q", "-o", "/dev/null", "-p", try process(of: running)])
        #expect(running.exitCode() == 0, "\(running.errors)")
        #expect(running.output == "hello\n")
        tracer.exitCode()
    }

    @Test func `the time limits stand still until a debugger attaches`() throws {
        let strace = URL(fileURLWithPath: "/usr/bin/strace")
        guard FileManager.default.isExecutableFile(atPath: strace.path) else { try skipTest("needs strace(1)") }
        let folder = try TemporaryFolder()
        let socket = folder.appending("daemon.sock").path
        let running = try Command(
            Programs.intentctl,
            [
                "--socket", socket, "run", "--limit", "1s", "--wait-for-debugger", "--local",
                Programs.url("Probe").path, "Echo", "--text", "late",
            ]
        )
        let process = try process(of: running)
        // The run is older than its limit now.
        try eventually("the run is older than its limit") {
            let ps = try Command(Programs.intentctl, ["--socket", socket, "--output", "json", "ps"])
            ps.exitCode()
            let document = try JSONSerialization.jsonObject(with: Data(ps.output.utf8)) as? [String: Any]
            let runs = document?["runs"] as? [[String: Any]] ?? []
            return runs.contains { ($0["ageMilliseconds"] as? Int ?? 0) > 2000 }
        }
        let tracer = try Command(strace, ["-f", "-q", "-o", "/dev/null", "-p", process])
        #expect(running.exitCode() == 0, "\(running.errors)")
        #expect(running.output == "late\n")
        tracer.exitCode()
    }

    @Test func `a run that waits for a debugger ends with Ctrl-C`() throws {
        let running = try start("Echo", "--text", "hello")
        _ = try process(of: running)
        running.signal(SIGINT)
        #expect(running.exitCode() == 130, "\(running.errors)")
    }

    @Test func `a service does not wait for a debugger`() throws {
        let run = try Command(Programs.intentctl, ["run", "--wait-for-debugger", "Probe/Echo"])
        #expect(run.exitCode() == 64)
        #expect(run.errors.contains("--wait-for-debugger needs --local"), "\(run.errors)")
    }
}
