/// `intentctl mcp`: a call of a trivial tool compared with an equal function in fastmcp's server, and the list
/// of many tools. One program in Python is the client of both servers.
enum MCPFigures {
    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let agents = ["Ask=never"]
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [.plain], agents: agents)
        let many = try BenchmarkDaemon(
            workbench.programs,
            apps: (1...3).map { BenchmarkDaemon.App(name: "Large\($0)", isLarge: true) },
            agents: agents
        )
        let client = try Peer(
            "mcp",
            "/usr/bin/env",
            [
                "python3", "\(options.peerFolder)/mcp_peer.py", daemon.socket, workbench.programs.intentctl,
                "Plain_Answer", many.socket,
            ] + (options.fastmcp.map { [$0] } ?? [])
        )
        var ours = Samples(), theirs = Samples(), lists = Samples(), theirLists = Samples()
        for _ in 0..<options.count(20, quick: 6) {
            ours += try client.measure("intentctl 50")
            if options.fastmcp != nil {
                theirs += try client.measure("fastmcp 50")
                theirLists += try client.measure("fastmcp-list 2")
            }
            lists += try client.measure("list 2")
        }
        let memory = try client.measure("intentctl-memory")
        func peer(_ samples: @autoclosure () throws -> Samples) rethrows -> [Comparison] {
            options.fastmcp == nil
                ? [Comparison("fastmcp", problem: "not installed")] : [Comparison("fastmcp", try samples())]
        }
        let ratio = ours.summary.flatMap { ours in theirs.summary.map { ours.p50 / $0.p50 } }
        return [
            Figure("mcp", "tool call → result", .milliseconds, ours).beside(peers: peer(theirs)),
            Figure("mcp", "p50 relative to fastmcp's", .ratio, value: ratio, goals: [.atMost(.p50, 2)]),
            Figure("mcp", "list of 600 tools", .milliseconds, lists, goals: [.atMost(.p50, 40)])
                .beside(peers: peer(theirLists)),
            Figure("mcp", "private memory of the server", .megabytes, memory)
                .beside(peers: try peer(try client.measure("fastmcp-memory"))),
        ]
    }
}
