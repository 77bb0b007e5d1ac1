import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

/// Tests `intentctl mcp`, a server of the Model Context Protocol.
@Suite(.ownThread) struct MCPTests {
    static var forms: [String: Any] { ["elicitation": ["form": [String: Any]()]] }
    static var tasks: [String: Any] {
        forms.merging(["extensions": ["io.modelcontextprotocol/tasks": [String: Any]()]]) { $1 }
    }

    /// A daemon that performs an agent's request without approval.
    func daemon(_ settings: [String] = ["Ask=never"]) throws -> Daemon {
        try Daemon(configuration: ["[Agents]"] + settings)
    }

    func outcome(of run: String, in daemon: Daemon) throws -> String? {
        try daemon.json("show", run)["outcome"] as? String
    }

    @Test func `a tool performs its intent, in both eras`() throws {
        let daemon = try daemon()
        let modern = try MCPProcess(daemon)
        let result = try modern.call("Probe_Echo", ["text": "hello"])
        #expect(result.structured["value"] as? String == "hello", "\(result)")
        #expect(result["isError"] as? Bool != true)
        let older = try MCPProcess(daemon)
        #expect(try older.greet()["protocolVersion"] as? String == "2025-11-25")
        let id = try older.beginPlain("Probe_Echo", ["text": "a"])
        let called = try older.answer(to: id)["result"] as? [String: Any]
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

    @Test func `a file outside is never passed while its path is being changed`() throws {
        let daemon = try daemon()
        let permitted = try daemon.makeFolder("permitted")
        let outside = try daemon.makeFolder("outside")
        let inside = permitted.appending(path: "real")
        try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: false)
        try Data("inside".utf8).write(to: inside.appending(path: "a.txt"))
        try Data("secret".utf8).write(to: outside.appending(path: "a.txt"))
        let server = try MCPProcess(daemon, ["--root", permitted.path])
        // The path's folder is a link that points to each of the folders in turn.
        let script = """
            import itertools, os, sys
            for target in itertools.cycle(sys.argv[2:]):
                os.symlink(target, sys.argv[1] + ".new")
                os.rename(sys.argv[1] + ".new", sys.argv[1])
            """
        let link = permitted.appending(path: "link")
        let swapper = try Command(
            URL(filePath: "/usr/bin/python3"),
            ["-c", script, link.path, inside.path, outside.path]
        )
        try eventually("the link exists: \(swapper.errors)") {
            FileManager.default.fileExists(atPath: link.appending(path: "a.txt").path)
        }
        for _ in 0..<30 {
            let result = try server.call("Probe_ReadFiles", ["files": ["file://\(link.path)/a.txt"]])
            #expect(!"\(result)".contains("secret"), "\(result)")
        }
        swapper.signal(SIGKILL)
    }

    @Test func `ten thousand requests at once are all answered, in little memory`() throws {
        let daemon = try daemon()
        let count = 10_000
        let meta = """
            "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientCapabilities":{}}
            """
        let lines = (1...count).map {
            switch $0 % 4 {
            case 0: #"{"jsonrpc":"2.0","id":\#($0),"method":"server/discover","params":{\#(meta)}}"#
            case 1: #"{"jsonrpc":"2.0","id":\#($0),"method":"tools/list","params":{\#(meta),"cursor":"1000"}}"#
            case 2: #"{"jsonrpc":"2.0","id":\#($0),"method":"tools/call","params":{\#(meta),"name":"Probe_None"}}"#
            default: #"{"jsonrpc":"2.0","id":\#($0),"method":"nonesuch"}"#
            }
        }
        let file = daemon.folder.appending("requests")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        let script = """
            import resource, subprocess, sys
            code = subprocess.call(sys.argv[1:])
            print("KiB", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
            sys.exit(code)
            """
        let server = try Command(
            URL(filePath: "/usr/bin/python3"),
            ["-c", script, Programs.intentctl.path, "--socket", daemon.socket, "mcp"],
            input: file
        )
        #expect(server.exitCode() == 0, "\(server.errors)")
        let ids = server.output.split(separator: "\n").compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["id"] as? Int
        }
        #expect(ids.count == count)
        #expect(Set(ids).count == count)
        let memory = try #require(server.errors.split(separator: " ").last.flatMap { Int($0.dropLast()) })
        #expect(memory < 150 << 10, "\(memory) KiB")
    }

    @Test func `a client with a handshake is asked by a request of the server`() throws {
        let daemon = try daemon()
        let server = try MCPProcess(daemon)
        _ = try server.greet(capabilities: ["elicitation": [String: Any]()])
        let call = try server.beginPlain("Probe_AskSomething", ["way": "value"])
        let form = try #require(try server.receive())
        #expect(form["method"] as? String == "elicitation/create", "\(form)")
        let schema = (form["params"] as? [String: Any])?["requestedSchema"] as? [String: Any]
        let name = try #require((schema?["properties"] as? [String: Any])?.keys.first)
        let reply: [String: Any] = ["action": "accept", "content": [name: 4]]
        try server.send(["id": try #require(form["id"]), "result": reply])
        let result = try server.answer(to: call)["result"] as? [String: Any] ?? [:]
        #expect(result.structured["value"] as? String == "4", "\(result)")
    }

    @Test(.enabled(if: Daemon.canBecomeOthers, "needs root to act as several users"))
    func `another user cannot answer with the state of a question`() throws {
        let daemon = try daemon()
        try daemon.admitEverybody()
        let asked = try MCPProcess(daemon, as: 42_428)
            .call("Probe_AskSomething", ["way": "value"], capabilities: Self.forms)
        let state = try #require(asked["requestState"] as? String, "\(asked)")
        let key = try #require((asked["inputRequests"] as? [String: Any])?.keys.first)
        func answer(as user: UInt32) throws -> [String: Any] {
            try MCPProcess(daemon, as: user).call(
                "Probe_AskSomething",
                ["way": "value"],
                capabilities: Self.forms,
                state: state,
                responses: [key: ["action": "accept", "content": ["cups": 4]]]
            )
        }
        let refused = try answer(as: 42_429)
        #expect(refused["isError"] as? Bool == true, "\(refused)")
        #expect(refused.resultText.contains("ticket"), "\(refused)")
        #expect(try answer(as: 42_428).structured["value"] as? String == "4")
    }

    @Test func `a request with the id of an open one is refused, and a cancel of an unknown id is ignored`() throws {
        let server = try MCPProcess(try daemon())
        let call = try server.begin("tools/call", ["name": "Probe_Slow", "arguments": ["seconds": 600]])
        try server.send(["id": call, "method": "ping"])
        #expect((try server.answer(to: call)["error"] as? [String: Any])?["code"] as? Int == -32600)
        for id in [999, "unknown"] as [Any] {
            try server.send(["method": "notifications/cancelled", "params": ["requestId": id]])
        }
        #expect(try server.call("Probe_Echo", ["text": "on"]).structured["value"] as? String == "on")
    }

    @Test func `before the handshake, requests without a revision are refused, and a ping is answered`() throws {
        let server = try MCPProcess(try daemon())
        let call = try server.beginPlain("Probe_Echo", ["text": "a"])
        #expect((try server.answer(to: call)["error"] as? [String: Any])?["code"] as? Int == -32602)
        try server.send(["id": "p", "method": "ping"])
        #expect(try server.receive()?["result"] as? [String: Any] != nil)
        #expect(try server.greet("2025-06-18")["protocolVersion"] as? String == "2025-06-18")
    }

    @Test func `an app's output forges no message and controls no terminal`() throws {
        let server = try MCPProcess(try daemon())
        let forged = "a\n{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n\u{1b}[31m\u{2028}\u{9b}31m"
        for tool in ["Probe_Echo", "Probe_Prints"] {
            let call = try server.begin("tools/call", ["name": tool, "arguments": ["text": forged]])
            let answer = try #require(try server.receive())
            #expect(answer["id"] as? Int == call)
            let text = (answer["result"] as? [String: Any] ?? [:]).resultText
            #expect(!text.isEmpty)
            #expect(!text.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{9b}" }, "\(text.debugDescription)")
        }
        let next = try server.begin("server/discover")
        #expect(try server.receive()?["id"] as? Int == next)
    }

    @Test func `an entity is a resource with its properties`() throws {
        let daemon = try daemon()
        try daemon.install("Library")
        let server = try MCPProcess(daemon)
        let listed = try server.request("resources/templates/list")["resourceTemplates"] as? [[String: Any]] ?? []
        #expect(listed.contains { $0["uriTemplate"] as? String == "intent-entity://Library/Book/{id}" }, "\(listed)")
        let read = try server.request("resources/read", ["uri": "intent-entity://Library/Book/moby"])
        let contents = try #require((read["contents"] as? [[String: Any]])?.first)
        #expect(contents["uri"] as? String == "intent-entity://Library/Book/moby")
        let text = try #require(contents["text"] as? String)
        let entity = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(entity["value"] as? String == "moby" && entity["title"] as? String == "Moby Dick")
        #expect((entity["properties"] as? [String: Any])?["title"] as? String == "Moby Dick")
        for uri in ["intent-entity://Library/Book/none", "intent-entity://Library/Shelf/moby"] {
            let error = try server.request("resources/read", ["uri": uri])["error"] as? [String: Any]
            #expect((error?["message"] as? String)?.isEmpty == false, "\(uri)")
        }
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
        // The agent and the person have the same uid, which the recorded answer shows.
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
        #expect((form?["message"] as? String)?.contains(#"text="hello""#) == true, "\(asked)")
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
        // A client that requests a forbidden intent is refused.
        let refused = try daemon.say(
            as: getuid(),
            [
                #"{"type":"perform","request":"00000000000000000000000000000001","app":"Probe","intent":"Echo","values":{"text":"a"},"entryPoint":"mcp"}"#
            ]
        )
        #expect("\(refused)".contains("agents may not perform"), "\(refused)")
    }
}
