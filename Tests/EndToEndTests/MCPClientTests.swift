import Foundation
import Glibc
import TestSupport
import Testing

/// `intentctl mcp` with clients of others, from packages of fixed versions. Every message of the server is checked
/// against the schema that the official package ships.
@Suite(.ownThread) struct MCPClientTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of an environment with pinned packages. Skips the test if they cannot be installed.
    private func environment(_ name: String) throws -> URL {
        let installing = try Command(Self.tests.appending(path: "install-python"), [name])
        guard installing.exitCode() == 0 else {
            try skipTest(installing.errors.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        return URL(filePath: installing.output.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private func python(_ environment: URL, _ script: String, _ arguments: [String]) throws -> Command {
        try Command(
            environment.appending(path: "bin/python"),
            [Self.tests.appending(path: "MCP/\(script)").path] + arguments,
            environment: ["PYTHONDONTWRITEBYTECODE": "1"]
        )
    }

    /// The command of a server. The folder's files `requests` and `answers` record its messages.
    private func recordedServer(_ daemon: Daemon) -> [String] {
        let folder = daemon.folder
        let line = #"tee "$0" | "$1" --socket "$2" mcp | tee "$3""#
        return [
            "/bin/sh", "-c", line, folder.appending("requests").path, Programs.intentctl.path, daemon.socket,
            folder.appending("answers").path,
        ]
    }

    private func validate(_ daemon: Daemon, with environment: URL) throws {
        let validator = try python(
            environment,
            "validate.py",
            [daemon.folder.appending("requests").path, daemon.folder.appending("answers").path]
        )
        #expect(validator.exitCode() == 0, "\(validator.errors)")
    }

    @Test(arguments: [
        ("mcp-2.3", "sdk_2.py", ["auto"], "2026-07-28"), ("mcp-2.3", "sdk_2.py", ["legacy"], "2025-11-25"),
        ("mcp-1.30", "sdk_1.py", [], "2025-11-25"), ("mcp-1.13", "sdk_1.py", [], "2025-06-18"),
        ("fastmcp-4.1", "fastmcp_tasks_client.py", [], "tasks"),
    ])
    func `a client lists and calls tools, answers questions and follows progress with valid messages`(
        package: String,
        script: String,
        arguments: [String],
        revision: String
    ) throws {
        let environment = try environment(package)
        let daemon = try Daemon(configuration: ["[Agents]", "Ask=never"])
        let client = try python(environment, script, arguments + recordedServer(daemon))
        try #require(client.exitCode() == 0, "\(client.errors)")
        #expect(client.output.contains(revision))
        try validate(daemon, with: package == "fastmcp-4.1" ? environment : try self.environment("mcp-2.3"))
    }

    /// The frameworks take turns by the day, because starting them takes as much processor time as all other clients
    /// together: `Tests/endurance clients` starts each of them.
    private static let frameworks: [String] = {
        let all = [
            "langchain", "openai", "pydantic", "autogen", "smolagents", "llama", "strands", "agent_framework", "adk",
            "crewai", "mcp_use",
        ]
        if Endurance.isWhole { return all }
        let day = Int(Date().timeIntervalSince1970 / 86_400)
        return all.enumerated().filter { ($0.offset + day) % 3 == 0 }.map(\.element)
    }()

    /// The table client × capability: each row is what the framework hands on to its model.
    @Test(arguments: frameworks)
    func `everything that the server says reaches the model of a framework, as PyPI serves it`(name: String) throws {
        let environment = try environment(name)
        let daemon = try Daemon(app: ["[Intent Add]", "Ask=always"], configuration: ["[Agents]", "Ask=never"])
        let server = [Programs.intentctl.path, "--socket", daemon.socket, "mcp"]
        let client = try python(environment, "frameworks.py", [name] + server)
        #expect(client.exitCode() == 0, "\(client.errors.suffix(2000))")
        #expect(client.output.contains("| \(name) | ✓ list | ✓ call"), "\(client.output)")
    }

    @Test func `a client without the official package lists and calls tools`() throws {
        let environment = try environment("mcp-cli-0.20")
        let daemon = try Daemon(configuration: ["[Agents]", "Ask=never"])
        let server = recordedServer(daemon)
        let command: [String: Any] = ["command": server[0], "args": Array(server[1...])]
        let settings = ["mcpServers": ["intents": command]]
        let file = daemon.folder.appending("servers.json")
        try JSONSerialization.data(withJSONObject: settings).write(to: file)
        let home = try daemon.makeFolder("home")
        let client = try Command(
            environment.appending(path: "bin/mcp-cli"),
            [
                "cmd", "--config-file", file.path, "--server", "intents", "--tool", "Probe_Echo", "--tool-args",
                #"{"text":"hello"}"#, "--raw",
            ],
            environment: ["HOME": home.path],
            directory: home
        )
        #expect(client.exitCode() == 0, "\(client.errors)")
        #expect(client.output.contains("hello"), "\(client.output)")
        try validate(daemon, with: try self.environment("mcp-2.3"))
    }
}
