import IntentCommandLine
import IntentCommands
import IntentProtocol
import Testing

/// Tests the client's side of the Model Context Protocol, without a server.
@Suite struct ServerConnectionTests {
    typealias Action = ServerConnection.Action

    /// A connection, and the messages that it has sent.
    struct Peer {
        var connection = ServerConnection(software: "1.0", roots: ["/srv/a b"])
        var sent: [JSONValue] = []

        init(at now: Int64 = 0) {
            let actions = connection.begin(at: now)
            _ = note(actions)
        }

        /// Keeps the sent messages, and returns the other actions.
        mutating func note(_ actions: [Action]) -> [Action] {
            actions.filter { action in
                guard case .send(let bytes) = action else { return true }
                sent += JSONValue(parsing: Array(bytes.dropLast())).map { [$0] } ?? []
                return false
            }
        }

        mutating func hear(_ text: String) -> [Action] { note(connection.received(Array(text.utf8))) }

        mutating func answer(_ result: String) -> [Action] {
            hear(#"{"jsonrpc":"2.0","id":\#(sent.count),"result":\#(result)}"#)
        }

        mutating func refuse() -> [Action] {
            hear(#"{"jsonrpc":"2.0","id":\#(sent.count),"error":{"code":-32601,"message":"Method not found"}}"#)
        }

        /// The method of the newest message.
        var method: String? { if case .string(let text)? = sent.last?.members["method"] { text } else { nil } }

        /// A member of the newest message's parameters.
        func parameter(_ name: String) -> JSONValue? { sent.last?.members["params"]?.members[name] }
    }

    static let discovery = #"{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}"#
    static let tool = #"{"name":"t","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}"#

    /// Returns a connection of revision 2026-07-28 that knows the tool `t`.
    static func ready(_ tool: String = tool) -> Peer {
        var peer = Peer()
        _ = peer.answer(discovery)
        _ = peer.answer(#"{"tools":[\#(tool)]}"#)
        return peer
    }

    private func fault(_ actions: [Action]) -> ToolFault? {
        if case .failed(let fault)? = actions.first { fault } else { nil }
    }

    @Test func `a server of the newest revision is asked for its tools without a handshake`() throws {
        var peer = Peer()
        #expect(peer.method == "server/discover")
        #expect(
            peer.parameter("_meta")?.members["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
        )
        #expect(peer.answer(Self.discovery) == [])
        #expect(peer.method == "tools/list")
        // The empty string is a valid cursor.
        #expect(peer.answer(#"{"tools":[],"nextCursor":""}"#) == [])
        #expect(peer.parameter("cursor") == "")
        let actions = peer.answer(#"{"tools":[\#(Self.tool)]}"#)
        guard case .listed(let tools)? = actions.first else { Issue.record("\(actions)"); return }
        #expect(tools.tools.map(\.declaration.name) == ["t"])
    }

    @Test func `a server of an earlier revision receives the handshake after any error`() {
        var peer = Peer()
        #expect(peer.refuse() == [])
        #expect(peer.method == "initialize")
        #expect(peer.parameter("_meta") == nil)
        #expect(peer.answer(#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}}}"#) == [])
        #expect(peer.sent.map { $0.members["method"] }.suffix(2) == ["notifications/initialized", "tools/list"])
    }

    @Test func `a server that is silent receives the handshake, and one that ended is started again`() {
        var silent = Peer(at: 5)
        #expect(silent.connection.nextDelay(at: 5) == 3_000_000_000)
        #expect(silent.note(silent.connection.timePassed(at: 6)) == [])
        #expect(silent.method == "server/discover")
        #expect(silent.note(silent.connection.timePassed(at: 3_000_000_005)) == [])
        #expect(silent.method == "initialize")
        // The server was only slow: what it answers first decides.
        #expect(silent.hear(#"{"jsonrpc":"2.0","id":1,"result":\#(Self.discovery)}"#) == [])
        #expect(silent.method == "tools/list")
        #expect(silent.hear(#"{"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"too late"}}"#) == [])

        var ended = Peer()
        #expect(ended.connection.ended("it exited") == [.restart])
        #expect(ended.note(ended.connection.begin(usesHandshake: true, at: 0)) == [])
        #expect(ended.method == "initialize")
        #expect(fault(ended.connection.ended("it exited"))?.message.contains("it exited") == true)
    }

    @Test func `a connection that has failed before the first answer sends nothing more`() {
        var peer = Peer(at: 5)
        #expect(fault(peer.hear("{"))?.code == .server)
        #expect(peer.connection.nextDelay(at: 6) == nil)
        #expect(peer.connection.timePassed(at: 4_000_000_000) == [])
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","id":99,"result":{}}"#, #"{"jsonrpc":"2.0","id":"1","result":{}}"#,
        #"{"jsonrpc":"2.0","id":2,"result":[]}"#, #"{"jsonrpc":"2.0","id":2}"#,
        #"{"jsonrpc":"1.0","id":2,"result":{}}"#,
        #"{"jsonrpc":"2.0","id":2,"result":{},"result":{}}"#, #"{"id":2,"#, #"{"jsonrpc":"2.0","method":5}"#,
        #"{"jsonrpc":"2.0","method":"x","params":[]}"#, #"{"jsonrpc":"2.0","id":2.5,"method":"ping"}"#,
        #"{"jsonrpc":"2.0","id":2,"result":{"tools":5}}"#,
    ])
    func `a message that no server may send ends the connection`(line: String) {
        var peer = Peer()
        _ = peer.answer(Self.discovery)
        #expect(fault(peer.hear(line))?.code == .server, "\(line)")
        #expect(peer.connection.isEnded)
        #expect(peer.hear(#"{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}"#) == [])
    }

    @Test func `an answer that arrives twice ends the connection`() {
        var peer = Self.ready()
        #expect(fault(peer.hear(#"{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}"#))?.code == .server)
    }

    @Test func `noise is output up to a limit, and bytes that are no text end the connection`() {
        var peer = Peer()
        #expect(peer.hear("Listening…") == [.log("Listening…")])
        #expect(peer.hear("  ") == [])
        for _ in 0..<999 { _ = peer.hear("noise") }
        #expect(fault(peer.hear("noise"))?.message.contains("1000 lines") == true)
        var other = Peer()
        let line = Array(#"{"jsonrpc":"2.0","id":1,"result":{"a":""#.utf8) + [0xFF] + Array("\"}}".utf8)
        #expect(fault(other.connection.received(line))?.message.contains("UTF-8") == true)
    }

    @Test func `deep, endless and numerous descriptions are refused`() {
        var deep = Peer()
        _ = deep.answer(Self.discovery)
        let nested = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        #expect(fault(deep.answer(#"{"tools":\#(nested)}"#))?.message.contains("nesting") == true)
        var endless = Peer()
        _ = endless.answer(Self.discovery)
        for _ in 0..<64 { #expect(endless.answer(#"{"tools":[],"nextCursor":"x"}"#) == []) }
        #expect(fault(endless.answer(#"{"tools":[],"nextCursor":"x"}"#))?.message.contains("64 pages") == true)
        var many = Peer()
        _ = many.answer(Self.discovery)
        let tools = (0..<600).map { #"{"name":"t\#($0)"}"# }.joined(separator: ",")
        #expect(fault(many.answer(#"{"tools":[\#(tools)]}"#))?.message.contains("512 tools") == true)
    }

    @Test func `a tool is called only in the version that was described`() {
        var peer = Self.ready()
        #expect(peer.note(peer.connection.call(ToolCall(intent: "t", version: nil, values: ["n": .int(4)]))) == [])
        #expect(peer.method == "tools/call")
        #expect(peer.parameter("arguments") == ["n": 4])
        #expect(peer.parameter("_meta")?.members["progressToken"] == 3)
        for version in ["0", ""] {
            var other = Self.ready()
            let actions = other.connection.call(ToolCall(intent: "t", version: version, values: [:]))
            #expect(fault(actions)?.code == .changed)
        }
        var absent = Self.ready()
        #expect(fault(absent.connection.call(ToolCall(intent: "u", version: nil, values: [:])))?.code == .changed)
        #expect(absent.sent.count == 2)
    }

    @Test func `tools that change before the call are listed again`() {
        var peer = Self.ready()
        #expect(peer.hear(#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#) == [])
        _ = peer.note(peer.connection.call(ToolCall(intent: "t", version: nil, values: [:])))
        #expect(peer.method == "tools/list")
        _ = peer.answer(#"{"tools":[\#(Self.tool)]}"#)
        #expect(peer.method == "tools/call")
    }

    @Test func `progress counts only for the call and only if it rises`() {
        var peer = Self.ready()
        _ = peer.note(peer.connection.call(ToolCall(intent: "t", version: nil, values: [:])))
        func report(_ token: String, _ progress: String) -> String {
            #"{"jsonrpc":"2.0","method":"notifications/progress","#
                + #""params":{"progressToken":\#(token),"progress":\#(progress),"total":4}}"#
        }
        let actions = peer.hear(report("3", "1"))
        guard case .progress(let progress)? = actions.first else { Issue.record("\(actions)"); return }
        #expect(progress.report == ProgressReport(completedUnitCount: 2500, totalUnitCount: 10_000, fraction: 0.25))
        for (token, value) in [("3", "1"), ("3", "0.5"), ("4", "3"), ("\"3\"", "3"), ("3", "\"3\"")] {
            #expect(peer.hear(report(token, value)) == [], "\(token) \(value)")
        }
    }

    @Test func `a cancellation names the call and the reason, and later messages are ignored`() {
        var peer = Self.ready()
        _ = peer.note(peer.connection.call(ToolCall(intent: "t", version: nil, values: [:])))
        #expect(peer.note(peer.connection.cancel("timeout")) == [])
        #expect(peer.method == "notifications/cancelled")
        #expect(peer.sent.last?.members["params"] == ["requestId": 3, "reason": "timeout"])
        #expect(peer.hear(#"{"jsonrpc":"2.0","id":3,"result":{"content":[]}}"#) == [])
    }

    @Test func `roots are answered, and sampling and unknown requests are refused`() {
        var peer = Self.ready()
        #expect(peer.hear(#"{"jsonrpc":"2.0","id":"r","method":"roots/list"}"#) == [])
        #expect(peer.sent.last?.members["result"] == ["roots": [["uri": "file:///srv/a%20b", "name": "/srv/a b"]]])
        for method in ["sampling/createMessage", "x/y"] {
            #expect(peer.hear(#"{"jsonrpc":"2.0","id":8,"method":"\#(method)","params":{}}"#) == [])
            #expect(peer.sent.last?.members["error"]?.members["code"] == -32601)
        }
        #expect(peer.hear(#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#) == [])
        #expect(peer.sent.last?.members["result"] == [:])
    }

    @Test func `the forms of a call are asked in order, and the call is repeated with the answers`() {
        var peer = Self.ready()
        _ = peer.note(peer.connection.call(ToolCall(intent: "t", version: nil, values: ["n": .int(4)])))
        let schema = #"{"type":"object","properties":{}}"#
        let form = #"{"method":"elicitation/create","params":{"message":"Sure?","requestedSchema":\#(schema)}}"#
        let requests = #"{"a":\#(form),"b":{"method":"roots/list"}}"#
        let actions = peer.answer(
            #"{"resultType":"input_required","requestState":"s","inputRequests":\#(requests)}"#
        )
        guard case .ask(var asked)? = actions.first else { Issue.record("\(actions)"); return }
        #expect(asked.question?.text == "Sure?" && asked.question?.kind == .confirmation)
        let reply = asked.reply(.bool(true))
        #expect(reply == ["action": "accept", "content": [:]])
        #expect(peer.note(peer.connection.answered(reply ?? [:])) == [])
        #expect(peer.method == "tools/call")
        #expect(peer.parameter("requestState") == "s")
        #expect(peer.parameter("arguments") == ["n": 4])
        #expect(peer.parameter("inputResponses")?.members["a"] == ["action": "accept", "content": [:]])
        #expect(peer.parameter("inputResponses")?.members["b"]?.members["roots"] != nil)
        let sampling = #"{"a":{"method":"sampling/createMessage","params":{}}}"#
        let refused = peer.answer(#"{"resultType":"input_required","inputRequests":\#(sampling)}"#)
        #expect(fault(refused)?.message.contains("sampling/createMessage") == true)
    }

    /// The inputs of a machine that reads text of other parties.
    @Test func `no line brings the connection to a stop of the program`() {
        var random = SystemRandomNumberGenerator()
        let parts = [
            #"{"jsonrpc":"2.0","#, #""id":1,"#, #""id":3,"#, #""method":"tools/list","#,
            #""method":"notifications/progress","#, #""method":"elicitation/create","#, #""params":{"#,
            #""result":{"#, #""tools":["#, #""content":[{"type":"text"}],"#, #""structuredContent":{"#, "}", "]", "\"",
            "\\", "null", "1e999", "-", #""resultType":"input_required","#,
            #""inputRequests":{"a":5}"#, "\u{202E}", "{",
        ]
        for _ in 0..<2000 {
            var peer = Self.ready()
            if Bool.random(using: &random) {
                _ = peer.note(peer.connection.call(ToolCall(intent: "t", version: nil, values: [:])))
            }
            for _ in 0..<4 {
                let count = Int.random(in: 1...8, using: &random)
                let line = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }
                _ = peer.hear("{" + line.joined())
                _ = peer.hear(line.joined())
            }
        }
    }
}
