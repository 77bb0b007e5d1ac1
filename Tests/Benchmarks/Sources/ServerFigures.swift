import FoundationEssentials
import Glibc
import IntentLauncherMessages
import IntentLinux

/// Tools of MCP servers as intents, compared with a direct call to the server over its standard input and output: the first
/// call to a server that has started, a call to a running server, and one to a server that is started for it.
enum ServerFigures {
    /// A tool of a server, and the lines of intentd.command(5) for it.
    private struct Tool {
        var words: String
        var server: [String]
        var tool: String
        var values: [String: IntentValue]
        var file: [String]
        /// How long the server starts at most. A spare with a started server is ready after this pause.
        var pauseMicroseconds: UInt32
    }

    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let tests = options.peerFolder.split(separator: "/").dropLast(2).map { "/\($0)" }.joined()
        let server = "\(tests)/MCP/tool_server.py"
        let echo = Tool(
            words: "tool of an MCP server",
            server: ["/usr/bin/python3", server, "request"],
            tool: "echo",
            values: ["text": .string("a")],
            file: [
                "[App]", "MCPServer=/usr/bin/python3 \(server) request", "[Sandbox]", "ReadPaths=\(server)",
            ],
            pauseMicroseconds: 250_000
        )
        let figures = try measure(echo, on: workbench)
        guard let program = options.gitServer else {
            return figures + [
                Figure("server", "git_status is absent: mcp-server-git is not installed", .ratio, value: nil)
            ]
        }
        // A server of others, with the kind of work that such servers do.
        let repository = try TemporaryFolder()
        try repository.write((1...1000).map(String.init), to: "file")
        let commands = [
            ["init", "--quiet"], ["add", "."],
            ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--message=first"],
        ]
        for command in commands {
            let git = try ChildProcess.start("/usr/bin/git", arguments: ["-C", repository.path] + command)
            if let problem = git.waitForEnd() { throw BenchmarkError("git \(command): \(problem)") }
        }
        let made = try TemporaryFolder()
        let new = try ChildProcess.start(
            "/usr/bin/env",
            arguments: ["--chdir", made.path, workbench.programs.intentctl, "new", "--mcp-server", "Tools", "--"]
                + ["GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*", program]
                + ["--repository", repository.path],
            isSilent: true
        )
        if let problem = new.waitForEnd() { throw BenchmarkError("intentctl new: \(problem)") }
        let status = Tool(
            words: "git_status of mcp-server-git",
            server: [program, "--repository", repository.path],
            tool: "git_status",
            values: ["repo_path": .string(repository.path)],
            file: try String(contentsOfFile: "\(made.path)/Tools.intents", encoding: .utf8).split(separator: "\n").map(
                String.init
            ),
            pauseMicroseconds: 2_500_000
        )
        return figures + (try measure(status, on: workbench, isSlow: true))
    }

    private static func measure(_ tool: Tool, on workbench: Workbench, isSlow: Bool = false) throws -> [Figure] {
        let options = workbench.options
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [], commands: tool.file)
        let seldom = try BenchmarkDaemon(workbench.programs, apps: [], commands: tool.file + ["[Limits]", "Spare=0"])
        let (client, other) = (try daemon.connect(), try seldom.connect())
        var request = try PreparedPerform(app: "Tools", intent: tool.tool, values: tool.values)
        var single = try PreparedPerform(app: "Tools", intent: tool.tool, values: tool.values)
        // The first calls create the catalogue, the fork server and the spares.
        _ = try SubmitFigures.calls(isSlow ? 3 : 10, &request, on: client)
        _ = try SubmitFigures.calls(isSlow ? 2 : 4, &single, on: other)
        let arguments = String(foreign: WireCoding.encode(tool.values))
        let peer = try Peer(
            "server",
            "/usr/bin/env",
            ["python3", "\(options.peerFolder)/server_peer.py", tool.tool, arguments] + tool.server
        )
        var ours = Samples(), started = Samples(), first = Samples(), running = Samples(), fresh = Samples()
        for _ in 0..<(isSlow ? options.count(10, quick: 4) : options.count(20, quick: 6)) {
            let count = isSlow ? 3 : 10
            ours += try SubmitFigures.calls(count, &request, on: client, pauseMicroseconds: tool.pauseMicroseconds)
            first += try peer.measure("first \(isSlow ? 3 : 4) \(tool.pauseMicroseconds)")
            running += try peer.measure("running 10")
            started += try SubmitFigures.calls(isSlow ? 1 : 4, &single, on: other)
            fresh += try peer.measure("fresh \(isSlow ? 1 : 4)")
        }
        let difference = started.summary.flatMap { ours in fresh.summary.map { ours.p50 - $0.p50 } }
        let goals = isSlow ? first.summary.map { [Goal.atMost(.p50, 1.3 * $0.p50)] } ?? [] : []
        return [
            Figure("server", "\(tool.words), with a spare", .milliseconds, ours, goals: goals)
                .beside(
                    peers: [
                        Comparison("first call", first), Comparison("running server", running),
                        Comparison("server for each call", fresh),
                    ]
                ),
            Figure("server", "\(tool.words), without a spare", .milliseconds, started)
                .beside(peers: [Comparison("server for each call", fresh)]),
            Figure(
                "server",
                "\(tool.words), without a spare, beyond the server's own start",
                .milliseconds,
                value: difference,
                goals: [.atMost(.p50, 30)]
            ),
        ]
    }
}
