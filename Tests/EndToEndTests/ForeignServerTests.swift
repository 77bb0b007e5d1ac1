import Foundation
import Glibc
import TestSupport
import Testing

/// MCP servers of other authors as apps: each is installed as PyPI serves it, gets its file from `intentctl new`, and is
/// called through `intentctl run` and through our MCP server by the official SDK.
@Suite(.ownThread) struct ForeignServerTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    /// A row of the table. In `arguments` and `values`, FOLDER is a folder that the row's `grants` may name.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var program: String
        var arguments: [String] = []
        var tool: String
        var values: String
        /// A part of the result, or of the failure if the sandbox refuses what the tool needs.
        var expected: String
        var isRefused = false
        /// Lines for `[Sandbox]` beside those of `intentctl new`.
        var grants: [String] = []

        var testDescription: String { name }
    }

    /// The rows that every run of the tests has.
    static let few = [
        Row(
            name: "server-time",
            program: "mcp-server-time",
            tool: "get_current_time",
            values: #"{"timezone":"Europe/Vienna"}"#,
            expected: "Europe/Vienna"
        ),
        Row(
            name: "server-git",
            program: "mcp-server-git",
            arguments: ["--repository", "FOLDER"],
            tool: "git_status",
            values: #"{"repo_path":"FOLDER"}"#,
            expected: "nothing to commit",
            // git refuses a repository of another user.
            grants: [
                "[App]",
                "Environment=GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=*",
            ]
        ),
        Row(
            name: "server-calculator",
            program: "mcp-server-calculator",
            tool: "calculate",
            values: #"{"expression":"6*7"}"#,
            expected: "42"
        ),
    ]

    /// The rows of `Tests/endurance`.
    static let rest = [
        Row(
            name: "server-fetch",
            program: "mcp-server-fetch",
            tool: "fetch",
            values: #"{"url":"http://192.0.2.7/"}"#,
            expected: "connection issue",
            isRefused: true
        ),
        Row(
            name: "server-sqlite",
            program: "mcp-server-sqlite",
            arguments: ["--db-path", "/tmp/x.db"],
            tool: "read_query",
            values: #"{"query":"SELECT 6*7 AS n"}"#,
            expected: "42"
        ),
        Row(
            name: "server-duckdb",
            program: "mcp-server-motherduck",
            arguments: ["--db-path", ":memory:", "--read-write"],
            tool: "execute_query",
            values: #"{"sql":"SELECT 6*7 AS n"}"#,
            expected: "42"
        ),
        Row(
            name: "server-code-index",
            program: "code-index-mcp",
            tool: "set_project_path",
            values: #"{"path":"FOLDER"}"#,
            expected: "granted",
            grants: ["ReadPaths=FOLDER"]
        ),
        Row(
            name: "server-markitdown",
            program: "markitdown-mcp",
            tool: "convert_to_markdown",
            values: #"{"uri":"data:text/html,<h1>Hi</h1>"}"#,
            expected: "Hi"
        ),
        Row(
            name: "server-word",
            program: "word_mcp_server",
            tool: "create_document",
            values: #"{"filename":"/tmp/a.docx"}"#,
            expected: "a.docx"
        ),
    ]

    /// The folder of an environment with a server. Skips the test if it cannot be installed.
    private func environment(_ name: String) throws -> URL {
        let installing = try Command(Self.tests.appending(path: "install-python"), [name])
        guard installing.exitCode() == 0 else {
            try skipTest(installing.errors.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        // The folder itself, because the sandbox grants no link to it.
        return URL(filePath: installing.output.trimmingCharacters(in: .whitespacesAndNewlines))
            .resolvingSymlinksInPath()
    }

    @Test(arguments: Endurance.isWhole ? few + rest : few)
    func `a server of another author is an app`(row: Row) throws {
        let environment = try environment(row.name)
        let daemon = try Daemon(configuration: ["[Agents]", "Allow=all", "Ask=never"])
        let folder = try daemon.makeFolder("granted")
        try prepare(folder)
        let words = row.arguments.map { $0.replacing("FOLDER", with: folder.path) }
        let values = row.values.replacing("FOLDER", with: folder.path)
        let program = environment.appending(path: "bin/\(row.program)").path
        let made = try daemon.makeFolder("made")
        let new = try Command(
            Programs.intentctl,
            ["new", "--mcp-server", "foreign", "--", program] + words,
            directory: made
        )
        try #require(new.exitCode() == 0, "\(new.errors)")
        var text = try String(contentsOf: made.appending(path: "foreign.intents"), encoding: .utf8)
        text += "\n[Sandbox]\n" + row.grants.map { $0.replacing("FOLDER", with: folder.path) + "\n" }.joined()
        try daemon.writeCommands(text, as: "foreign")

        let ran = try daemon.intentctl("run", "--json", values, "foreign/\(row.tool)")
        let said = ran.output + ran.errors
        #expect((ran.code == 0) != row.isRefused && said.contains(row.expected), "\(said)")

        let sdk = try self.environment("mcp-2.3")
        let client = try Command(
            sdk.appending(path: "bin/python"),
            [
                Self.tests.appending(path: "MCP/call_tool.py").path, "foreign_\(row.tool)", values,
                Programs.intentctl.path, "--socket", daemon.socket, "mcp",
            ],
            environment: ["PYTHONDONTWRITEBYTECODE": "1"]
        )
        #expect((client.exitCode() == 0) != row.isRefused, "\(client.errors)")
        #expect((client.output + client.errors).contains(row.expected), "\(client.output)\(client.errors)")
    }

    /// Makes a repository, a table and a document for the tools.
    private func prepare(_ folder: URL) throws {
        let git = try Command(
            URL(filePath: "/bin/sh"),
            [
                "-c",
                """
                cd "$1" && git init -q . && printf 'a,b\\n1,2\\n' >table.csv && echo '# Title' >note.md && git add . &&
                    git -c user.name=a -c user.email=a@example.org commit -qm first && chmod -R a+rX .
                """,
                "sh", folder.path,
            ]
        )
        try #require(git.exitCode() == 0, "\(git.errors)")
    }
}
