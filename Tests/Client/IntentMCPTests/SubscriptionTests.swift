import IntentCommandLine
import IntentProtocol
import Testing

@testable import IntentMCP

/// Tests subscriptions to changes of lists (`subscriptions/listen` of revision 2026-07-28).
@Suite struct SubscriptionTests {
    private static let key = "io.modelcontextprotocol/subscriptionId"

    /// Returns a peer that listens to these lists, with the actions of the request.
    private static func listening(_ filter: [String: JSONValue], with apps: [AppDescription]? = [MCPPeer.app])
        -> (peer: MCPPeer, id: RPCID, actions: [MCPServer.Action])
    {
        var peer = MCPPeer()
        let (id, actions) = peer.request("subscriptions/listen", ["notifications": .object(filter)])
        if let apps { _ = peer.send(.apps(apps)) }
        return (peer, id, actions)
    }

    private static var changed: AppDescription {
        var app = MCPPeer.app
        app.catalog?.intents.removeLast(2)
        return app
    }

    @Test(
        arguments: [
            (["toolsListChanged": true], ["toolsListChanged"]),
            (["promptsListChanged": true, "toolsListChanged": false], ["promptsListChanged"]),
            (
                [
                    "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
                    "resourceSubscriptions": ["intent-run://a/value"], "later": true,
                ], ["promptsListChanged", "toolsListChanged"]
            ), ([:], []), (["toolsListChanged": 1], []),
        ] as [([String: JSONValue], [String])]
    )
    func `the first message of a subscription says which notifications will follow`(
        _ filter: [String: JSONValue],
        _ honored: [String]
    ) throws {
        let (_, id, actions) = Self.listening(filter, with: nil)
        let message = try #require(actions.messages.first)
        #expect(actions.messages.count == 1 && message["id"] == nil)
        #expect(message["method"] == "notifications/subscriptions/acknowledged")
        let params = try #require(message["params"]?.object)
        #expect(params["_meta"] == [Self.key: id.json])
        #expect(params["notifications"]?.object?.keys.sorted() == honored)
    }

    @Test func `a change is reported once to each subscription that requested the list`() {
        var (peer, first, _) = Self.listening(["toolsListChanged": true])
        let second = peer.request(
            "subscriptions/listen",
            ["notifications": ["toolsListChanged": true, "promptsListChanged": true]]
        ).id
        #expect(peer.send(.apps([MCPPeer.app])).messages.isEmpty)
        let reported = peer.send(.apps([Self.changed])).messages.map { message in
            "\(message["method"]?.text ?? "") \(message["params"]?.members["_meta"]?.members[Self.key]?.text() ?? "")"
        }
        let (tools, prompts) = ("notifications/tools/list_changed", "notifications/prompts/list_changed")
        #expect(
            reported.sorted()
                == [
                    "\(prompts) \(second.json.text())", "\(tools) \(first.json.text())",
                    "\(tools) \(second.json.text())",
                ]
        )
        #expect(peer.send(.apps([Self.changed])).messages.isEmpty)
    }

    @Test func `the apps are loaded at once and every minute while a client listens, and not after that`() {
        func loads(_ actions: [MCPServer.Action]) -> Bool {
            actions.contains { if case .loadApps = $0 { true } else { false } }
        }
        var (peer, id, actions) = Self.listening(["toolsListChanged": true])
        #expect(loads(actions))
        for minute in 1...3 {
            peer.now = MCPServer.appsInterval * minute
            #expect(loads(peer.send(.time)))
            // A failure to load the apps does not end the subscription.
            _ = peer.send(minute == 2 ? .appsUnavailable(ErrorReport(.stopping, "gone")) : .apps([MCPPeer.app]))
        }
        let cancelled = peer.send(
            line: #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id.json.text())}}"#
        )
        #expect(cancelled.messages.isEmpty)
        peer.now = MCPServer.appsInterval * 4
        _ = peer.send(.time)
        #expect(peer.send(.apps([Self.changed])).messages.isEmpty)
        peer.now = MCPServer.appsInterval * 10
        #expect(!loads(peer.send(.time)))
        #expect(!loads(Self.listening(["resourcesListChanged": true]).actions))
    }

    @Test func `a client that waits for a list is also told that another list has changed`() {
        var (peer, _, _) = Self.listening(["promptsListChanged": true])
        peer.request("tools/list")
        let messages = peer.send(.apps([Self.changed])).messages
        #expect(messages.contains { $0["method"] == "notifications/prompts/list_changed" })
        #expect(messages.contains { $0["result"]?.members["tools"] != nil })
    }

    @Test func `the end of input ends each subscription with a result that names it`() throws {
        var (peer, id, _) = Self.listening(["toolsListChanged": true])
        let result = try #require(peer.send(.inputEnded).result)
        #expect(result["_meta"] == [Self.key: id.json] && result["resultType"] == "complete")
    }

    @Test func `the identifier of a subscription is repeated as the client wrote it`() throws {
        var peer = MCPPeer()
        let identifier = "a\u{202e}b\u{200b}"
        let meta = """
            {"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}
            """
        let line = """
            {"jsonrpc":"2.0","id":"\(identifier)","method":"subscriptions/listen",\
            "params":{"notifications":{"toolsListChanged":true},"_meta":\(meta)}}
            """
        let params = try #require(peer.send(line: line).messages.first?["params"]?.object)
        #expect(params["_meta"] == [Self.key: .string(identifier)])
        _ = peer.send(.apps([MCPPeer.app]))
        let end = try #require(peer.send(.inputEnded).messages.first)
        #expect(end["id"] == .string(identifier))
        #expect(end["result"]?.members["_meta"] == [Self.key: .string(identifier)])
    }

    @Test func `subscriptions need a filter, belong to revision 2026-07-28, and are limited like other requests`() {
        var peer = MCPPeer()
        #expect(peer.request("subscriptions/listen").actions.errorCode == .int(-32602))
        #expect(
            peer.request(plain: "subscriptions/listen", ["notifications": [:]]).actions.errorCode == .int(-32602)
        )
        for _ in 0..<MCPServer.requestLimit { peer.request("subscriptions/listen", ["notifications": [:]]) }
        #expect(peer.request("subscriptions/listen", ["notifications": [:]]).actions.errorCode == .int(-32603))
        var older = MCPPeer()
        older.initialize()
        #expect(
            older.request(plain: "subscriptions/listen", ["notifications": [:]]).actions.errorCode == .int(-32601)
        )
        let capabilities = peer.request("server/discover").actions.result?["capabilities"]?.members
        #expect(capabilities?["tools"] == ["listChanged": true] && capabilities?["prompts"] == ["listChanged": true])
    }
}
