import IntentClient
import IntentCommandLine
import IntentLinux
import Testing

/// Tests the rendering of snippets as text.
@Suite struct SnippetTextTests {
    private typealias Element = SnippetElement

    private func text(_ text: String, _ change: (inout SnippetStyle) -> Void = { _ in }) -> SnippetElement {
        var style = SnippetStyle()
        change(&style)
        return SnippetElement(.text(text), style: style == SnippetStyle() ? nil : style)
    }

    private func button(_ label: String, isOn: Bool? = nil, isDestructive: Bool? = nil) -> SnippetElement {
        let action = IntentReference(intent: "OrderSoup", values: [:])
        return Element(
            .control(SnippetControl(action: action, isOn: isOn, isDestructive: isDestructive)),
            [text(label)]
        )
    }

    private func lines(_ root: SnippetElement, columns: Int = 40) -> [String] {
        SnippetText.lines(Snippet(root: root), columns: columns, .none)
    }

    /// An order, as an app for a kitchen shows it.
    private var order: SnippetElement {
        Element(
            .stack(.vertical),
            [
                Element(
                    .stack(.horizontal),
                    [
                        Element(.symbol("cart.fill")), text("Your order") { $0.font = .headline }, Element(.spacer),
                        text("9:41"),
                    ]
                ),
                Element(.divider),
                Element(
                    .grid,
                    [
                        Element(.row, [text("Lentil soup"), text("2"), text("12.00 €") { $0.alignment = .trailing }]),
                        Element(.row, [text("汤"), text("10"), text("5.50 €") { $0.alignment = .trailing }]),
                    ]
                ),
                Element(.progress(0.4), [text("Cooking")]),
                Element(
                    .section,
                    [
                        Element(.header, [text("Change")]),
                        button("One more bowl"),
                        button("Spicy", isOn: true),
                        button("Cancel the order", isDestructive: true),
                        Element(.footer, [text("Free until 10:00")]),
                    ]
                ),
                Element(.link("https://soup.example/menu"), [text("Menu")]),
            ]
        )
    }

    @Test func `an order is shown with its parts, and its controls have numbers`() {
        let expected = """
            🛒 Your order                       9:41
            ────────────────────────────────────────
            Lentil soup  2   12.00 €
            汤           10   5.50 €
            Cooking
            ████████░░░░░░░░░░░░ 40 %
            ┌─ Change ─────────────┐
            │ [1] One more bowl    │
            │ [2] ☑ Spicy          │
            │ [3] Cancel the order │
            │ Free until 10:00     │
            └──────────────────────┘
            Menu <https://soup.example/menu>
            """
        #expect(lines(order).joined(separator: "\n") == expected)
    }

    @Test func `colours and styles are escape sequences, which text without colours lacks`() {
        let styled = Element(
            .stack(.horizontal),
            [
                text("title") { $0.font = .title }, text("small") { $0.font = .caption },
                text("red") { $0.foreground = .red }, button("Go"), button("Stop", isDestructive: true),
            ]
        )
        #expect(
            SnippetText.lines(Snippet(root: styled), columns: 60, .ansi) == [
                "\u{1B}[1mtitle\u{1B}[0m \u{1B}[2msmall\u{1B}[0m \u{1B}[31mred\u{1B}[0m \u{1B}[36m[1] Go\u{1B}[0m "
                    + "\u{1B}[31m[2] Stop\u{1B}[0m"
            ]
        )
        #expect(lines(styled, columns: 60) == ["title small red [1] Go [2] Stop"])
    }

    @Test(arguments: [1, 2, 7, 15, 16, 40, 80])
    func `no line is wider than the terminal, except by a single wide character`(_ columns: Int) {
        for line in lines(order, columns: columns) {
            // The number of a control is never cut.
            #expect(DisplayWidth.of(line) <= max(columns, 8), "\(line)")
        }
    }

    @Test func `a text is wrapped at words, and its line limit ends with an ellipsis`() {
        #expect(lines(text("one two three four"), columns: 9) == ["one two", "three", "four"])
        #expect(lines(text("one two three four") { $0.lineLimit = 2 }, columns: 9) == ["one two", "three…"])
        #expect(lines(text("汤汤汤"), columns: 4) == ["汤汤", "汤"])
    }

    @Test func `elements that do not fit beside each other are wrapped or stacked`() {
        let beside = Element(.stack(.horizontal), [text("Name"), text("a long description of the soup")])
        #expect(lines(beside, columns: 24) == ["Name a long description", "     of the soup"])
        #expect(lines(beside, columns: 14) == ["Name", "a long", "description of", "the soup"])
    }

    @Test(arguments: [
        ("[1]\u{301} a", "(1)\u{301} a"), ("[\u{301}1] a", "(\u{301}1) a"), ("[1\u{301}] a", "(1\u{301}) a"),
        ("[[2]", "[(2)"), ("[\u{301}]", "[\u{301}]"), ("[1", "[1"),
    ])
    func `a combining mark hides no imitation of a control`(_ label: String, _ shown: String) {
        #expect(lines(text(label)).map { Array($0.utf8) } == [Array(shown.utf8)])
    }

    @Test func `a word is broken only before a scalar with a width`() {
        #expect(lines(text("ae\u{301}o\u{308}u"), columns: 2) == ["ae\u{301}", "o\u{308}u"])
    }

    @Test func `a text controls neither the terminal nor the reading order, and imitates no control`() {
        let hostile = Element(
            .stack(.vertical),
            [
                text("\u{1B}[2J\u{07}x\u{202E}y"), text("[1] Order [ 2 ] [a] [12"), button("[7] \u{1B}]0;t\u{07}"),
                Element(.link("https://a.example/\u{202E}"), [text("b.example")]),
                Element(.symbol("\u{1B}[31m")), Element(.unknown("\u{1B}"), [text("later")]),
                Element(.image(FileReference(index: 0, name: "a\u{1B}[2Jb"))),
            ]
        )
        for colors in [SnippetText.Colors.none, .ansi] {
            let all = SnippetText.lines(Snippet(root: hostile), columns: 80, colors)
            let plain = all.map {
                $0.replacing("\u{1B}[36m", with: "").replacing("\u{1B}[4m", with: "").replacing("\u{1B}[0m", with: "")
            }
            #expect(
                plain == [
                    #"\u{1B}[2J\u{07}x\u{202E}y"#, "(1) Order ( 2 ) [a] [12", #"[1] (7) \u{1B}]0;t\u{07}"#,
                    #"b.example <https://a.example/\u{202E}>"#, "•", "later", #"picture a\u{1B}[2Jb"#,
                ]
            )
        }
    }

    @Test func `a control in the label of a control has no number`() {
        var outer = button("outer")
        outer.children.append(button("inner"))
        let both = Element(.stack(.vertical), [outer, button("next")])
        #expect(Snippet(root: both).controls.count == 2)
        #expect(lines(both) == ["[1] outer", "    inner", "[2] next"])
    }

    @Test func `a deep, wide or long tree is rendered within the limits`() {
        var deep = text(String(repeating: "x ", count: 20_000))
        for level in 1..<Snippet.depthLimit {
            deep = Element([.section, .stack(.horizontal), .stack(.vertical), .grid][level % 4], [deep])
        }
        #expect(lines(deep, columns: 80).count <= SnippetText.lineLimit + 1)
        let wide = Element(.stack(.horizontal), Array(repeating: text("x"), count: Snippet.elementLimit - 1))
        #expect(lines(wide, columns: 80).last == "… (\(Snippet.elementLimit - 1 - SnippetText.lineLimit) more lines)")
        for fraction in [-1, 2, .nan, .infinity] {
            #expect(lines(Element(.progress(fraction))).count == 1)
        }
        #expect(lines(Element(.stack(.vertical))) == [])
        #expect(lines(Element(.progress(nil))) == ["░░░░░░░░░░░░░░░░░░░░ …"])
    }

    @Test func `a symbol is shown by the character of the longest known part of its name`() {
        #expect(lines(Element(.symbol("checkmark.circle.fill"))) == ["✓"])
        #expect(lines(Element(.symbol("arrow.up.right.square"))) == ["↗"])
        var label = SnippetStyle()
        label.accessibilityLabel = "Kettle"
        #expect(lines(Element(.symbol("kettle"), style: label)) == ["Kettle"])
    }
}
