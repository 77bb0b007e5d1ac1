import IntentCommandLine
import IntentProtocol
import Testing

@testable import IntentMCP

/// Tests what agents and their hosts receive of a snippet.
@Suite struct SnippetTests {
    private static let views: [String: JSONValue] = [
        "extensions": .object([
            ClientCapabilities.viewsExtension: .object(["mimeTypes": .array([.string(SnippetView.mimeType)])])
        ])
    ]

    private static let snippet = Snippet(
        root: SnippetElement(
            .stack(.vertical),
            [
                SnippetElement(.text("Two bowls \u{1B}[2J[9]")),
                SnippetElement(
                    .control(SnippetControl(action: IntentReference(intent: "Clean", values: [:]))),
                    [SnippetElement(.text("Eat"))]
                ),
            ]
        ),
        source: IntentReference(intent: "OrderSoupIntent", values: ["soup": .string("a")])
    )

    private static let soup: [String: JSONValue] = ["soup": .string("a")]

    private func texts(_ actions: [MCPServer.Action]) -> [String] {
        guard case .array(let content)? = actions.result?["content"] else { return [] }
        return content.compactMap { $0.object?["text"]?.text }
    }

    private func ended() -> MCPServer.Event {
        MCPPeer.end(.done(value: .int(7), dialog: "Here."), details: RunDetails(snippet: Self.snippet))
    }

    @Test func `every client receives the snippet as text, with the calls that use it`() {
        var peer = MCPPeer()
        _ = peer.begin("Kitchen_OrderSoup", Self.soup)
        let actions = peer.send(ended())
        #expect(
            texts(actions) == [
                "Here.", "Two bowls \\u{1B}[2J(9)\n[1] Eat",
                #"to press a control, call intent_press with {"control": NUMBER, "run": "\#(MCPPeer.run)"}"#,
                #"to refresh the snippet, call intent_refresh with {"run": "\#(MCPPeer.run)"}"#, "7",
            ]
        )
        #expect(actions.result?["_meta"] == nil)
    }

    @Test func `a host that shows views receives the snippet, its tools name the view, and others see neither`() {
        var peer = MCPPeer()
        _ = peer.begin("Kitchen_OrderSoup", Self.soup, capabilities: Self.views)
        let meta = peer.send(ended()).result?["_meta"]?.object
        #expect(meta?[SnippetView.snippetKey] == JSONValue(Self.snippet).shown)
        #expect(meta?[SnippetView.runKey] == .string(MCPPeer.run.text))
        func views(_ capabilities: [String: JSONValue]) -> [String] {
            var actions = peer.request("tools/list", capabilities: capabilities).actions
            actions += peer.send(.apps([MCPPeer.app]))
            guard case .array(let tools)? = actions.result?["tools"] else { return [] }
            return tools.compactMap { tool in
                tool.object?["_meta"]?.object?["ui"]?.object?["resourceUri"] == .string(SnippetView.uri)
                    ? tool.object?["name"]?.text : nil
            }
        }
        #expect(views(Self.views) == ["intent_run_result", "Kitchen_Clean", "Kitchen_OrderSoup"])
        #expect(views([:]) == [])
        let other: [String: JSONValue] = [
            "extensions": .object([
                ClientCapabilities.viewsExtension: .object(["mimeTypes": .array([.string("text/plain")])])
            ])
        ]
        #expect(views(other) == [])
    }

    @Test func `a view receives the pictures of a snippet by their bytes, up to a limit`() {
        func addresses(_ pictures: [[UInt8]?]) -> [String: JSONValue] {
            SnippetPicture.addresses(
                of: pictures.enumerated().map { index, bytes in
                    let reference = FileReference(index: index, name: "a.png", contentType: "image/png")
                    return ToolResultFile(reference, byteCount: 9, type: "image/png", contents: bytes)
                }
            )
        }
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        #expect(addresses([nil, png]) == ["1": .string("data:image/png;base64,iVBORw0KGgo=")])
        #expect(addresses([[0xFF, 0xD8, 0xFF], Array("GIF89a".utf8), Array("RIFF1234WEBP".utf8)]).count == 3)
        for other in ["<svg onload='alert(1)'/>", "<html>", "RIFF", ""] {
            #expect(addresses([Array(other.utf8)]) == [:])
        }
        let large = png + [UInt8](repeating: 0, count: SnippetPicture.byteLimit - 12)
        #expect(addresses([large, png, Array("GIF8".utf8)]).keys.sorted() == ["0", "2"])
        let meta = SnippetView.meta(Self.snippet, of: MCPPeer.run, [])
        #expect(meta.object?[SnippetView.picturesKey] == nil)
    }

    @Test func `the view is a resource without markup from apps`() throws {
        var peer = MCPPeer()
        let (_, actions) = peer.request("resources/read", ["uri": .string(SnippetView.uri)])
        guard case .array(let contents)? = actions.result?["contents"], let view = contents.first?.object else {
            Issue.record("no contents")
            return
        }
        #expect(view["mimeType"] == .string("text/html;profile=mcp-app"))
        let text = try #require(view["text"]?.text)
        for mark in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "http:", "src="] {
            #expect(!text.contains(mark), "\(mark)")
        }
        #expect(text.contains("ui/initialize") && text.contains(SnippetView.snippetKey))
    }

    @Test func `a control is pressed by its number, and a repeated call with an answer starts no second run`() {
        var peer = MCPPeer()
        let arguments: [String: JSONValue] = ["run": .string(MCPPeer.run.text), "control": .int(2)]
        func pressed(_ actions: [MCPServer.Action]) -> Int? {
            actions.compactMap { if case .press(_, _, let control) = $0 { control } else { nil } }.first
        }
        #expect(pressed(peer.call("intent_press", arguments).actions) == 2)
        let again = peer.call("intent_press", arguments, ["requestState": .string("ticket")]).actions
        #expect(pressed(again) == nil)
        #expect(again.contains { if case .redeem(_, "ticket", _) = $0 { true } else { false } })
        for wrong in [JSONValue.int(0), .string("2"), .int(.min), .null] {
            var arguments = arguments
            arguments["control"] = wrong
            let refused = peer.call("intent_press", arguments).actions
            #expect(pressed(refused) == nil && refused.text?.contains("'control'") == true)
        }
        let refreshed = peer.call("intent_refresh", ["run": .string(MCPPeer.run.text)]).actions
        #expect(refreshed.contains { if case .press(_, MCPPeer.run, nil) = $0 { true } else { false } })
    }

    /// The title of a run contains values of the agent, which could imitate the question.
    @Test func `no title precedes a question for approval, and a title is one line`() throws {
        for number in [0, 1] as [UInt64] {
            let question = Question(number: number, text: "Order it?", type: .bool, kind: .confirmation)
            let form = try #require(Elicitation(question)).request(about: "Move a\n\nAn agent asks", refusal: nil)
            let message = try #require(form.object?["params"]?.object?["message"]?.text)
            let lines = message.lines().map { String($0) }
            #expect(number == 0 ? lines == ["Order it?"] : lines.count == 2 && lines[1] == "Order it?")
        }
    }

    @Test func `a form shows the snippet of its question before the question`() throws {
        var question = Question(number: 1, text: "Order it?", type: .bool, kind: .confirmation)
        question.snippet = Self.snippet
        let form = try #require(Elicitation(question)).request(about: "Order", refusal: nil)
        let message = "Order\nTwo bowls \\u{1B}[2J(9)\n[1] Eat\nOrder it?"
        #expect(form.object?["params"]?.object?["message"] == .string(message))
    }
}
