import IntentCommandLine
import IntentLinux
import IntentProtocol
import Testing

@testable import IntentMCP

/// Tests the text that the server passes to a model and a person.
struct ShownTextTests {
    /// Tags, which spell hidden words, with an escape sequence and a bidirectional override.
    private static let hostile = "a\u{E0041}\u{E0042}\u{1B}[31m\u{202E}\u{200B}\u{2800}b"
    private static let shown = #"a\u{E0041}\u{E0042}\u{1B}[31m\u{202E}\u{200B}\u{2800}b"#

    /// Returns all strings of a message, with the names of members.
    private static func strings(in json: JSONValue) -> [String] {
        switch json {
        case .null, .bool, .int, .double: []
        case .string(let text): [text]
        case .array(let values): values.flatMap(strings)
        case .object(let members): members.flatMap { [$0] + strings(in: $1) }
        }
    }

    private static func expectVisible(_ actions: [MCPServer.Action]) {
        for message in actions.messages {
            for text in strings(in: .object(message)) where !SafeText.data(text).utf8.elementsEqual(text.utf8) {
                Issue.record("\(text.debugDescription)")
            }
        }
    }

    @Test func `no result contains an invisible character, in its text or in its structured content`() throws {
        var peer = MCPPeer()
        _ = peer.begin("Kitchen_OrderSoup", ["soup": .string("a")])
        let value = IntentValue.object([
            Self.hostile: .array([.string(Self.hostile), .string("line\nline\tend\u{1F44D}\u{1F3FD}")])
        ])
        var details = RunDetails()
        details.supportingDialog = Self.hostile
        let actions = peer.send(MCPPeer.end(.done(value: value, dialog: Self.hostile), details: details))
        Self.expectVisible(actions)
        let structured = try #require(actions.result?["structuredContent"]?.members)
        #expect(structured["dialog"] == .string(Self.shown))
        #expect(
            structured["value"]
                == .object([
                    Self.shown: .array([.string(Self.shown), .string("line\nline\tend\u{1F44D}\u{1F3FD}")])
                ])
        )
        #expect(actions.text == Self.shown)
    }

    @Test func `no list contains an invisible character of a catalogue`() throws {
        var peer = MCPPeer()
        var app = MCPPeer.app
        app.catalog?.intents[0].title = Self.hostile
        app.catalog?.intents[0].summary = Self.hostile
        app.catalog?.intents[0].parameters[0].title = Self.hostile
        app.catalog?.intents[0].parameters[0].summary = Self.hostile
        app.catalog?.intents[0].parameters[1].type = .enumeration([
            EnumerationCase(value: Self.hostile, title: Self.hostile)
        ])
        app.catalog?.intents[0].parameters[1].defaultValue = .string(Self.hostile)
        peer.request("tools/list")
        let listed = peer.send(.apps([app]))
        #expect(listed.result?["tools"] != nil)
        Self.expectVisible(listed)
        peer.request("resources/templates/list")
        Self.expectVisible(peer.send(.apps([app])))
    }

    @Test func `errors, questions and progress contain no invisible character, and identifiers of the client remain`() {
        var peer = MCPPeer()
        peer.initialize(["elicitation": .object([:])])
        let hostile = JSONValue.string(Self.hostile)
        let error = peer.send(line: JSONValue.object(["jsonrpc": "2.0", "id": hostile, "method": hostile]).text())
        #expect(error.messages.first?["id"] == .string(Self.hostile))
        #expect(error.messages.first?["error"]?.members["message"]?.text?.contains(Self.shown) == true)
        _ = peer.begin("Kitchen_OrderSoup", ["soup": .string("a")], progressToken: .string(Self.hostile), isPlain: true)
        peer.now = .seconds(11)
        let report = ProgressReport(completedUnitCount: 1, totalUnitCount: 2, fraction: 0.5, title: Self.hostile)
        let progress = peer.send(.run(MCPPeer.run, .progress(report)))
        #expect(progress.messages.first?["params"]?.members["progressToken"] == .string(Self.hostile))
        #expect(progress.messages.first?["params"]?.members["message"]?.text?.hasSuffix("; \(Self.shown)") == true)
        let question = Question(number: 1, text: "Order \(Self.hostile)?\nyes", type: .bool, kind: .confirmation)
        let asked = peer.send(.run(MCPPeer.run, .question(OpenQuestion(question, remaining: .seconds(60)))))
        let message = "Kitchen/OrderSoupIntent\nOrder \(Self.shown)?\nyes"
        #expect(asked.messages.first?["params"]?.members["message"] == .string(message))
    }

    @Test func `a file with an invisible character is passed as bytes`() {
        let contents = ToolResult.resource("u", Array(Self.hostile.utf8), nil)
        #expect(contents.members["text"] == nil && contents.members["blob"] != nil)
        #expect(ToolResult.resource("u", Array("a\n\u{1F44D}".utf8), nil).members["text"] == .string("a\n\u{1F44D}"))
    }
}
