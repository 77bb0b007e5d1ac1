import IntentCommandLine
import IntentProtocol
import Testing

@testable import IntentMCP

/// Tests calls of tools, from the request to the end of the run.
@Suite struct ToolCallTests {
    private static let tasks: [String: JSONValue] = [
        "extensions": .object([ClientCapabilities.tasksExtension: .object([:])])
    ]

    @Test func `an unknown tool is refused with the name of the most similar tool`() {
        var peer = MCPPeer()
        for (name, near) in [("kitchen_cleen", "Kitchen_Clean"), ("intent_run_results", "intent_run_result")] {
            let message = peer.call(name).actions.messages.first?["error"]?.members["message"]?.text
            #expect(message?.contains("did you mean '\(near)'?") == true, "\(message ?? "")")
        }
        let other = peer.call("send_mail").actions
        #expect(other.errorCode == .int(-32602))
        #expect(other.messages.first?["error"]?.members["message"]?.text?.contains("did you mean") == false)
    }

    @Test func `an argument that is null is absent, for every kind of tool`() {
        var peer = MCPPeer()
        let ordered = peer.call(
            "Kitchen_OrderSoup",
            ["soup": "tomato", "bowls": .null, "dryRun": .null]
        ).actions
        #expect(ordered.contains { if case .perform(_, _, let inputs) = $0 { inputs.count == 1 } else { false } })
        #expect(peer.call("Kitchen_find_Soup", ["text": .null]).actions.performed?.query?.text == nil)
        let listed = peer.call("intent_runs", ["limit": .null, "unfinished": .null]).actions
        #expect(listed.contains { if case .listRuns(_, 20, false) = $0 { true } else { false } })
        let run = JSONValue.string(MCPPeer.run.text)
        #expect(peer.call("intent_run_result", ["run": run, "wait_s": .null]).actions.messages.isEmpty)
        #expect(
            peer.call("Kitchen_OrderSoup", ["soup": .null]).actions.text?.hasPrefix("missing arguments: 'soup'") == true
        )
    }

    @Test(
        arguments: [
            ("intent_runs", ["limti": 5], "unknown argument 'limti'; did you mean 'limit'?"),
            ("intent_runs", ["unfinished": "yes"], "'unfinished': expected the type boolean, got string"),
            ("intent_run_result", ["run": 5], "'run': expected the type string, got integer"),
            (
                "intent_run_result", ["run": "a", "wait_s": .double(1.5)],
                "'wait_s': expected the type integer, got number"
            ),
            ("intent_read_file", ["uri": []], "'uri': expected the type string, got array"),
        ] as [(String, [String: JSONValue], String)]
    )
    func `a wrong argument of a tool of the server itself is refused`(
        _ tool: String,
        _ arguments: [String: JSONValue],
        _ text: String
    ) {
        var peer = MCPPeer()
        #expect(peer.call(tool, arguments).actions.text == text)
    }

    @Test func `the error for an unknown run names the tool that lists runs`() {
        var peer = MCPPeer()
        _ = peer.call("intent_run_status", ["run": .string(MCPPeer.run.text)])
        let actions = peer.send(
            .unknownRun(MCPPeer.run, ErrorReport(.unknownRun, "no such run", hint: "see 'intentctl history'"))
        )
        #expect(actions.text == "no such run; the tool intent_runs lists your runs")
    }

    @Test func `a call performs the intent, and its result has the value and a text block`() {
        var peer = MCPPeer()
        let (_, actions) = peer.begin("Kitchen_OrderSoup", ["soup": .string("tomato"), "bowls": .int(2)])
        let request = actions.performed
        #expect(request?.app == "Kitchen" && request?.intent == "OrderSoupIntent")
        #expect(request?.entryPoint == .mcp && request?.onDisconnect == .continue)
        let end = peer.send(MCPPeer.end(.done(value: .int(7), dialog: "Here.")))
        #expect(end.result?["isError"] == .bool(false) && end.text == "Here.")
        #expect(end.result?["structuredContent"]?.object?["value"] == .int(7))
        #expect(peer.server.open.isEmpty && peer.server.runs.isEmpty)
    }

    @Test(
        arguments: [
            ([:], "missing"), (["soup": .int(3), "bowls": .int(9)], "bowls"),
            (["soup": .string("a"), "bowl": .int(1)], "did you mean"),
            (["soup": .string("a"), "bowls": .string("two")], "bowls"),
        ] as [([String: JSONValue], String)]
    )
    func `invalid arguments are reported, and no run begins`(_ arguments: [String: JSONValue], _ words: String) {
        var peer = MCPPeer()
        let actions = peer.call("Kitchen_OrderSoup", arguments).actions
        #expect(actions.performed == nil)
        #expect(actions.result?["isError"] == .bool(true) && actions.text?.contains(words) == true)
    }

    @Test func `a call of an unknown or hidden tool is an error of the client`() {
        var peer = MCPPeer()
        #expect(peer.call("Kitchen_Hidden").actions.errorCode == .int(-32602))
        #expect(peer.call("Kitchen_Nothing").actions.errorCode == .int(-32602))
    }

    @Test func `an entity is read by a query for its identifier, and an app's failure is an error`() throws {
        var peer = MCPPeer()
        let uri = "intent-entity://Kitchen/Soup/a%2Fb"
        func read(_ uri: String) -> [MCPServer.Action] {
            let (id, actions) = peer.request("resources/read", ["uri": .string(uri)])
            var all = actions
            if peer.server.table == nil { all += peer.send(.apps([MCPPeer.app])) }
            if all.performed != nil { all += peer.send(.accepted(id, MCPPeer.run)) }
            return all
        }
        let query = try #require(read(uri).performed?.query)
        #expect(query.parameter == "soup" && query.identifier == "a/b")
        let entity = IntentValue.object(["value": .string("a/b"), "title": .string("A")])
        let answer = peer.send(MCPPeer.end(.done(value: .array([entity]), dialog: nil))).result
        guard case .array(let contents)? = answer?["contents"] else {
            Issue.record("no contents")
            return
        }
        #expect(contents.first?.object?["uri"] == .string(uri))
        #expect(contents.first?.object?["text"]?.text == #"{"title":"A","value":"a/b"}"#)
        _ = read(uri)
        #expect(peer.send(MCPPeer.end(.failed(message: "gone"))).errorCode == .int(-32002))
        for wrong in ["intent-entity://Kitchen/Pot/1", "intent-entity://Kitchen/Soup/", "intent-entity://a/b/%4"] {
            #expect(read(wrong).errorCode == .int(-32602), "\(wrong)")
        }
    }

    @Test func `two open requests with one id are refused`() {
        var peer = MCPPeer()
        let (id, _) = peer.begin("Kitchen_OrderSoup", ["soup": .string("a")])
        guard case .number(let number) = id else { return }
        let again = peer.send(line: #"{"jsonrpc":"2.0","id":\#(number),"method":"ping"}"#)
        #expect(again.errorCode == .int(-32600))
    }

    @Test func `more open calls than the limit are refused until others end`() {
        var peer = MCPPeer()
        for _ in 0..<MCPServer.requestLimit { peer.call("Kitchen_OrderSoup", ["soup": .string("a")]) }
        let refused = peer.call("Kitchen_OrderSoup", ["soup": .string("a")]).actions
        #expect(refused.performed == nil && refused.text?.contains("too many") == true)
    }

    @Test func `cancelling a call cancels its run, and the call is not answered`() {
        var peer = MCPPeer()
        let (id, _) = peer.begin("Kitchen_OrderSoup", ["soup": .string("a")])
        let line = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id.json.text())}}"#
        let actions = peer.send(line: line)
        #expect(actions.cancelled == [MCPPeer.run] && actions.messages.isEmpty)
        #expect(peer.send(MCPPeer.end(.cancelled(.userCancelled))).messages.isEmpty)
    }

    @Test func `a call that is cancelled before its run is known cancels the run later`() {
        var peer = MCPPeer()
        let (id, _) = peer.call("Kitchen_OrderSoup", ["soup": .string("a")])
        #expect(
            peer.send(
                line: #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id.json.text())}}"#
            ).isEmpty
        )
        let actions = peer.send(.accepted(id, MCPPeer.run))
        #expect(actions.cancelled == [MCPPeer.run] && actions.messages.isEmpty)
    }

    @Test func `a long call of a client without progress and tasks returns its run's identifier`() {
        var peer = MCPPeer()
        _ = peer.begin("Kitchen_OrderSoup", ["soup": .string("a")])
        peer.now = MCPServer.callTimeout - .milliseconds(1)
        #expect(peer.send(.time).messages.isEmpty)
        peer.now = MCPServer.callTimeout
        let answer = peer.send(.time)
        #expect(answer.state == "running" && answer.text?.contains(MCPPeer.run.text) == true)
        // The result is available to the tool that waits for it.
        let (_, actions) = peer.call("intent_run_result", ["run": .string(MCPPeer.run.text)])
        #expect(actions.messages.isEmpty)
        #expect(peer.send(MCPPeer.end(.done(value: .int(1), dialog: nil))).state == "done")
    }

    @Test func `the first progress message of a call names its run, before clients give up`() throws {
        var peer = MCPPeer()
        peer.initialize()
        _ = peer.begin("Kitchen_OrderSoup", ["soup": .string("a")], progressToken: .int(5), isPlain: true)
        peer.now = .seconds(2)
        let first = try #require(peer.send(.time).messages.first?["params"]?.members["message"]?.text)
        #expect(first == "run \(MCPPeer.run); intent_run_result returns its result")
        let report = ProgressReport(completedUnitCount: 1, totalUnitCount: 2, fraction: 0.5, title: "Cooking")
        peer.now = .seconds(3)
        let second = peer.send(.run(MCPPeer.run, .progress(report))).messages.first?["params"]?.members["message"]
        #expect(second == "Cooking")
        var other = MCPPeer()
        other.initialize()
        _ = other.begin("Kitchen_OrderSoup", ["soup": .string("a")], progressToken: .int(5), isPlain: true)
        let both = other.send(.run(MCPPeer.run, .progress(report))).messages.first?["params"]?.members["message"]
        #expect(both?.text?.hasPrefix("run \(MCPPeer.run)") == true && both?.text?.hasSuffix("; Cooking") == true)
    }

    @Test(arguments: [nil, JSONValue.int(5)])
    func `a call is answered after the time that the person chose, with or without progress`(_ token: JSONValue?) {
        var peer = MCPPeer(answerAfter: .seconds(4))
        peer.initialize()
        _ = peer.begin("Kitchen_OrderSoup", ["soup": .string("a")], progressToken: token, isPlain: true)
        peer.now = .seconds(3)
        #expect(peer.send(.time).messages.allSatisfy { $0["result"] == nil })
        peer.now = .seconds(4)
        let answers = peer.send(.time).messages.compactMap {
            $0["result"]?.members["structuredContent"]?.members["state"]
        }
        #expect(answers == ["running"])
        // The run continues after the end of the input, as the instructions say.
        #expect(peer.send(.inputEnded).cancelled.isEmpty)
    }

    @Test func `the runs of agents are listed with the state that results have`() {
        var peer = MCPPeer()
        let (id, actions) = peer.call("intent_runs", ["limit": 2, "unfinished": true])
        guard case .listRuns(id, count: 2, unfinishedOnly: true)? = actions.last else {
            Issue.record("\(actions)")
            return
        }
        #expect(peer.send(.result(id, RunList.result([]))).result?["structuredContent"]?.members["value"] == [])
        #expect(peer.call("intent_runs", ["limit": 101]).actions.state == "refused")
    }

    @Test func `a wait for a result ends after the time in the request`() {
        var peer = MCPPeer()
        peer.call("intent_run_result", ["run": .string(MCPPeer.run.text), "wait_s": .int(3)])
        _ = peer.send(.watching(WatchedRun(run: MCPPeer.run, app: "Kitchen", intent: "Clean", live: nil)))
        let live = LiveRun(run: MCPPeer.run, app: "Kitchen", intent: "Clean", state: .running, age: .zero)
        _ = peer.send(.watching(WatchedRun(run: MCPPeer.run, app: "Kitchen", intent: "Clean", live: live)))
        peer.now = .seconds(3)
        #expect(peer.send(.time).state == "running")
        for wrong in [.int(51), .string("3")] as [JSONValue] {
            #expect(
                peer.call("intent_run_result", ["run": .string(MCPPeer.run.text), "wait_s": wrong]).actions.result?[
                    "isError"
                ] == .bool(true)
            )
        }
    }

    @Test func `an unknown run is reported to the model`() {
        var peer = MCPPeer()
        peer.call("intent_run_status", ["run": .string(MCPPeer.run.text)])
        let answer = peer.send(.unknownRun(MCPPeer.run, ErrorReport(.unknownRun, "unknown run")))
        #expect(answer.result?["isError"] == .bool(true) && answer.text?.hasPrefix("unknown run; ") == true)
    }

    @Test func `the end of the input cancels calls, keeps tasks, and waits for runs that are being started`() {
        var peer = MCPPeer()
        let (first, _) = peer.call("Kitchen_OrderSoup", ["soup": .string("a")])
        _ = peer.send(.accepted(first, MCPPeer.run))
        let (second, _) = peer.call("Kitchen_OrderSoup", ["soup": .string("a")])
        let task = RunID(randomBits: 3)
        let (third, _) = peer.call("Kitchen_Clean", capabilities: Self.tasks)
        _ = peer.send(.accepted(third, task))
        let end = peer.send(.inputEnded)
        #expect(end.cancelled == [MCPPeer.run] && !end.hasEnd)
        let other = RunID(randomBits: 2)
        let last = peer.send(.accepted(second, other))
        #expect(last.cancelled == [other] && last.hasEnd)
    }

    @Test func `a session that has ended waits for no time, and still cancels a run that is accepted late`() {
        var peer = MCPPeer()
        let (call, _) = peer.call("Kitchen_OrderSoup", ["soup": .string("a")])
        #expect(!peer.send(.inputEnded).hasEnd)
        peer.now += MCPServer.exitTimeout
        let end = peer.send(.time)
        #expect(end.hasEnd && !end.waitsForTime)
        peer.now += .seconds(1)
        let later = peer.send(.time)
        #expect(!later.hasEnd && !later.waitsForTime)
        let accepted = peer.send(.accepted(call, MCPPeer.run))
        #expect(accepted.cancelled == [MCPPeer.run] && !accepted.waitsForTime)
    }

    @Test func `a result that is too long is shortened, and contains the URI of the complete text`() throws {
        var peer = MCPPeer()
        _ = peer.begin("Kitchen_OrderSoup", ["soup": .string("a")])
        let long = String(repeating: "ä", count: ToolResult.textByteLimit)
        let answer = peer.send(MCPPeer.end(.done(value: .string(long), dialog: nil)))
        let text = try #require(answer.text)
        #expect(text.utf8.count < ToolResult.textByteLimit + 200)
        #expect(text.hasSuffix("the complete text: intent-run://\(MCPPeer.run)/value]"))
        #expect(answer.result?["structuredContent"]?.object?["value"] == nil)
    }

    @Test func `text of an app cannot control a terminal or escape its block`() throws {
        var peer = MCPPeer()
        _ = peer.begin("Kitchen_OrderSoup", ["soup": .string("a")])
        let evil = "\u{1b}]0;x\u{7}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\u{202e}"
        let actions = peer.send(MCPPeer.end(.done(value: .string(evil), dialog: evil)))
        let text = try #require(actions.text)
        #expect(!text.unicodeScalars.contains { $0.value == 0x1b || $0.value == 0x202e })
        guard case .send(let message) = try #require(actions.first) else { return }
        #expect(!message.text().contains("\n"))
    }

    @Test func `the next intent and the undo are reported with the names of their tools`() {
        var peer = MCPPeer()
        _ = peer.begin("Kitchen_OrderSoup", ["soup": .string("a")])
        let details = RunDetails(
            opens: IntentReference(intent: "Clean", values: [:]),
            undo: UndoOffer(name: "Order", intent: IntentReference(intent: "Clean", values: [:]))
        )
        let structured = peer.send(MCPPeer.end(.done(value: nil, dialog: nil), details: details)).result?[
            "structuredContent"
        ]
        #expect(structured?.object?["next"] == ["tool": "Kitchen_Clean", "arguments": [:]])
        let undo: JSONValue = ["tool": "intent_undo", "arguments": ["run": .string(MCPPeer.run.text)]]
        #expect(structured?.object?["undo"] == undo)
    }

    @Test func `a failed call names the connection that the sandbox refused`() throws {
        var peer = MCPPeer()
        _ = peer.begin("Kitchen_OrderSoup", ["soup": .string("a")])
        var denial = SandboxDenial(subject: .network, key: "AllowHosts=tracker.example:443")
        (denial.host, denial.reason, denial.isCertain) = ("tracker.example:443", "AllowHosts= does not grant it", true)
        var details = RunDetails()
        details.denial = denial
        let result = peer.send(MCPPeer.end(.failed(message: "reset"), details: details))
        let sentence = "the run could not connect to tracker.example:443: AllowHosts= does not grant it"
        #expect(result.result?["structuredContent"]?.object?["error"]?.object?["hint"] == .string(sentence))
        #expect(result.text?.contains(sentence) == true)
    }

    @Test func `progress notifications increase, at most ten per second, with a heartbeat every ten seconds`() {
        var peer = MCPPeer()
        peer.initialize()
        _ = peer.begin("Kitchen_OrderSoup", ["soup": .string("a")], progressToken: .int(5), isPlain: true)
        var sent: [(Duration, Double)] = []
        func note(_ actions: [MCPServer.Action]) {
            for message in actions.messages where message["method"] == .string("notifications/progress") {
                let value = message["params"]?.object?["progress"]
                let number: Double =
                    if case .int(let whole)? = value { Double(whole) } else if case .double(let part)? = value {
                        part
                    } else { -1 }
                sent.append((peer.now, number))
            }
        }
        for step in 0..<1000 {
            peer.now = .milliseconds(step * 2)
            let done = Int64(step % 100)
            note(
                peer.send(
                    .run(
                        MCPPeer.run,
                        .progress(
                            ProgressReport(completedUnitCount: done, totalUnitCount: 100, fraction: Double(done) / 100)
                        )
                    )
                )
            )
        }
        for second in 2..<60 {
            peer.now = .seconds(second)
            note(peer.send(.time))
        }
        #expect(sent.count > 15)
        for (earlier, later) in zip(sent, sent.dropFirst()) {
            #expect(later.1 > earlier.1)
            #expect(later.0 - earlier.0 >= .milliseconds(100) && later.0 - earlier.0 <= .seconds(11))
        }
    }

    @Test func `if the client can poll, long work becomes a task immediately, and other work after two seconds`() {
        var peer = MCPPeer()
        let long = peer.begin("Kitchen_Clean", capabilities: Self.tasks).actions
        #expect(long.result?["resultType"] == .string("task") && long.result?["taskId"] == .string(MCPPeer.run.text))
        let (id, _) = peer.call("Kitchen_OrderSoup", ["soup": .string("a")], capabilities: Self.tasks)
        let other = RunID(randomBits: 2)
        #expect(peer.send(.accepted(id, other)).messages.isEmpty)
        peer.now = MCPServer.taskDelay
        #expect(peer.send(.time).result?["taskId"] == .string(other.text))
        // The result is part of the state of the task.
        #expect(
            peer.request("tasks/get", ["taskId": .string(MCPPeer.run.text)], capabilities: Self.tasks).actions.result?[
                "status"
            ] == .string("working")
        )
        _ = peer.send(MCPPeer.end(.done(value: nil, dialog: "Clean.")))
        peer.request("tasks/get", ["taskId": .string(MCPPeer.run.text)], capabilities: Self.tasks)
        let end = peer.send(MCPPeer.end(.done(value: nil, dialog: "Clean."))).result
        #expect(
            end?["status"] == .string("completed")
                && end?["result"]?.object?["structuredContent"]?.object?["dialog"] == .string("Clean.")
        )
        #expect(peer.request("tasks/get", ["taskId": .string(MCPPeer.run.text)]).actions.errorCode == .int(-32021))
        #expect(
            peer.request("tasks/get", ["taskId": .string("x")], capabilities: Self.tasks).actions.errorCode
                == .int(-32602)
        )
    }
}
