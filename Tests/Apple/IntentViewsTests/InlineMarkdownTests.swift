import Testing

@testable import IntentViews

/// The removal of Markdown. `ViewShapeTests` shows the syntax.
@Suite struct InlineMarkdownTests {
    /// Before each delimiter had a search of its own, these took minutes.
    @Test(arguments: ["[", "*a ", "_a ", "`", "~~a ", "**a ", "[a](", "\\[", "__a *b _c ~~d `e [f"])
    func `many delimiters without a counterpart remain`(_ text: String) {
        let count = 20_000
        let plain = InlineMarkdown.plainText(String(repeating: text, count: count) + ".")
        let isCode = text == "`" || text.utf8.contains(UInt8(ascii: "`"))
        if !isCode, text != "\\[" {
            #expect(plain.utf8.count == text.utf8.count * count + 1)
        }
        #expect(plain.utf8.last == UInt8(ascii: "."))
    }

    @Test(arguments: [
        ("**a *b* c** *d", "a b c *d"), ("[a *b*](x) [c](y", "a b [c](y"), ("*a *b*", "*a b"), ("`a*` *b*", "a* b"),
        ("a ]( [b](c) [d](e)", "a ]( b d"), ("[a] [b](c)", "a] [b"), ("~~a~~ ~~b", "a ~~b"), ("*a ** b*", "*a ** b*"),
    ])
    func `a delimiter belongs to the next counterpart`(_ text: String, _ plain: String) {
        #expect(InlineMarkdown.plainText(text) == plain)
    }
}
