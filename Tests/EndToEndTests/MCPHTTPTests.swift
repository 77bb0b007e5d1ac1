import Foundation
import TestSupport
import Testing

/// The Model Context Protocol over Streamable HTTP, with clients of others.
@Suite(.ownThread, .timeLimit(.minutes(10))) struct MCPHTTPTests {
    private static let tests = DocumentScript.url.deletingLastPathComponent()

    @Test(arguments: [
        ("mcp-2.3", "sdk_http.py", ["auto"], "2026-07-28"), ("mcp-2.3", "sdk_http.py", ["legacy"], "2025-11-25"),
        ("fastmcp-4.1", "fastmcp_http.py", [], "tasks"),
    ])
    func `a client lists and calls tools, answers questions and follows progress`(
        package: String,
        script: String,
        arguments: [String],
        expected: String
    ) throws {
        let api = try HTTPFront(Daemon(configuration: ["[Agents]", "Ask=never"]), port: true)
        let installing = try Command(Self.tests.appending(path: "install-python"), [package])
        guard installing.exitCode() == 0 else {
            try skipTest(installing.errors.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        let python = URL(filePath: installing.output.trimmingCharacters(in: .whitespacesAndNewlines))
        let client = try Command(
            python.appending(path: "bin/python"),
            [Self.tests.appending(path: "MCP/\(script)").path] + arguments + [api.address + "/mcp", api.header],
            environment: ["PYTHONDONTWRITEBYTECODE": "1"]
        )
        #expect(client.exitCode() == 0, "\(client.output)\(client.errors)\(api.server.errors)")
        #expect(client.output.contains(expected))
    }

    @Test func `messages, headers and sessions that do not fit are refused, and a cut stream continues`() throws {
        let api = try HTTPFront(Daemon(configuration: ["[Agents]", "Ask=never"]))
        api.finish(try api.start("mcp"))
    }
}
