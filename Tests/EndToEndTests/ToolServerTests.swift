import Foundation
import Glibc
import TestSupport
import Testing

/// Tests MCP servers as apps, with a server that can misbehave, in the sandbox.
@Suite(.ownThread) struct ToolServerTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "MCP/tool_server.py").path

    /// A daemon with the app `tools`, which has the tools of the test's server as intents.
    private func daemon(
        _ words: String = "request",
        sandbox: [String] = [],
        configuration: [String] = []
    ) throws -> Daemon {
        let daemon = try Daemon(configuration: configuration)
        // The sandbox contains only what is granted, so the script is below the daemon's folder.
        let script = script(of: daemon)
        try FileManager.default.copyItem(atPath: Self.script, toPath: script)
        try daemon.writeCommands(
            """
            [App]
            Description=Tools of a server
            MCPServer=/usr/bin/python3 \(script) \(words)
            [Sandbox]
            ReadPaths=\(script)
            \(sandbox.joined(separator: "\n"))
            """
        )
        return daemon
    }

    /// The path of the server's script, which is the same as in the sandbox.
    private func script(of daemon: Daemon) -> String { daemon.folder.appending("tool_server.py").path }

    @Test(arguments: ["request", "handshake", "strict", "handshake noise", "request noise"])
    func `tools of either era are described, called and recorded like intents`(words: String) throws {
        let daemon = try daemon(words)
        let described = try daemon.intentctl("describe", "tools/echo")
        #expect(described.code == 0, "\(described.errors)")
        #expect(described.output.contains("Returns its argument."))
        #expect(described.output.contains("The server says that the tool only reads."))
        let ran = try daemon.intentctl("run", "tools/echo", "--text", "hi", "--times", "2")
        #expect(ran.code == 0 && ran.output == "hihi\n", "\(ran)")
        let sum = try daemon.intentctl("run", "tools/add", "--a", "3", "--b", "4.5")
        #expect(sum.output == "7.5\n", "\(sum)")
        let facts = try daemon.json("run", "tools/facts")
        #expect((facts["value"] as? [String: Any])?["user"] as? String == "app", "\(facts)")
        #expect(try daemon.intentctl("history").output.contains("tools/echo"))
    }

    @Test func `a server runs without a daemon`() throws {
        let folder = try TemporaryFolder()
        let script = folder.appending("tool_server.py")
        try FileManager.default.copyItem(atPath: Self.script, toPath: script.path)
        let file = folder.appending("git.intents")
        let text = "[App]\nMCPServer=/usr/bin/python3 \(script.path) request\n[Sandbox]\nReadPaths=\(script.path)\n"
        try text.write(to: file, atomically: true, encoding: .utf8)
        let ran = try Command(Programs.intentctl, ["run", "--local", file.path, "echo", "--text", "hi"])
        #expect(ran.exitCode() == 0 && ran.output == "hi\n", "\(ran.errors)")
    }

    @Test func `a failure, values that do not match and a false result are failures with their reason`() throws {
        let daemon = try daemon("request false-output")
        let failed = try daemon.intentctl("run", "tools/fail")
        #expect(failed.code == 1 && failed.errors.contains(#"no such table: \u{202E}customers"#), "\(failed)")
        let refused = try daemon.intentctl("run", "tools/echo", "--text", "no!")
        #expect(refused.code == 1 && refused.errors.contains("text: expected text that matches"), "\(refused)")
        let nested = try daemon.intentctl("run", "tools/nested", "--leaf", #"{"name":"long"}"#)
        #expect(nested.code == 1 && nested.errors.contains("leaf.name: expected at most 3 characters"), "\(nested)")
        let valid = try daemon.intentctl("run", "tools/nested", "--leaf", #"{"name":"x"}"#, "--choice", "[\"a\"]")
        #expect(valid.output.contains(#""choice": ["a"], "leaf": {"name": "x"}"#), "\(valid)")
        let result = try daemon.intentctl("run", "tools/add", "--a", "3", "--b", "4")
        #expect(result.code == 1 && result.errors.contains("does not match the tool's output schema"), "\(result)")
    }

    @Test func `images and resources are files of the result, and links are read before the server ends`() throws {
        let daemon = try daemon()
        let folder = try daemon.makeFolder("results")
        let ran = try daemon.intentctl("run", "--out", folder.path, "tools/files")
        #expect(ran.code == 0 && ran.output.contains("two files"), "\(ran)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["later.txt", "result.png", "today.txt"], "\(ran)")
        #expect(try String(contentsOf: folder.appending(path: "today.txt"), encoding: .utf8) == "lunch")
        #expect(try String(contentsOf: folder.appending(path: "later.txt"), encoding: .utf8) == "read later")
    }

    @Test func `logs and errors of the server are output, and sampling is refused`() throws {
        let daemon = try daemon("handshake")
        let logged = try daemon.intentctl("run", "tools/log")
        #expect(logged.errors.contains("info db: connected"), "\(logged)")
        #expect(logged.errors.contains("printed to stderr"), "\(logged)")
        let sampled = try daemon.intentctl("run", "tools/sample")
        #expect(sampled.output.contains("'sampling/createMessage' is refused"), "\(sampled)")
        let roots = try daemon.intentctl("run", "tools/roots")
        #expect(roots.output.contains("file:///state") && roots.output.contains("tool_server.py"), "\(roots)")
    }

    @Test func `progress is the run's progress`() throws {
        let daemon = try daemon()
        let run = try daemon.intentctl("run", "tools/count")
        #expect(run.code == 0 && run.errors.contains("step"), "\(run.errors)")
    }

    @Test(arguments: ["request", "handshake"])
    func `a cancelled call receives the reason, and ends with its server`(era: String) throws {
        let daemon = try daemon(era)
        let run = try daemon.start(["run", "tools/wait"])
        try run.waitFor("waiting")
        let id = try daemon.newestRun()
        #expect(try daemon.intentctl("cancel", id).code == 0)
        #expect(run.exitCode() == 130, "\(run.errors)")
        #expect(run.errors.contains("cancelled because of userCancelled"), "\(run.errors)")
        #expect(daemon.processes(with: script(of: daemon)).isEmpty)
    }

    @Test(arguments: ["request", "handshake"])
    func `a form of the server is asked as questions of the run`(era: String) throws {
        let daemon = try daemon(era)
        let started = try daemon.intentctl("run", "--detach", "tools/ask")
        #expect(started.code == 0, "\(started.errors)")
        let run = started.output.trimmingCharacters(in: .whitespacesAndNewlines)
        for (title, answer) in [("Table", "customers"), ("Rows", "3")] {
            try eventually("the run asks for \(title)") {
                try daemon.intentctl("show", run).output.contains("asks       Which table?\\n\(title)")
            }
            #expect(try daemon.intentctl("answer", run, answer).code == 0, "\(title)")
        }
        let end = try daemon.intentctl("wait", run)
        #expect(end.output.contains(#"{"action": "accept", "content": {"rows": 3, "table": "customers"}}"#), "\(end)")
    }

    @Test(arguments: [
        ("exit", "no configuration file"), ("endless-pages", "64 pages"), ("many-tools", "512 tools"),
        ("noise-flood", "1000 lines"), ("huge-line", "8 MiB"), ("network", "It needs the network"),
    ])
    func `a server that cannot describe its tools says why`(fault: String, words: String) throws {
        let daemon = try daemon("handshake \(fault)")
        let described = try daemon.intentctl("describe", "tools")
        #expect(described.code != 0 && (described.errors + described.output).contains(words), "\(described)")
        #expect(daemon.processes(with: script(of: daemon)).isEmpty)
    }

    @Test(arguments: [("wrong-id", "responds to request 4711"), ("not-utf8", "UTF-8")])
    func `a server that lies fails its call`(fault: String, words: String) throws {
        let daemon = try daemon("request \(fault)")
        let ran = try daemon.intentctl("run", "tools/echo", "--text", "hi")
        #expect(ran.code == 1 && ran.errors.contains(words), "\(ran)")
        try eventually("the server ends") { daemon.processes(with: script(of: daemon)).isEmpty }
    }

    @Test(arguments: ["after-end", "error-flood"])
    func `messages after the end and a flood of errors change no result`(fault: String) throws {
        let daemon = try daemon("request \(fault)")
        let ran = try daemon.intentctl("run", "tools/echo", "--text", "hi")
        #expect(ran.code == 0 && ran.output == "hi\n", "\(ran.errors.suffix(500))")
    }

    @Test func `text that hides characters is shown, and names that hide them are replaced`() throws {
        let daemon = try daemon("request invisible")
        let described = try daemon.intentctl("describe", "tools/echo")
        #expect(described.code == 0, "\(described)")
        #expect(described.output.contains(#"Returns\u{202E} its\u{200B} argument."#), "\(described)")
        #expect(!described.output.unicodeScalars.contains("\u{200B}"))
    }

    @Test func `a tool that has changed since its description was read is refused, and read again`() throws {
        let daemon = try daemon()
        #expect(try daemon.intentctl("describe", "--changes", "tools").code == 0)
        let script = URL(filePath: script(of: daemon))
        let text = try String(contentsOf: script, encoding: .utf8)
        try text.replacing("Returns its argument.", with: "Deletes everything.")
            .write(to: script, atomically: false, encoding: .utf8)
        let refused = try daemon.intentctl("run", "tools/echo", "--text", "hi")
        #expect(refused.code == 1, "\(refused)")
        #expect(refused.errors.contains("has changed since its description was read"), "\(refused)")
        let changes = try daemon.intentctl("describe", "--changes", "tools")
        #expect(changes.output.contains("~ echo"), "\(changes)")
        #expect(changes.output.contains("Deletes everything."), "\(changes)")
        #expect(try daemon.intentctl("run", "tools/echo", "--text", "hi").output == "hi\n")
    }

    @Test(.enabled(if: access("/usr/bin/node", X_OK) == 0, "Node.js is not installed"))
    func `a program that generates code starts only with GeneratedCode=yes, which the refusal names`() throws {
        let source = URL(filePath: Self.script).deletingLastPathComponent().appending(path: "tool_server.js").path
        let daemon = try Daemon()
        let script = daemon.folder.appending("tool_server.js").path
        try FileManager.default.copyItem(atPath: source, toPath: script)
        let file = "[App]\nMCPServer=/usr/bin/node \(script)\n[Sandbox]\nReadPaths=\(script)\nMemoryMax=infinity\n"
        try daemon.writeCommands(file)
        let refused = try daemon.intentctl("describe", "tools")
        #expect((refused.output + refused.errors).contains("set GeneratedCode=yes in [Sandbox]"), "\(refused)")
        try daemon.writeCommands(file + "GeneratedCode=yes\n")
        let ran = try daemon.intentctl("run", "tools/double", "--n", "21")
        #expect(ran.code == 0 && ran.output == "42\n", "\(ran)")
    }

    @Test func `agents need a person's approval, whatever the server says about its tools`() throws {
        let daemon = try daemon(configuration: ["[Agents]", "Allow=reading"])
        let client = try MCPProcess(daemon)
        let listed = try client.request("tools/list")["tools"] as? [[String: Any]] ?? []
        let names = listed.compactMap { $0["name"] as? String }
        #expect(!names.isEmpty && !names.contains { $0.hasPrefix("tools_") }, "\(names)")
    }

    @Test func `an agent's call waits for a person, who sees the values, and then has the tool's result`() throws {
        let daemon = try daemon(configuration: ["[Agents]", "Allow=all"])
        let agent = try MCPProcess(daemon)
        let waiting = try agent.call("tools_echo", ["text": "approved words"])
        #expect(waiting.structured["state"] as? String == "waiting", "\(waiting)")
        let run = try #require(waiting.structured["run"] as? String)
        let shown = try daemon.intentctl("answer", run)
        #expect(shown.output.contains("tools/echo") && shown.output.contains("approved words"), "\(shown)")
        #expect(try daemon.intentctl("answer", run, "yes").code == 0)
        let result = try agent.call("intent_run_result", ["run": run])
        #expect("\(result)".contains("approved words"), "\(result)")
        #expect(try daemon.intentctl("audit").output.contains("approved"))
    }
}
