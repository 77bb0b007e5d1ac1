import IntentCommandLine
import IntentProtocol
import Testing

@testable import IntentMCP

/// Tests prompts from App Shortcuts, dry runs, notifications about changed apps, and what a client says about itself.
@Suite struct PromptTests {
    private static let app: AppDescription = {
        var app = MCPPeer.app
        app.catalog?.shortcuts = [
            ShortcutDeclaration(
                intent: "OrderSoupIntent",
                title: "Soup",
                phrases: ["Order ${soup} in ${applicationName}", "Soup"],
                values: ["bowls": .int(2)]
            ),
            ShortcutDeclaration(intent: "OrderSoupIntent", title: nil, phrases: ["More soup"], values: [:]),
            ShortcutDeclaration(intent: "Hidden", title: nil, phrases: ["Hide"], values: [:]),
            ShortcutDeclaration(intent: "Clean", title: nil, phrases: [], values: [:]),
        ]
        return app
    }()

    @Test func `the phrases of shortcuts are prompts, with the values that they name as arguments`() throws {
        var peer = MCPPeer()
        peer.request("prompts/list")
        guard case .array(let prompts)? = peer.send(.apps([Self.app])).result?["prompts"] else {
            Issue.record("no prompts")
            return
        }
        #expect(prompts.map { $0.members["name"] } == ["Kitchen_OrderSoup", "Kitchen_OrderSoup-2"])
        #expect(prompts[0].members["arguments"] == [["name": "soup", "description": "Soup", "required": true]])
        let arguments: JSONValue = ["soup": "lentil\nsoup"]
        let got = peer.request("prompts/get", ["name": "Kitchen_OrderSoup", "arguments": arguments]).actions.result
        guard case .array(let messages)? = got?["messages"] else {
            Issue.record("no message")
            return
        }
        let text = #"Order lentil\nsoup in Kitchen"# + "\n(Use the tool Kitchen_OrderSoup with {\"bowls\":2}.)"
        #expect(messages[0].members["content"]?.members["text"] == .string(text))
        #expect(peer.request("prompts/get", ["name": "Kitchen_OrderSoup"]).actions.errorCode == .int(-32602))
        #expect(peer.request("prompts/get", ["name": "Kitchen_Clean"]).actions.errorCode == .int(-32602))
    }

    @Test func `a dry run performs nothing, and says what would be asked and approved`() throws {
        var app = MCPPeer.app
        app.catalog?.intents[0].details = IntentDetails()
        app.catalog?.intents[0].details?.needsApproval = true
        app.catalog?.intents[0].parameters[1].question = "How many bowls?"
        var peer = MCPPeer()
        peer.request("tools/list")
        _ = peer.send(.apps([app]))
        let actions = peer.call("Kitchen_OrderSoup", ["soup": "a", "dryRun": true]).actions
        #expect(actions.performed == nil)
        let value = actions.result?["structuredContent"]?.members["value"]?.members
        #expect(value?["needsApproval"] == true && value?["mayAskFor"] == ["bowls"] && value?["effect"] == "changes")
        #expect(peer.call("Kitchen_OrderSoup", ["dryRun": true]).actions.state == "refused")
        #expect(peer.call("Kitchen_OrderSoup", ["soup": "a", "dryRun": 1]).actions.state == "refused")
        #expect(peer.call("Kitchen_OrderSoup", ["soup": "a", "dryRun": false]).actions.performed != nil)
        // What only reads has no dry run, and a parameter of that name is the app's.
        app.catalog?.intents[0].details?.effect = .reads
        app.catalog?.intents[1].parameters = [ParameterDeclaration(name: "dryRun", title: "Dry", type: .bool)]
        peer.request("tools/list")
        _ = peer.send(.apps([app]))
        #expect(peer.call("Kitchen_OrderSoup", ["soup": "a", "dryRun": true]).actions.state == "refused")
        #expect(peer.call("Kitchen_Clean", ["dryRun": true]).actions.performed != nil)
    }

    @Test func `a client with a handshake is told when the tools have changed, and only then`() {
        var peer = MCPPeer()
        peer.initialize()
        peer.request(plain: "tools/list", [:])
        _ = peer.send(.apps([MCPPeer.app]))
        var app = MCPPeer.app
        func loads(_ actions: [MCPServer.Action]) -> Bool {
            actions.contains { if case .loadApps = $0 { true } else { false } }
        }
        for (minute, changes) in [(1, false), (2, true), (3, false)] {
            peer.now = MCPServer.appsInterval * minute - .seconds(1)
            #expect(!loads(peer.send(.time)))
            peer.now = MCPServer.appsInterval * minute
            #expect(loads(peer.send(.time)))
            if changes { app.catalog?.intents.removeLast(2) }
            let methods = peer.send(.apps([app])).messages.compactMap { $0["method"]?.text }
            #expect(
                methods == (changes ? ["notifications/tools/list_changed", "notifications/prompts/list_changed"] : [])
            )
        }
        peer.now = MCPServer.appsInterval * 4
        _ = peer.send(.time)
        #expect(peer.send(.appsUnavailable(ErrorReport(.stopping, "gone"))).messages.isEmpty)
        peer.now = MCPServer.appsInterval * 5
        #expect(loads(peer.send(.time)))
        var modern = MCPPeer()
        modern.request("tools/list")
        _ = modern.send(.apps([MCPPeer.app]))
        modern.now = .seconds(3600)
        #expect(!loads(modern.send(.time)))
    }

    @Test(
        arguments: [
            (#""clientInfo":{"name":"codex","version":"0.60"}"#, "codex 0.60"), (#""a":1"#, nil),
            (#""clientInfo":[]"#, nil),
            (
                #""_meta":{"io.modelcontextprotocol/clientInfo":{"name":"x"},"dev.intentd/model":"m","dev.intentd/session":"7"}"#,
                "x, model m, session 7"
            ),
            (#""clientInfo":{"name":"a\nb\u202e","version":""}"#, #"a\nb\u{202E}"#),
            (#""clientInfo":{"name":"0123456789012345678901234567890"}"#, "012345678901234567890123…"),
        ] as [(String, String?)]
    )
    func `what a client says about itself is one short line`(_ params: String, _ claims: String?) {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{\#(params)}}"#
        #expect(ClientClaims.text(in: Array(line.utf8)) == claims)
        #expect(ClientClaims.text(in: Array("nonsense".utf8)) == nil)
    }
}
