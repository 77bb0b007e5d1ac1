import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.ownThread) struct MetricsTests {
    @Test func `runs are counted by app, intent and outcome, in both text formats`() throws {
        let daemon = try Daemon()
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "a").code == 0)
        #expect(try daemon.intentctl("run", "Probe/ExitWith", "--code", "3").code == 70)
        let metrics = try daemon.intentctl("metrics").output
        #expect(metrics.contains("# TYPE intentd_runs counter\n"))
        #expect(metrics.contains(#"intentd_runs_total{app="Probe",intent="Echo",outcome="done"} 1"#))
        #expect(metrics.contains(#"intentd_runs_total{app="Probe",intent="ExitWith",outcome="crashed"} 1"#))
        #expect(metrics.contains(#"intentd_run_seconds_count{app="Probe",intent="Echo"} 1"#))
        #expect(metrics.contains("intentd_history_up 1\n"))
        #expect(metrics.hasSuffix("# EOF\n"))
        let older = try daemon.intentctl("metrics", "--format", "prometheus").output
        #expect(older.contains("# TYPE intentd_runs_total counter\n"))
        try Self.check(older, in: daemon)
    }

    /// Checks metrics with promtool(1), if installed.
    private static func check(_ text: String, in daemon: Daemon) throws {
        // Tests/install-packages and Debian's package install promtool in these folders.
        let paths = ["/usr/local/bin/promtool", "/usr/bin/promtool"]
        guard let tool = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            try skipTest("promtool is not installed (Debian's package prometheus)")
        }
        let file = daemon.folder.appending("metrics.txt")
        try Data(text.utf8).write(to: file)
        let check = try Command(URL(fileURLWithPath: tool), ["check", "metrics"], input: file)
        #expect(check.exitCode() == 0, "\(check.output)\(check.errors)")
    }

    @Test func `metrics count runs, signals and launches, and pass promtool's check`() throws {
        let daemon = try Daemon(
            limits: ["Grace=1min", "GraceCancellable=200ms", "KillDelay=100ms", "Spare=1"],
            sharesLauncher: true
        )
        for text in ["a", "b", "c"] { #expect(try daemon.intentctl("run", "Probe/Echo", "--text", text).code == 0) }
        // One run exceeds its limit and ignores SIGTERM; the other is cancelled by its client and cleans up.
        #expect(try daemon.intentctl("run", "--limit", "3s", "Probe/Spin", "--is-blocking").code == 124)
        let slow = try daemon.start(["run", "Probe/Slow"])
        #expect(try daemon.intentctl("cancel", try daemon.run()).code == 0)
        #expect(slow.exitCode() == 130)
        var metrics = ""
        func count(_ sample: String) -> Int? {
            metrics.split(separator: "\n").first { $0.hasPrefix(sample + " ") }
                .flatMap { Int($0.dropFirst(sample.count + 1)) }
        }
        try eventually("all runs are over: \(metrics)") {
            metrics = try daemon.intentctl("metrics").output
            return count("intentd_cancel_seconds_count") == 1 && count(#"intentd_spare_workers"#) == 1
        }
        #expect(count(#"intentd_runs_total{app="Probe",intent="Echo",outcome="done"}"#) == 3)
        #expect(count(#"intentd_runs_total{app="Probe",intent="Spin",outcome="cancelled"}"#) == 1)
        #expect(count("intentd_queue_seconds_count") == 5)
        #expect(count(#"intentd_run_seconds_count{app="Probe",intent="Echo"}"#) == 3)
        #expect(count("intentd_grace_seconds_count") == 2)
        #expect(count("intentd_overshoot_seconds_count") == 1)
        #expect(count(#"intentd_signals_total{signal="SIGTERM"}"#) == 1)
        #expect(count(#"intentd_signals_total{signal="SIGKILL"}"#) == 1)
        #expect(try #require(count(#"intentd_launches_total{purpose="spare"}"#)) >= 1)
        #expect(count("intentd_adopted_runs_total") == 0)
        #expect(count("intentd_unrecorded_runs_total") == 0)
        #expect(count("intentd_unrecorded_output_bytes_total") == 0)
        #expect(metrics.contains(#"intentd_runs_live{state="running"} 0"#))
        // An adopted run is counted by the intentd that adopts it.
        let left = try daemon.start(["run", "Probe/Slow", "--seconds", "600"])
        _ = try daemon.run()
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        _ = try next.run()
        metrics = try next.intentctl("metrics").output
        #expect(count("intentd_adopted_runs_total") == 1)
        #expect(count(#"intentd_runs_live{state="running"}"#) == 1)
        try Self.check(try next.intentctl("metrics", "--format", "prometheus").output, in: next)
        left.signal(SIGINT)
        #expect(left.exitCode() == 130)
    }

    @Test(arguments: [
        ("GET /metrics HTTP/1.1\r\nAccept: application/openmetrics-text\r\n\r\n", "HTTP/1.1 200 OK", "# EOF"),
        ("GET /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK", "text/plain; version=0.0.4"),
        ("GET /secrets HTTP/1.1\r\n\r\n", "HTTP/1.1 404 Not Found", ""),
        ("POST /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 405 Method Not Allowed", ""),
        ("hello\r\n\r\n", "HTTP/1.1 400 Bad Request", ""), ("", "HTTP/1.1 400 Bad Request", ""),
    ]) func `metrics --http answers scrapes`(request: String, status: String, contains: String) throws {
        let daemon = try Daemon()
        let file = daemon.folder.appending("request")
        try Data(request.utf8).write(to: file)
        let answer = try daemon.intentctl("metrics", "--http", input: file)
        #expect(answer.code == 0)
        #expect(answer.output.hasPrefix(status))
        #expect(contains.isEmpty || answer.output.contains(contains))
    }
}
