import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

/// `intentctl mcp`: a server of the Model Context Protocol.
@Suite(.ownThread) struct MCPTests {
    private static var forms: [String: Any] { ["elicitation": ["form": [String: Any]()]] }
    private static var tasks: [String: Any] {
        forms.merging(["extensions": ["io.modelcontextprotocol/tasks": [String: Any]()]]) { $1 }
    }

    /// A daemon that asks no person before an agent's request.
    private func daemon(_ settings: [String] = ["Ask=never"]) throws -> Daemon {
        try Daemon(configuration: ["[Agents]"] + settings)
    }

    private func outcome(of run: String, in daemon: Daemon) throws -> String? {
        try daemon.json("show", run)["outcome"] as? String
    }

    @Test func `a tool performs its intent, in both eras`() throws {
        let daemon = try daemon()
        let modern = try MCPProcess(daemon)
        let result = try modern.call("Probe_Echo", ["text": "hello"])
        #expect(result.structured["value"] as? String == "hello", "\(result)")
        #expect(result["isError"] as? Bool != true)
        let older = try MCPProcess(daemon)
        try older.send([
            "id": 1, "method": "initialize",
            "params": [
                "protocolVersion": "2025-11-25", "capabilities": [String: Any](),
                "clientInfo": ["name": "test", "version": "1"],
            ],
        ])
        let greeting = try older.answer(to: 1)["result"] as? [String: Any]
        #expect(greeting?["protocolVersion"] as? String == "2025-11-25")
        try older.send(["method": "notifications/initialized"])
        try older.send(["id": 2, "method": "tools/call", "params": ["name": "Probe_Echo", "arguments": ["text": "a"]]])
        let called = try older.answer(to: 2)["result"] as? [String: Any]
        #expect(called?.structured["value"] as? String == "a")
        let runs = try daemon.json("history")["runs"] as? [[String: Any]] ?? []
        #expect(runs.map { $0["entryPoint"] as? String } == ["mcp", "mcp"], "\(runs)")
    }

    @Test func `wrong arguments are an error that a model can act on`() throws {
        let server = try MCPProcess(try daemon())
        let missing = try server.call("Probe_Echo")
        #expect(missing["isError"] as? Bool == true)
        #expect(missing.resultText.contains("text"), "\(missing)")
        let unknown = try server.call("Probe_Echo", ["txet": "a"])
        #expect(unknown.resultText.contains("did you mean 'text'?"))
        let error = try server.call("Probe_Nonesuch")["error"] as? [String: Any]
        #expect(error?["code"] as? Int == -32602)
    }

    @Test(arguments: [
        ("nonsense", -32700), ("[]", -32600), (#"{"jsonrpc":"2.0"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":null,"method":"x"}"#, -32600), (#"{"jsonrpc":"2.0","id":1,"method":"x"}"#, -32601),
        (#"{"jsonrpc":"1.0","id":1,"method":"tools/list"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, -32602),
    ])
    func `a malformed message gets its code, and the next one is served`(line: String, code: Int) throws {
        let server = try MCPProcess(try daemon())
        try server.send(line: line)
        let error = try server.receive()?["error"] as? [String: Any]
        #expect(error?["code"] as? Int == code)
        #expect(try server.call("Probe_Echo", ["text": "on"]).structured["value"] as? String == "on")
    }

    @Test func `a question is answered once by its state, even after the server was killed`() throws {
        let daemon = try daemon()
        var server = try MCPProcess(daemon)
        let asked = try server.call("Probe_AskSomething", ["way": "value"], capabilities: Self.forms)
        #expect(asked["resultType"] as? String == "input_required", "\(asked)")
        let state = try #require(asked["requestState"] as? String)
        let key = try #require((asked["inputRequests"] as? [String: Any])?.keys.first)
        let name = try #require(
            ((((asked["inputRequests"] as? [String: Any])?[key] as? [String: Any])?["params"] as? [String: Any])?[
                "requestedSchema"
            ] as? [String: Any])?["properties"] as? [String: Any]
        ).keys.first
        let answer: [String: Any] = [key: ["action": "accept", "content": [try #require(name): 4]]]
        let forged = String(state.dropLast()) + (state.hasSuffix("0") ? "1" : "0")
        for (arguments, state) in [(["way": "value"], forged), (["way": "choice"], state)] {
            let refused = try server.call(
                "Probe_AskSomething",
                arguments,
                capabilities: Self.forms,
                state: state,
                responses: answer
            )
            #expect(refused["error"] != nil || refused["isError"] as? Bool == true, "\(refused)")
        }
        server.crash()
        server = try MCPProcess(daemon)
        let result = try server.call(
            "Probe_AskSomething",
            ["way": "value"],
            capabilities: Self.forms,
            state: state,
            responses: answer
        )
        #expect(result.structured["value"] != nil, "\(result)")
        let replayed = try server.call(
            "Probe_AskSomething",
            ["way": "value"],
            capabilities: Self.forms,
            state: state,
            responses: answer
        )
        #expect(replayed["error"] != nil || replayed["isError"] as? Bool == true)
        // Nothing before the question was run twice: there is one run.
        #expect((try daemon.json("history")["runs"] as? [[String: Any]])?.count == 1)
    }

    @Test func `a task continues after the server was killed`() throws {
        let daemon = try daemon()
        var server = try MCPProcess(daemon)
        let begun = try server.call("Probe_Background", ["seconds": 1.0], capabilities: Self.tasks)
        let task = try #require(begun["taskId"] as? String, "\(begun)")
        server.crash()
        server = try MCPProcess(daemon)
        try eventually("the task is completed") {
            try server.request("tasks/get", ["taskId": task], capabilities: Self.tasks)["status"] as? String
                == "completed"
        }
        #expect(try outcome(of: task, in: daemon) == "done")
    }

    @Test func `a cancelled call stops its run, and the end of the input stops calls but no tasks`() throws {
        let daemon = try daemon()
        let server = try MCPProcess(daemon)
        let task = try #require(
            try server.call("Probe_Background", ["seconds": 60.0], capabilities: Self.tasks)["taskId"] as? String
        )
        let call = try server.begin("tools/call", ["name": "Probe_Slow", "arguments": ["seconds": 60]])
        try eventually("both run") { try daemon.intentctl("ps").output.split(separator: "\n").count >= 3 }
        try server.send(["method": "notifications/cancelled", "params": ["requestId": call]])
        try eventually("the call's run has ended") {
            let runs = try daemon.json("history")["runs"] as? [[String: Any]] ?? []
            return runs.contains { $0["intent"] as? String == "Slow" && $0["outcome"] as? String == "cancelled" }
        }
        _ = try server.begin("tools/call", ["name": "Probe_Slow", "arguments": ["seconds": 61]])
        try eventually("the second call runs") {
            try daemon.intentctl("ps").output.contains("Slow")
        }
        #expect(server.finish() == 0)
        try eventually("only the task runs") { try !daemon.intentctl("ps").output.contains("Slow") }
        #expect(try daemon.intentctl("ps").output.contains(task))
    }

    @Test func `files are opened only below the permitted folders`() throws {
        let daemon = try daemon()
        let permitted = daemon.folder.appending("permitted")
        try FileManager.default.createDirectory(at: permitted, withIntermediateDirectories: false)
        let inside = permitted.appending(path: "a.bin")
        try Data("inside".utf8).write(to: inside)
        let outside = try daemon.folder.noise("b.bin", byteCount: 10)
        symlink(outside.path, permitted.appending(path: "link").path)
        let server = try MCPProcess(daemon, ["--root", permitted.path])
        let result = try server.call("Archive_Compress", ["file": "file://\(inside.path)"])
        #expect(result["isError"] as? Bool != true, "\(result)")
        for path in [outside.path, "\(permitted.path)/../b.bin", "\(permitted.path)/link", "/etc/passwd"] {
            let refused = try server.call("Archive_Compress", ["file": "file://\(path)"])
            #expect(refused["isError"] as? Bool == true, "\(path): \(refused)")
        }
        let without = try MCPProcess(daemon)
        #expect(try without.call("Archive_Compress", ["file": "file://\(inside.path)"])["isError"] as? Bool == true)
    }

    @Test func `ten thousand requests at once are all answered`() throws {
        let daemon = try daemon()
        let count = 10_000
        let meta = #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#
        let lines = (1...count).map {
            #"{"jsonrpc":"2.0","id":\#($0),"method":"server/discover","params":{\#(meta)}}"#
        }
        let file = daemon.folder.appending("requests")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        let server = try Command(Programs.intentctl, ["--socket", daemon.socket, "mcp"], input: file)
        #expect(server.exitCode() == 0, "\(server.errors)")
        let ids = server.output.split(separator: "\n").compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["id"] as? Int
        }
        #expect(Set(ids).count == count)
    }

    @Test func `the server is registered in the file of a client, which keeps its content and permissions`() throws {
        let home = try TemporaryFolder()
        let file = home.appending(".cursor/mcp.json")
        func setup(_ words: String...) throws -> (code: Int32, output: String, errors: String) {
            let command = try Command(
                Programs.intentctl,
                ["--socket", "/run/example.sock", "mcp", "--setup"] + words,
                environment: ["HOME": home.url.path, "XDG_CONFIG_HOME": ""]
            )
            let code = command.exitCode()
            return (code, command.output, command.errors)
        }
        let printed = try setup("cursor", "--root", "/srv")
        #expect(printed.code == 0, "\(printed.errors)")
        #expect(printed.output.contains("mcpServers"))
        #expect(printed.errors.contains("approve its own requests"))
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try FileManager.default.createDirectory(at: home.appending(".cursor"), withIntermediateDirectories: false)
        try Data(#"{"mcpServers": {"mine": {"command": "x"}}}"#.utf8).write(to: file)
        chmod(file.path, 0o640)
        for _ in 1...2 {
            let written = try setup("cursor", "--root", "/srv", "--write")
            #expect(written.code == 0, "\(written.errors)")
            #expect(written.errors.contains(file.path))
        }
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let servers = json?["mcpServers"] as? [String: [String: Any]]
        #expect(servers?["mine"]?["command"] as? String == "x")
        #expect(
            servers?["intentd"]?["args"] as? [String] == ["--socket", "/run/example.sock", "mcp", "--root", "/srv"]
        )
        #expect(try File.status(at: file.path).permissions == 0o640)
        try Data("// mine\n{}".utf8).write(to: file)
        let refused = try setup("cursor", "--write")
        #expect(refused.code != 0)
        #expect(refused.errors.contains("comments"))
        #expect(try String(contentsOf: file, encoding: .utf8) == "// mine\n{}")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.appending(".cursor").path) == ["mcp.json"])
    }

    // MARK: The operator's rules

    @Test func `without a rule, a person approves a request before it runs`() throws {
        let daemon = try daemon([])
        let server = try MCPProcess(daemon)
        let waiting = try server.call("Probe_Echo", ["text": "hello"])
        #expect(waiting.resultText.contains("waiting for approval"), "\(waiting)")
        let run = try #require(waiting.structured["run"] as? String)
        #expect(try daemon.intentctl("answer", run, "yes").code == 0)
        let result = try server.call("intent_run_result", ["run": run])
        #expect(result.structured["value"] as? String == "hello", "\(result)")
        // Agent and person have one uid: the receipt says so.
        let changes = try daemon.json("show", run)["changes"] as? [[String: Any]] ?? []
        let answer = try #require(changes.first { $0["kind"] as? String == "answer" })
        #expect(answer["isSameUser"] as? Bool == true)
    }

    @Test func `a client that shows forms asks for the approval`() throws {
        let server = try MCPProcess(try daemon([]))
        let asked = try server.call("Probe_Echo", ["text": "hello"], capabilities: Self.forms)
        #expect(asked["resultType"] as? String == "input_required", "\(asked)")
        let state = try #require(asked["requestState"] as? String)
        let key = try #require((asked["inputRequests"] as? [String: Any])?.keys.first)
        let form = ((asked["inputRequests"] as? [String: Any])?[key] as? [String: Any])?["params"] as? [String: Any]
        #expect((form?["message"] as? String)?.contains("text=hello") == true, "\(asked)")
        let schema = form?["requestedSchema"] as? [String: Any]
        let name = try #require((schema?["properties"] as? [String: Any])?.keys.first)
        let result = try server.call(
            "Probe_Echo",
            ["text": "hello"],
            capabilities: Self.forms,
            state: state,
            responses: [key: ["action": "accept", "content": [name: true]]]
        )
        #expect(result.structured["value"] as? String == "hello", "\(result)")
    }

    @Test func `an agent sees only the intents that the operator permits`() throws {
        let daemon = try daemon(["Allow=none"])
        let server = try MCPProcess(daemon)
        let names = (try server.request("tools/list")["tools"] as? [[String: Any]] ?? []).compactMap {
            $0["name"] as? String
        }
        #expect(!names.isEmpty)
        #expect(names.allSatisfy { $0.hasPrefix("intent_") }, "\(names)")
        // A client that requests it all the same is refused.
        let refused = try daemon.say(
            as: getuid(),
            [
                #"{"type":"perform","request":"00000000000000000000000000000001","app":"Probe","intent":"Echo","values":{"text":"a"},"entryPoint":"mcp"}"#
            ]
        )
        #expect("\(refused)".contains("agents may not perform"), "\(refused)")
    }
}
