import AppIntents
import SwiftUI

extension ViewShape {
    static let texts: [ViewShape] = [
        ViewShape("a text", "'Soup'") { Text("Soup") },
        ViewShape("a text with values", "'2 bowls at 4.50, 50%'") {
            let (count, price) = (2, "4.50")
            Text("\(count) bowls at \(price), 50%")
        },
        ViewShape("a string is not Markdown", "'**a**'") {
            let name = "**a**"
            Text(name)
        },
        ViewShape("an interpolated string is not Markdown", "'bold **a** snake_case_name'") {
            let name = "**a**"
            Text("**bold** \(name) snake_case_name")
        },
        ViewShape("Markdown", "'bold, italic, code and a link 2 * 3 * 4'") {
            Text("**bold**, _italic_, `code` and [a link](https://example.org) 2 * 3 * 4")
        },
        ViewShape("Markdown beside combining marks", "'\u{301}bold\u{301}, code\u{301} and a link\u{301} *'") {
            Text("**\u{301}bold**\u{301}, `code`\u{301} and [a link](https://example.org)\u{301} \\*")
        },
        ViewShape("a verbatim text", "'a %d _b_'") { Text(verbatim: "a %d _b_") },
        ViewShape("a resource", "'Good day'") { Text(LocalizedStringResource("Good day")) },
        ViewShape("a formatted number", "'3.50'") {
            Text(3.5, format: .number.precision(.fractionLength(2)).locale(Locale(identifier: "en")))
        },
        ViewShape("a specifier", "'1.50 l'") { Text("\(1.5, specifier: "%.2f") l") },
        ViewShape("text styles", "'A' title bold italic struck in:red") {
            Text("A").font(.largeTitle).bold().italic().strikethrough().foregroundColor(.red)
        },
        ViewShape("the innermost font counts", "'A' caption monospaced") {
            Text("A").font(.system(.caption, design: .monospaced)).font(.title)
        },
        ViewShape("font sizes", "vertical\n  'A' title bold\n  'B' body\n  'C' caption") {
            VStack {
                Text("A").font(.system(size: 34, weight: .bold))
                Text("B").font(.system(size: 17))
                Text("C").font(.custom("Helvetica", size: 11))
            }
        },
        ViewShape("joined texts share their style", "'2 × bread' in:blue") {
            (Text("2 × ").bold() + Text("bread")).foregroundStyle(.blue)
        },
        ViewShape(
            "inherited styles",
            "vertical\n  'A' headline in:secondary lines:2\n  'B' caption in:secondary lines:2"
        ) {
            VStack {
                Text("A")
                Text("B").font(.caption)
            }
            .font(.headline)
            .foregroundStyle(.secondary)
            .lineLimit(2)
        },
        ViewShape("a symbol in a text", "horizontal\n  symbol star.fill\n  'Favourite'") {
            Text("\(Image(systemName: "star.fill")) Favourite")
        },
        ViewShape("upper case", "'STATUS' at:center") {
            Text("Status").textCase(.uppercase).multilineTextAlignment(.center)
        },
        ViewShape("a hidden text", "'██████'") { Text("Secret").redacted(reason: .privacy) },
        ViewShape("an empty text", "") { Text("") },
        ViewShape("a timer that has ended", "'0:00'") {
            Text(timerInterval: Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 90))
        },
        ViewShape("a label", "horizontal\n  symbol cart\n  'Cart'") { Label("Cart", systemImage: "cart") },
        ViewShape("label styles", "vertical\n  'Cart'\n  symbol bag") {
            VStack {
                Label("Cart", systemImage: "cart").labelStyle(.titleOnly)
                Label("Bag", systemImage: "bag").labelStyle(.iconOnly)
            }
        },
        ViewShape("a label with views", "horizontal\n  circle in:green\n  'Open' bold") {
            Label {
                Text("Open").fontWeight(.semibold)
            } icon: {
                Circle().fill(.green).frame(width: 8, height: 8)
            }
        },
        ViewShape("a value with its title", "horizontal\n  'Total'\n  spacer\n  '9 €'") {
            LabeledContent("Total", value: "9 €")
        },
    ]
}
