import AppIntents
import Foundation
import IntentSharedTypes
import SwiftUI
import Testing

/// The limits of a snippet while a view is evaluated.
@MainActor @Suite struct SnippetLimitTests {
    /// Returns the snippet of a view, which must be one that clients accept.
    private func accepted(_ view: some View) async throws -> Snippet {
        let made = try #require(try await snippet(view))
        let bytes = WireCoding.encode(made)
        #expect(bytes.count <= Snippet.byteLimit)
        // Encoding makes text stream-safe, so compare the encoded form.
        #expect(try WireCoding.encode(WireCoding.decode(Snippet.self, from: bytes)) == bytes)
        return made
    }

    @Test func `a view that contains itself ends with an ellipsis`() async throws {
        #expect(try await accepted(Mirrors()).root == SnippetElement(.text("…")))
    }

    @Test func `a view that contains itself twice is evaluated for a limited number of times`() async throws {
        #expect(try await accepted(Branches()).root == SnippetElement(.text("…")))
    }

    @Test(arguments: [3, 21, 22, 23, 24, 40, 500])
    func `elements inside each other end with an ellipsis`(count: Int) async throws {
        let made = try await accepted(Boxes(count: count))
        let lines = made.root.outline()
        let isComplete = count + 2 <= Snippet.depthLimit - 2
        #expect(lines.last?.trimmingCharacters(in: .whitespaces) == (isComplete ? "'Bottom'" : "'…'"))
    }

    @Test(arguments: [509, 510, 511, 100_000])
    func `many rows end with an ellipsis`(count: Int) async throws {
        let made = try await accepted(ForEach(0..<count) { Text("\($0)") })
        #expect(made.root.children.count == min(count, 511))
        #expect(made.root.children.last?.content == .text(count <= 510 ? "\(count - 1)" : "…"))
    }

    @Test(arguments: ["a", "é", "\u{1}", "\"", "/", "👩‍👩‍👧"])
    func `long texts end with an ellipsis`(character: String) async throws {
        let text = String(repeating: character, count: 20_000)
        let one = try await accepted(Text(text))
        guard case .text(let shown) = one.root.content else {
            Issue.record("not a text: \(one.root)")
            return
        }
        #expect(shown.utf8.count <= 8 << 10 && shown.hasSuffix("…"))
        let many = try await accepted(ForEach(0..<40) { _ in Text(text).font(.headline).padding() })
        #expect(many.root.children.last?.content == .text("…"))
        #expect(many.root.children.count > 1)
    }

    @Test func `a text of one long character is truncated`() async throws {
        let one = try await accepted(Text("a" + String(repeating: "\u{301}", count: 20_000)))
        guard case .text(let shown) = one.root.content else {
            Issue.record("not a text: \(one.root)")
            return
        }
        #expect((8_000...8 << 10).contains(shown.utf8.count))
    }

    @Test func `a link is shown as text if its address does not fit`() async throws {
        let short = try #require(URL(string: "https://example.org/"))
        let long = try #require(URL(string: "https://example.org/" + String(repeating: "a", count: 5 << 10)))
        let made = try await accepted(
            VStack {
                Link("Short", destination: short)
                Link("Long", destination: long)
            }
        )
        #expect(made.root.children.map(\.content) == [.link("https://example.org/"), .text("Long")])
    }

    @Test func `the label for screen readers of a redacted view is omitted`() async throws {
        let secret = try await accepted(Text("4711").accessibilityLabel("4711").redacted(reason: .privacy))
        #expect(secret.root.style?.accessibilityLabel == nil)
        let shown = try await accepted(
            Text("4711").accessibilityLabel("Number").redacted(reason: .privacy).unredacted()
        )
        #expect(secret.root.content == .text("████") && shown.root.content == .text("████"))
    }

    @Test func `a date without a value is shown`() async throws {
        let noDate = Date(timeIntervalSince1970: .nan)
        _ = try await accepted(
            VStack {
                Text(noDate, style: .timer); Text(noDate, style: .relative)
            }
        )
    }

    @Test func `a style that does not fit is dropped`() async throws {
        // The texts alone fit, but their styles do not.
        let made = try await accepted(
            VStack { ForEach(0..<505) { _ in Text(String(repeating: "a", count: 20)) } }
                .accessibilityLabel("Rows")
        )
        #expect(made.root.children.count > 300)
        let styled = try await accepted(
            ForEach(0..<505) { _ in
                Text(String(repeating: "a", count: 20)).accessibilityLabel(String(repeating: "b", count: 200))
            }
        )
        #expect(styled.root.children.last?.content == .text("…"))
    }

    @Test func `a collection without an end is read up to the limit`() async throws {
        let made = try await accepted(ForEach(0..<Int.max) { _ in Divider() })
        #expect(made.root.children.count == 511)
    }

    @Test func `a value that cannot be sent fails with the name of its parameter`() async throws {
        let file = IntentFile(data: Data("a".utf8), filename: "a.txt")
        let failure = await #expect(throws: (any Error).self) {
            _ = try await snippet(Button("Print", intent: PrintRecipe(recipe: file)))
        }
        #expect(
            failure?.localizedDescription == """
                cannot show a control that performs 'PrintRecipe': its parameter 'recipe' must not contain a file: only an \
                intent's result may contain files
                """
        )
    }
}
