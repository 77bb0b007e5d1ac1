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
        // The intents Order and OrderIntent have the same short name, so neither has it.
        #expect(!names.contains("a_b_Order"))
        #expect(ToolTable(apps).remarks.count == 7)
    }

    /// The app and the intent of each tool, by the tool's name.
    private static func intents(_ apps: [AppDescription]) -> [String: String] {
        let named = ToolTable(apps).tools.compactMap { tool -> (String, String)? in
            switch tool.action {
            case .perform(let app, let intent): (tool.name, "perform \(app.name)/\(intent.name)")
            case .find(let app, let intent, let parameter):
                (tool.name, "find \(app.name)/\(intent.name) \(parameter.name)")
            case .runTool, .indexTool: nil
            }
        }
        return Dictionary(uniqueKeysWithValues: named)
    }

    @Test func `no app takes the name of another app's tool, for all pairs`() throws {
        var apps = [
            Self.app("Mail", ["Box_Send", "Box", "Box_find_Soup", "Box_options_Send_to", "SendIntent", "Send"]),
            Self.app("Mail_Box", ["Send", "SendIntent", "find_Soup"]), Self.app("Mail.Box", ["Send"]),
            Self.app("Mail_Box_Send", ["x"]), Self.app("intent_run", ["status", "result"]),
            Self.app("intent", ["undo", "run_status"]),
            Self.app(String(repeating: "x", count: 30), [String(repeating: "y", count: 30)]),
            Self.app(String(repeating: "x", count: 30) + "_y", [String(repeating: "y", count: 28)]),
            Self.app("mail_box", ["send", "Find_soup"]), Self.app("Intent", ["UNDO", "Undo"]),
        ]
        let soup = EntityType(name: "Soup", title: "Soup")
        apps[1].catalog?.intents[0].parameters = ["soup", "to"].map { name in
            var parameter = ParameterDeclaration(
                name: name,
                title: name,
                type: name == "soup" ? .entity(soup) : .string
            )
            parameter.hasOptions = true
            return parameter
        }
        // An app can choose an intent's name so that its tool equals the changed name of another app's tool.
        let changed = Self.intents([apps[0], apps[1]]).first { $0.value == "perform Mail_Box/Send" }
        let hash = try #require(changed?.key.split(separator: "_").last)
        #expect(changed?.key == "Mail_Box_Send_\(hash)")
        apps[3] = Self.app("Mail_Box_Send", ["x", String(hash)])
        for (index, first) in apps.enumerated() {
            let alone = Self.intents([first])
            for second in apps[index...].dropFirst() {
                let (other, both) = (Self.intents([second]), Self.intents([second, first]))
                #expect(both == Self.intents([first, second]))
                #expect(Set(both.values) == Set(alone.values).union(other.values), "\(first.name) \(second.name)")
                for (name, meaning) in both {
                    // A name that one app's tool has on its own is never the name of the other app's tool.
                    #expect(alone[name] ?? meaning == meaning, "\(name)")
                    #expect(other[name] ?? meaning == meaning, "\(name)")
                    #expect(RunTool(rawValue: name.lowercased()) == nil)
                }
                // A framework that writes names in lower case does not confuse two tools.
                #expect(Set(both.keys.map { $0.lowercased() }).count == both.count)
            }
        }
        let all = Self.intents(apps)
        #expect(all.count == apps.reduce(0) { $0 + Self.intents([$1]).count })
        #expect(all["Mail_Box_Send"] == nil && all["Mail_Box_find_Soup"] == nil)
    }

    @Test func `only discoverable intents are tools, and each type of entity has one tool to find it`() throws {
        let table = ToolTable([MCPPeer.app])
        #expect(table.tool(named: "Kitchen_Hidden") == nil)
        let find = try #require(table.tool(named: "Kitchen_find_Soup"))
        #expect(find.hints.isReadOnly)
        let order = try #require(table.tool(named: "Kitchen_OrderSoup"))
        #expect(order.description == "Orders soup. Does: Order <soup>. Changes data.")
        #expect(order.hints.isDestructive)
        #expect(try #require(table.tool(named: "Kitchen_Clean")).hints.isDestructive == false)
    }

    @Test func `an intent that its author has not described has a description, with its effect and its parameters`() {
        func description(_ change: (inout IntentDeclaration) -> Void) -> String? {
            var app = MCPPeer.app
            app.catalog?.intents[0].summary = nil
            app.catalog?.intents[0].sentence = nil
            app.catalog?.intents[0].details = IntentDetails()
            change(&app.catalog!.intents[0])
            return ToolTable([app]).tool(named: "Kitchen_OrderSoup")?.description
        }
        #expect(description { _ in } == "Order soup. Takes: Soup (soup), Bowls (bowls). Changes data.")
        #expect(
            description {
                $0.details?.effect = .reads; $0.parameters = []
            } == "Order soup. Only reads data."
        )
        let undoable = description {
            $0.details?.effect = .destroys
            $0.details?.protocols = ["UndoableIntent"]
            $0.details?.needsApproval = true
            $0.summary = "Discards soup."
        }
        let words = "Discards soup. Deletes or overwrites data, which can be undone. A person must approve each call."
        #expect(undoable == words)
    }

    @Test func `a parameter, and the error for a wrong identifier, name the tool that finds its values`() throws {
        let table = ToolTable([MCPPeer.app])
        let order = try #require(table.tool(named: "Kitchen_OrderSoup"))
        let soup = order.inputSchema.members["properties"]?.members["soup"]?.members["description"]
        #expect(soup == "the id of a Soup; find it with Kitchen_find_Soup")
        var peer = MCPPeer()
        _ = peer.begin("Kitchen_OrderSoup", ["soup": "x"])
        let reason = "'soup' does not identify any Soup: the id 'x' was not found"
        let end = RunEnd(run: MCPPeer.run, outcome: .failed(message: reason), account: RunAccount())
        let failed = peer.send(.ended(EndedRun(end, reason: reason, files: []))).result
        let hint = failed?["structuredContent"]?.members["error"]?.members["hint"]
        #expect(hint == "find values of 'soup' with Kitchen_find_Soup")
    }

    @Test(
        arguments: [
            ([], false), ([("Network", "yes")], true), ([("Network", "no")], false),
            ([("AllowHosts", "a.example:443")], true),
            ([("Sockets", "/run/x")], true), ([("ReadPaths", "/srv")], false), (nil, true),
        ] as [([(String, String)]?, Bool)]
    )
    func `a tool reaches the open world only if the sandbox permits it`(
        _ settings: [(String, String)]?,
        _ isOpen: Bool
    ) throws {
        var app = MCPPeer.app
        app.settings = settings?.map { SettingInEffect("Sandbox", $0, value: $1, source: "f:1") }
        #expect(try #require(ToolTable([app]).tool(named: "Kitchen_Clean")).hints.isOpenWorld == isOpen)
        app.isolation = Isolation(grade: .none, parts: [])
        #expect(try #require(ToolTable([app]).tool(named: "Kitchen_Clean")).hints.isOpenWorld)
    }

    @Test(arguments: [
        ("Intent Clean", "a.example:443", true), ("Intent Clean", "none", false), ("Intent Other", "none", true),
    ])
    func `the hosts of an intent decide for its tool`(_ section: String, _ hosts: String, _ isOpen: Bool) throws {
        var app = MCPPeer.app
        let isOpenApp = section == "Intent Other" || !isOpen
        app.settings =
            (isOpenApp ? [SettingInEffect("Sandbox", "AllowHosts", value: "b.example:443", source: "f:1")] : [])
            + [SettingInEffect(section, "AllowHosts", value: hosts, source: "f:2")]
        #expect(try #require(ToolTable([app]).tool(named: "Kitchen_Clean")).hints.isOpenWorld == isOpen)
    }

    @Test func `every hint is set, and results are objects, as revisions with a handshake require`() {
        for tool in ToolTable([MCPPeer.app]).tools.map({ $0.json().object ?? [:] }) {
            let hints = tool["annotations"]?.object ?? [:]
            #expect(Set(hints.keys) == ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"])
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
