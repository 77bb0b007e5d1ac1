import Foundation
import Glibc
import TestSupport
import Testing

/// MCP servers of other authors as apps: each is installed as PyPI serves it, gets its file from `intentctl new`, and is
/// called through `intentctl run` and through our MCP server by the official SDK.
///
/// With TESTS_SERVERS=FILE, each test appends its row of the table in EVIDENCE.md to a file.
@Suite(.ownThread) struct ForeignServerTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

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

    @Test(arguments: Endurance.isWhole ? ForeignServer.all : ForeignServer.few)
    func `a server of another author is an app`(row: ForeignServer) throws {
        let environment = try environment(row.name)
        let daemon = try Daemon(configuration: ["[Agents]", "Allow=all", "Ask=never"])
        let folder = try daemon.makeFolder("granted")
        try prepare(folder)
        func fill(_ text: String) -> String {
            text.replacing("FOLDER", with: folder.path).replacing("OUTSIDE", with: daemon.folder.url.path)
        }
        let program = environment.appending(path: "bin/\(row.program)").path
        let made = try daemon.makeFolder("made")
        let new = try Command(
            Programs.intentctl,
            ["new", "--mcp-server", "foreign", "--"] + row.environment + [program] + row.arguments.map(fill),
            directory: made
        )
        #expect(new.exitCode() == 0, "\(new.errors)")
        var text = try String(contentsOf: made.appending(path: "foreign.intents"), encoding: .utf8)
        text += "\n[Sandbox]\n" + row.grants.map { fill($0) + "\n" }.joined()
        try daemon.writeCommands(text, as: "foreign")

        let described = try daemon.json("describe", "foreign")
        let tools = (described["intents"] as? [Any])?.count ?? 0
        #expect(tools > 0)
        for call in [row.call, row.refused].compactMap(\.self) {
            let isDone = call == row.call ? !call.fails : call.isText
            let ran = try daemon.intentctl("run", "--json", fill(call.values), "foreign/\(call.tool)")
            let said = ran.output + ran.errors
            #expect(said.contains(fill(call.expected)), "\(said)")
            #expect((ran.code == 0) == isDone, "\(said)")
        }
        let sdk = try self.environment("mcp-2.3")
        let client = try Command(
            sdk.appending(path: "bin/python"),
            [
                Self.tests.appending(path: "MCP/call_tool.py").path, "foreign_\(row.call.tool)", fill(row.call.values),
                Programs.intentctl.path, "--socket", daemon.socket, "mcp",
            ],
            environment: ["PYTHONDONTWRITEBYTECODE": "1"]
        )
        #expect((client.exitCode() == 0) != row.call.fails, "\(client.errors)")
        #expect((client.output + client.errors).contains(fill(row.call.expected)), "\(client.output)\(client.errors)")
        try record(row, tools: tools, in: environment)
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

    private func record(_ row: ForeignServer, tools: Int, in environment: URL) throws {
        guard let path = ProcessInfo.processInfo.environment["TESTS_SERVERS"] else { return }
        let package = row.package
        let asked = try Command(
            environment.appending(path: "bin/python"),
            ["-c", "import importlib.metadata as m; print(m.version('\(package)'))"]
        )
        asked.exitCode()
        let grants = (row.grants + row.environment.map { "Environment=\($0)" }).joined(separator: ", ")
        let cells = [
            package, asked.output.trimmingCharacters(in: .whitespacesAndNewlines), "\(tools)", row.call.tool,
            grants.isEmpty ? "–" : grants, row.refused.map { "\($0.tool): \($0.expected)" } ?? "–",
        ]
        let line = "| " + cells.joined(separator: " | ") + " |\n"
        let file = try #require(fopen(path, "a"))
        fputs(line, file)
        fclose(file)
    }
}
