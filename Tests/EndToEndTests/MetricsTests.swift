import Foundation
import Testing

@Suite struct MetricsTests {
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
        // Where the package puts it, and where Tests/install-packages does.
        let places = ["/usr/local/bin/promtool", "/usr/bin/promtool"]
        guard let tool = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            print("skipped: there is no promtool (Debian's package prometheus)")
            return
        }
        let file = daemon.folder.appending("metrics.txt")
        try Data(older.utf8).write(to: file)
        let check = try Command(URL(fileURLWithPath: tool), ["check", "metrics"], input: file)
        #expect(check.exitCode() == 0, "\(check.output)\(check.errors)")
    }

    @Test(arguments: [
        ("GET /metrics HTTP/1.1\r\nAccept: application/openmetrics-text\r\n\r\n", "HTTP/1.1 200 OK", "# EOF"),
        ("GET /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK", "text/plain; version=0.0.4"),
        ("GET /secrets HTTP/1.1\r\n\r\n", "HTTP/1.1 404 Not Found", ""),
        ("POST /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 405 Method Not Allowed", ""),
        ("hello\r\n\r\n", "HTTP/1.1 400 Bad Request", ""), ("", "HTTP/1.1 400 Bad Request", ""),
    ]) func `a scrape is answered as HTTP`(request: String, status: String, contains: String) throws {
        let daemon = try Daemon()
        let file = daemon.folder.appending("request")
        try Data(request.utf8).write(to: file)
        let answer = try daemon.intentctl("metrics", "--http", input: file)
        #expect(answer.code == 0)
        #expect(answer.output.hasPrefix(status))
        #expect(contains.isEmpty || answer.output.contains(contains))
    }
}
