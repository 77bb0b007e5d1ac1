import IntentLauncherMessages
import Testing

@Suite struct SnippetMessageTests {
    private static func decode(_ json: String) throws -> Snippet {
        try WireCoding.decode(Snippet.self, from: Array(json.utf8))
    }

    private static let text = #"{"kind":"text","text":"a"}"#

    private static let golden = #"""
        {"elements":[{"axis":"vertical","children":5,"kind":"stack"},{"kind":"text","style":{"font":"title"},"text":"Soup"},\#
        {"file":{"index":0,"name":"a.png"},"kind":"image"},{"fraction":0.5,"kind":"progress"},\#
        {"action":{"intent":"Spice","values":{"isOn":false}},"children":1,"isOn":true,"kind":"control"},\#
        {"kind":"text","text":"Spicy"},{"kind":"divider"}],"source":{"intent":"ShowOrder","values":{}}}
        """#

    @Test func `a snippet is a flat list in JSON`() throws {
        var style = SnippetStyle()
        style.font = .title
        let action = IntentReference(intent: "Spice", values: ["isOn": .bool(false)])
        let snippet = Snippet(
            root: SnippetElement(
                .stack(.vertical),
                [
                    SnippetElement(.text("Soup"), style: style),
                    SnippetElement(.image(FileReference(index: 0, name: "a.png"))),
                    SnippetElement(.progress(0.5)),
                    SnippetElement(
                        .control(SnippetControl(action: action, isOn: true)),
                        [SnippetElement(.text("Spicy"))]
                    ),
                    SnippetElement(.divider),
                ]
            ),
            source: IntentReference(intent: "ShowOrder", values: [:])
        )
        #expect(String(decoding: WireCoding.encode(snippet), as: UTF8.self) == Self.golden)
        #expect(try Self.decode(Self.golden) == snippet)
    }

    @Test(
        arguments: [
            #"{"elements":[]}"#,
            #"{"elements":[{"kind":"row","children":2},\#(text)]}"#,
            #"{"elements":[\#(text),\#(text)]}"#,
            #"{"elements":[{"kind":"row","children":-1}]}"#,
            #"{"elements":[{"kind":"row","children":9223372036854775807},\#(text)]}"#,
            #"{"elements":[{"kind":"progress","fraction":1e999}]}"#,
            #"{"elements":[{"kind":"stack","axis":"sideways"}]}"#,
            #"{"elements":[{"kind":"control"}]}"#,
            #"{"elements":[{"kind":"image","file":{"index":-1,"name":"x"}}]}"#,
        ]
    )
    func `a list that forms no tree, and an element without its content, are refused`(_ json: String) {
        #expect(throws: WireError.self) { try Self.decode(json) }
    }

    @Test func `a tree beyond the limits is refused, and one at the limits is not`() throws {
        func deep(_ depth: Int) -> String {
            let row = #"{"kind":"row","children":1},"#
            return #"{"elements":[\#(String(repeating: row, count: depth - 1))\#(Self.text)]}"#
        }
        func wide(_ count: Int) -> String {
            let texts = Array(repeating: Self.text, count: count - 1).joined(separator: ",")
            return #"{"elements":[{"kind":"grid","children":\#(count - 1)},\#(texts)]}"#
        }
        _ = try Self.decode(deep(Snippet.depthLimit))
        #expect(throws: WireError.self) { try Self.decode(deep(Snippet.depthLimit + 1)) }
        _ = try Self.decode(wide(Snippet.elementLimit))
        #expect(throws: WireError.self) { try Self.decode(wide(Snippet.elementLimit + 1)) }
    }

    @Test func `an element of a later release keeps its children`() throws {
        let snippet = try Self.decode(#"{"elements":[{"kind":"chart","children":1,"points":3},\#(Self.text)]}"#)
        #expect(snippet.root.content == .unknown("chart"))
        #expect(snippet.root.children == [SnippetElement(.text("a"))])
    }
}
