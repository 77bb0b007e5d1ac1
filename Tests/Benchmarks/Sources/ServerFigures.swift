import IntentLauncherMessages

/// A tool of an MCP server as an intent, compared with the same call to the server over its standard input and output, and
/// with a server that is started for each call.
enum ServerFigures {
    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let tests = options.peerFolder.split(separator: "/").dropLast(2).map { "/\($0)" }.joined()
        let server = "\(tests)/MCP/tool_server.py"
        let file = [
            "[App]", "MCPServer=/usr/bin/python3 \(server) request", "[Sandbox]", "ReadPaths=\(server)",
        ]
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [], commands: file)
        let seldom = try BenchmarkDaemon(workbench.programs, apps: [], commands: file + ["[Limits]", "Spare=0"])
        let (client, other) = (try daemon.connect(), try seldom.connect())
        var request = try PreparedPerform(app: "Tools", intent: "echo", values: ["text": .string("a")])
        var single = try PreparedPerform(app: "Tools", intent: "echo", values: ["text": .string("a")])
        // The first calls create the catalogue, the fork server and the spares.
        _ = try SubmitFigures.calls(10, &request, on: client)
        _ = try SubmitFigures.calls(4, &single, on: other)
        let peer = try Peer("server", "/usr/bin/env", ["python3", "\(options.peerFolder)/server_peer.py", server])
        var ours = Samples(), started = Samples(), running = Samples(), fresh = Samples()
        for _ in 0..<options.count(20, quick: 6) {
            // The pause is longer than the server's start, so that a spare with a started server is ready.
            ours += try SubmitFigures.calls(10, &request, on: client, pauseMicroseconds: 250_000)
            running += try peer.measure("running 10")
            started += try SubmitFigures.calls(4, &single, on: other)
            fresh += try peer.measure("fresh 4")
        }
        let difference = started.summary.flatMap { ours in fresh.summary.map { ours.p50 - $0.p50 } }
        return [
            Figure("server", "tool of an MCP server, with a spare", .milliseconds, ours)
                .beside(peers: [Comparison("running server", running), Comparison("server for each call", fresh)]),
            Figure("server", "without a spare", .milliseconds, started)
                .beside(peers: [Comparison("server for each call", fresh)]),
            Figure(
                "server",
                "without a spare, beyond the server's own start",
                .milliseconds,
                value: difference,
                goals: [.atMost(.p50, 30)]
            ),
        ]
    }
}
