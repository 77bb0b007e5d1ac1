import IntentCommandLine
import IntentProtocol
import Testing

@testable import IntentMCP

/// Tests which tools a server offers: patterns, tools that only read, and search.
@Suite struct ToolFilterTests {
    private static func app(_ name: String, _ count: Int) -> AppDescription {
        var app = MCPPeer.app
        app.name = name
        app.catalog = IntentCatalog(
            intents: (0..<count).map { number in
                var intent = MCPPeer.order
                intent.name = "Order\(number)"
                intent.title = "Order soup number \(number)"
                intent.details = IntentDetails()
                intent.details?.effect = number.isMultiple(of: 2) ? .reads : .changes
                return intent
            }
        )
        return app
    }

    private static func names(_ change: (inout ToolFilter) -> Void) -> [String] {
        var filter = ToolFilter()
        change(&filter)
        return ToolTable([app("Kitchen", 2), app("Bar", 1), MCPPeer.app], filter).tools.filter(\.isOfApp).map(\.name)
    }

    @Test(
        arguments: [
            (["Bar/*"], ["Bar_Order0", "Bar_find_Soup"]), (["Kitchen/Clean"], ["Kitchen_Clean"]),
            (["*/Cl*n", "Bar/Order1"], ["Kitchen_Clean"]),
            (["Kitchen/OrderSoup"], ["Kitchen_OrderSoup", "Kitchen_find_Soup"]),
            (["Kitchen/OrderSoupIntent"], ["Kitchen_OrderSoup", "Kitchen_find_Soup"]), (["Clean"], []), (["*C*C*"], []),
            (["Kitchen"], []), ([""], []), (["Kitchen/Clean*Clean"], []),
        ]
    )
    func `patterns choose the intents, and the tools that find their values`(_ patterns: [String], _ tools: [String]) {
        var filter = ToolFilter()
        filter.patterns = patterns
        let table = ToolTable([Self.app("Bar", 1), MCPPeer.app], filter)
        #expect(table.tools.filter(\.isOfApp).map(\.name).sorted() == tools.sorted(), "\(patterns)")
    }

    @Test func `with tools that only read, nothing that changes data can be called`() {
        var filter = ToolFilter()
        filter.readsOnly = true
        let table = ToolTable([Self.app("Bar", 100)], filter)
        #expect(table.tools.count == 50 + 1 + 4 && table.tools.allSatisfy(\.hints.isReadOnly))
        var peer = MCPPeer(filter: filter)
        for name in ["Kitchen_OrderSoup", "Kitchen_Clean", "intent_undo", "intent_press", "intent_call"] {
            let called = peer.call(name, ["tool": "Kitchen_Clean"]).actions
            #expect(called.errorCode == .int(-32602) && called.performed == nil, "\(name)")
        }
        #expect(!filter.permits(MCPPeer.clean, of: "Kitchen"))
    }

    @Test func `three tools search, describe and call many tools, and a call does not differ from a direct call`()
        throws
    {
        var filter = ToolFilter()
        filter.searches = true
        var peer = MCPPeer(filter: filter)
        peer.request("tools/list")
        let few = peer.send(.apps([MCPPeer.app])).result?["tools"]
        guard case .array(let few)? = few else { throw Missing() }
        #expect(
            few.contains { $0.members["name"] == "Kitchen_Clean" }
                && few.allSatisfy { $0.members["name"] != "intent_call" }
        )
        peer.request("tools/list")
        guard case .array(let listed)? = peer.send(.apps([Self.app("Bar", 100), MCPPeer.app])).result?["tools"] else {
            throw Missing()
        }
        let names = listed.compactMap { $0.members["name"]?.text }
        #expect(Set(names) == Set(RunTool.allCases.map(\.rawValue) + IndexTool.allCases.map(\.rawValue)))
        let found = peer.call("intent_search", ["query": "clean the Kitchen"]).actions.result?["structuredContent"]
        guard case .array(let tools)? = found?.members["value"] else { throw Missing() }
        #expect(tools.first?.members["tool"] == "Kitchen_Clean" && tools.count <= 10)
        let described = peer.call("intent_describe", ["tool": "Bar_Order7"]).actions.result?["structuredContent"]
        #expect(described?.members["value"]?.members["arguments"]?.members["properties"]?.members["bowls"] != nil)
        let arguments: [String: JSONValue] = ["soup": "a"]
        let (id, called) = peer.call("intent_call", ["tool": "Kitchen_OrderSoup", "arguments": .object(arguments)])
        let (other, direct) = peer.call("Kitchen_OrderSoup", arguments)
        var request = try #require(called.performed)
        request.request = try #require(direct.performed).request
        #expect(request == direct.performed && request.entryPoint == .mcp)
        func digest(_ id: RPCID) -> String? {
            guard case .call(let tool, let digest, _)? = peer.server.open[id]?.purpose else { return nil }
            return "\(tool) \(digest)"
        }
        #expect(digest(id) != nil && digest(id) == digest(other))
        for wrong in ["Kitchen_OrderSop", "intent_undo", "intent_call", ""] {
            let refused = peer.call("intent_call", ["tool": .string(wrong)]).actions
            #expect(refused.performed == nil && refused.state == "refused", "\(wrong)")
        }
    }

    @Test func `a pattern that matches no intent is reported to the person who registers the server`() {
        var filter = ToolFilter()
        filter.patterns = ["Kitchen/*", "kitchen/clean", "Kitchen", "", "*b*a*r*/*"]
        let remarks = ToolTable([MCPPeer.app], filter).remarks
        #expect(remarks == ["kitchen/clean", "Kitchen", "", "*b*a*r*/*"].map { "--only '\($0)' matches no intent" })
    }

    @Test func `a query of many words is refused, because each is compared with each tool`() {
        var filter = ToolFilter()
        filter.searches = true
        var peer = MCPPeer(filter: filter)
        peer.request("tools/list")
        _ = peer.send(.apps([Self.app("Bar", 100)]))
        #expect(
            peer.call("intent_search", ["query": .string(String(repeating: "a ", count: 500))]).actions.state == "done"
        )
        let refused = peer.call("intent_search", ["query": .string(String(repeating: "a ", count: 501))]).actions
        #expect(refused.text == "'query': expected at most 1000 bytes")
        #expect(peer.call("intent_search", ["query": ["a"]]).actions.state == "refused")
    }

    private struct Missing: Error {}

    @Test func `six hundred tools take one page, and fewer than ninety tokens each`() throws {
        var peer = MCPPeer()
        peer.request("tools/list")
        let result = peer.send(.apps([Self.app("Bar", 600)])).result
        guard case .array(let tools)? = result?["tools"] else { throw Missing() }
        #expect(tools.count == 600 + 1 + RunTool.allCases.count && result?["nextCursor"] == nil)
        // What a host forwards to a model. About four characters are a token.
        let characters = tools.reduce(0) { sum, tool in
            sum + ["name", "description", "inputSchema"].reduce(0) { $0 + (tool.members[$1]?.text().count ?? 0) }
        }
        #expect(characters / 4 < 90 * tools.count, "\(characters / 4) tokens")
        var searching = ToolFilter()
        searching.searches = true
        let few = ToolTable([Self.app("Bar", 600)], searching).entries.reduce(0) { $0 + $1.text.count }
        #expect(few / 4 < 2_800, "\(few / 4) tokens")
    }
}
