import IntentCommandLine
import IntentProtocol
import Testing

@testable import IntentMCP

/// Tests the names, schemas and hints of apps' tools.
@Suite struct ToolTableTests {
    private static func app(_ name: String, _ intents: [String]) -> AppDescription {
        AppDescription(
            name: name,
            executable: "/\(name)",
            catalog: IntentCatalog(intents: intents.map { IntentDeclaration(name: $0, title: $0) }),
            limits: MCPPeer.limits
        )
    }

    @Test func `names have at most 40 permitted characters, are unique, and are the same each time`() {
        let apps = [
            Self.app(
                "a.b",
                ["Order", "Ordér", String(repeating: "x", count: 100), String(repeating: "x", count: 101)]
            ),
            Self.app("a_b", ["Order", "OrderIntent"]), Self.app("intent_run", ["status"]),
        ]
        let names = ToolTable(apps).tools.map(\.name)
        #expect(Set(names).count == names.count && names.count == RunTool.allCases.count + 7)
        for name in names {
            #expect(name.utf8.count <= ToolName.lengthLimit && name.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil)
        }
        #expect(ToolTable(apps.reversed()).tools.map(\.name) == names)
        #expect(names.contains("a_b_Order"))
        #expect(ToolTable(apps).remarks.count == 6)
    }

    @Test func `only discoverable intents are tools, and each type of entity has one tool to find it`() throws {
        let table = ToolTable([MCPPeer.app])
        #expect(table.tool(named: "Kitchen_Hidden") == nil)
        let find = try #require(table.tool(named: "Kitchen_find_Soup"))
        #expect(find.hints.isReadOnly)
        let order = try #require(table.tool(named: "Kitchen_OrderSoup"))
        #expect(order.description == "Orders soup. Does: Order <soup>.")
        #expect(order.hints.isDestructive)
        #expect(try #require(table.tool(named: "Kitchen_Clean")).hints.isDestructive == false)
    }

    @Test func `every hint is set, and results are objects, as older revisions require`() {
        for tool in ToolTable([MCPPeer.app]).tools.map({ $0.json().object ?? [:] }) {
            let hints = tool["annotations"]?.object ?? [:]
            #expect(Set(hints.keys) == ["title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"])
            #expect(tool["inputSchema"]?.object?["type"] == .string("object"))
            #expect(tool["outputSchema"]?.object?["type"] == .string("object"))
        }
    }

    @Test func `strings of apps are shortened and contain no characters that control a terminal`() throws {
        var app = MCPPeer.app
        app.catalog?.intents[0].summary = "\u{1b}[2J" + String(repeating: "y", count: 5000)
        let order = try #require(ToolTable([app]).tool(named: "Kitchen_OrderSoup"))
        #expect(order.description.count <= Tool.descriptionLimit && !order.description.contains("\u{1b}"))
    }

    @Test func `an app without a catalogue is reported and has no tools`() {
        let broken = AppDescription(
            name: "Broken",
            executable: "/b",
            catalog: nil,
            problem: "it crashed",
            limits: MCPPeer.limits
        )
        let table = ToolTable([broken])
        #expect(table.tools.count == RunTool.allCases.count)
        #expect(table.remarks == ["the app Broken has no tools: it crashed"])
    }

    @Test func `properties are searched by comparisons that the app declares`() throws {
        var parameter = MCPPeer.order.parameters[0]
        parameter.search = PropertySearchDeclaration(
            properties: [
                SearchableProperty(name: "price", comparators: [PropertyComparator(name: "lessThan", type: .double)])
            ],
            sortableBy: ["price"]
        )
        func query(_ json: String) throws(ToolFailure) -> OptionsQuery {
            try FindArguments.query(JSONValue(parsing: Array(json.utf8))?.object ?? [:], about: parameter)
        }
        let cheap = try query(
            #"{"where":[{"property":"price","comparator":"lessThan","values":[3]}],"sort_by":"price","limit":2}"#
        )
        #expect(cheap.search?.comparisons == [.init(property: "price", comparator: "lessThan", values: [.double(3)])])
        #expect(cheap.search?.limit == 2 && cheap.search?.sortedBy == [.init(property: "price")])
        #expect(try query(#"{"text":"to"}"#) == OptionsQuery(parameter: "soup", text: "to"))
        for wrong in [
            #"{"where":[{"property":"size","comparator":"lessThan","values":[3]}]}"#,
            #"{"where":[{"property":"price","comparator":"like","values":[3]}]}"#,
            #"{"where":[{"property":"price","comparator":"lessThan","values":["x"]}]}"#, #"{"text":3}"#, #"{"what":3}"#,
            #"{"text":"a","limit":3}"#, #"{"sort_by":"size"}"#, #"{"sort_by":3}"#, #"{"limit":"2"}"#, #"{"limit":0}"#,
        ] {
            #expect(throws: ToolFailure.self, "\(wrong)") { try query(wrong) }
        }
    }

    @Test(arguments: [
        ("file:///tmp/a%20b", "/tmp/a b"), ("/tmp/a", "/tmp/a"), ("file://localhost/tmp/a", "/tmp/a"),
    ])
    func `files are URIs`(_ text: String, _ path: String) throws {
        let intent = IntentDeclaration(
            name: "I",
            title: "I",
            parameters: [ParameterDeclaration(name: "f", title: "F", type: .file)]
        )
        #expect(try ToolArguments.read(["f": .string(text)], for: intent) == ["f": .path(path)])
    }

    @Test(arguments: ["-", "a", "http://x/y", "file://other/tmp/a", "file:///tmp/%00", ""])
    func `anything other than a file is refused, including standard input`(_ text: String) {
        let intent = IntentDeclaration(
            name: "I",
            title: "I",
            parameters: [ParameterDeclaration(name: "f", title: "F", type: .file)]
        )
        #expect(throws: ToolFailure.self) { try ToolArguments.read(["f": .string(text)], for: intent) }
    }
}
