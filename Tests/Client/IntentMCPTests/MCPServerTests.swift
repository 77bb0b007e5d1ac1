import IntentCommandLine
import IntentProtocol
import Testing

@testable import IntentMCP

/// Tests handshakes, eras and malformed messages.
@Suite struct MCPServerTests {
    @Test(arguments: [
        ("nonsense", -32700), ("[]", -32600), ("3", -32600), (#"{"id":1,"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600), (#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":3}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, -32601),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#, -32602),
    ])
    func `a malformed message is answered with the matching error code`(_ line: String, _ code: Int64) {
        var peer = MCPPeer()
        #expect(peer.send(line: line).errorCode == .int(code))
    }

    @Test func `an error for a message without a readable id has no id, as the schema requires`() {
        var peer = MCPPeer()
        #expect(peer.send(line: "nonsense").messages[0]["id"] == nil)
        #expect(peer.send(line: #"{"id":"a","method":"ping"}"#).messages[0]["id"] == .string("a"))
    }

    @Test(
        arguments: [
            (#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"\ud800"}}"#, .int(7)),
            (#"{"params":{"id":3,"a":"\udc00\"}","b":["id"]},"id" : "q" ,"jsonrpc":"2.0","method":"x"}"#, .string("q")),
            (#"{"jsonrpc":"2.0","id":7,"method":"\ud800","id":8}"#, nil), (#"{"id":7"#, .int(7)),
            (#"{"id":{},"a":"\ud800"}"#, nil),
            (#"[{"id":7,"a":"\ud800"}]"#, nil), (#"{"id":"\ud800"}"#, nil), (#"{"id":"#, nil), (#""id":7\"#, nil),
        ] as [(String, JSONValue?)]
    )
    func `a line that cannot be decoded is answered with the identifier of its request`(
        _ line: String,
        _ id: JSONValue?
    ) {
        var peer = MCPPeer()
        let answer = peer.send(line: line)
        #expect(answer.errorCode == .int(-32700) && answer.messages[0]["id"] == id)
        var bytes = Array(line.replacing("\\ud800", with: "X").utf8)
        for index in bytes.indices where bytes[index] == UInt8(ascii: "X") { bytes[index] = 0xFF }
        #expect(peer.send(.line(bytes)).messages[0]["id"] == id)
    }

    @Test func `params that are null are absent`() {
        var peer = MCPPeer()
        peer.initialize()
        #expect(peer.send(line: #"{"jsonrpc":"2.0","id":3,"method":"ping","params":null}"#).result == [:])
    }

    @Test func `notifications and unexpected responses are not answered`() {
        var peer = MCPPeer()
        for line in [
            #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, #"{"jsonrpc":"2.0","method":"no/such"}"#,
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#,
            #"{"jsonrpc":"2.0","id":7,"result":{}}"#, #"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":""}}"#,
        ] {
            #expect(peer.send(line: line).isEmpty)
        }
    }

    @Test(arguments: ["2025-11-25", "2025-06-18"])
    func `the handshake agrees on the client's revision`(_ version: String) {
        var peer = MCPPeer()
        let greeting = peer.request(plain: "initialize", ["protocolVersion": .string(version)])
        #expect(greeting.actions.result?["protocolVersion"] == .string(version))
        #expect(peer.request(plain: "ping", [:]).actions.result == [:])
        #expect(
            peer.request(plain: "initialize", ["protocolVersion": .string(version)]).actions.errorCode == .int(-32600)
        )
    }

    @Test(arguments: ["2024-11-05", "2025-03-26", "1999-01-01"])
    func `an unsupported revision is answered with the newest one that has a handshake`(_ version: String) {
        var peer = MCPPeer()
        let greeting = peer.request(plain: "initialize", ["protocolVersion": .string(version)])
        #expect(greeting.actions.result?["protocolVersion"] == .string("2025-11-25"))
    }

    @Test func `each request of a revision without handshake is self-contained`() {
        var peer = MCPPeer()
        let discovery = peer.request("server/discover").actions.result
        #expect(discovery?["resultType"] == .string("complete"))
        #expect(discovery?["supportedVersions"] != nil)
        let params: [String: JSONValue] = [
            "_meta": .object(["io.modelcontextprotocol/protocolVersion": .string("2030-01-01")])
        ]
        #expect(peer.request(plain: "tools/list", params).actions.errorCode == .int(-32022))
        let undeclared: [String: JSONValue] = [
            "_meta": .object(["io.modelcontextprotocol/protocolVersion": .string("2026-07-28")])
        ]
        #expect(peer.request(plain: "tools/list", undeclared).actions.errorCode == .int(-32602))
    }

    @Test func `the list of tools comes from the currently installed apps, in pages`() {
        var peer = MCPPeer()
        let first = peer.request("tools/list").actions
        #expect(first.messages.isEmpty)
        var result = peer.send(.apps([MCPPeer.app])).result
        #expect(result?["ttlMs"] != nil && result?["cacheScope"] == .string("private"))
        peer.request("tools/list")
        var many = MCPPeer.app
        many.catalog = IntentCatalog(intents: (0..<1050).map { IntentDeclaration(name: "I\($0)", title: "I") })
        result = peer.send(.apps([many])).result
        guard case .array(let tools)? = result?["tools"] else {
            Issue.record("no tools")
            return
        }
        #expect(tools.count == 1000 && result?["nextCursor"] == .string("1000"))
        // The next page comes from the same catalogue.
        result = peer.request("tools/list", ["cursor": .string("1000")]).actions.result
        guard case .array(let rest)? = result?["tools"] else {
            Issue.record("no tools")
            return
        }
        #expect(rest.count == 50 + RunTool.allCases.count && result?["nextCursor"] == nil)
        #expect(peer.request("tools/list", ["cursor": .string("x")]).actions.errorCode == .int(-32602))
        var other = MCPPeer()
        other.request("tools/list", ["cursor": .string("1000")])
        #expect(other.send(.apps([many])).result?["nextCursor"] == nil)
    }

    @Test func `a call of a tool that another session has loaded is performed at once, and only such a call`() {
        func loads(_ method: String, _ params: [String: JSONValue]) -> Bool {
            var peer = MCPPeer(recent: ToolTable([MCPPeer.app]))
            return peer.request(method, params).actions.contains { if case .loadApps = $0 { true } else { false } }
        }
        #expect(!loads("tools/call", ["name": "Kitchen_Clean"]))
        #expect(loads("tools/call", ["name": "Kitchen_Added"]))
        #expect(loads("tools/list", [:]))
        var peer = MCPPeer(recent: ToolTable([MCPPeer.app]))
        let (_, actions) = peer.request("tools/call", ["name": "Kitchen_Clean"])
        #expect(actions.contains { if case .perform = $0 { true } else { false } })
    }

    @Test func `an unavailable intentd is an internal error`() {
        var peer = MCPPeer()
        peer.request("tools/list")
        #expect(peer.send(.appsUnavailable(ErrorReport(.stopping, "gone"))).errorCode == .int(-32603))
    }
}
