import AppIntents
import AppIntentsTesting
import Foundation
import SwiftUI
import Testing

/// Shows an order, or asks about it with a view.
struct ShowingOrder: AppIntent {
    static let title: LocalizedStringResource = "Show an order"
    @Parameter(title: "Bowls") var bowls: Int
    @Parameter(title: "Asks", default: false) var asks: Bool

    init() {}

    init(bowls: Int, asks: Bool = false) {
        self.bowls = bowls
        self.asks = asks
    }

    func perform() async throws -> some IntentResult & ShowsSnippetView {
        if asks {
            bowls = try await $bowls.requestValue("How many?", view: Text("At most 3 \u{1B}[2J"))
        }
        return .result {
            VStack {
                Text("Bowls: \(bowls)")
                Image(file: IntentFile(data: Data("x".utf8), filename: "soup.png"))
                Button(intent: ShowingOrder(bowls: bowls + 1)) { Label("One more", systemImage: "plus") }
                Toggle("For two", isOn: bowls == 2, intent: ShowingOrder(bowls: 2))
            }
        }
    }
}

@Suite struct SnippetTests {
    @Test func `the end of a run has the lines, pictures and controls that it shows`() async throws {
        try await withIntentRun { run in
            let end = try await run.perform(ShowingOrder(bowls: 1))
            let snippet = try #require(end.snippet)
            #expect(snippet.lines == ["Bowls: 1", "picture soup.png", "[1] + One more", "[2] ☐ For two"])
            #expect("\(snippet)".hasPrefix("Bowls: 1\n"))
            #expect(snippet.pictures == ["soup.png"])
            #expect(snippet.controls.map(\.isOn) == [nil, false])
            #expect(snippet.controls[1].label == "For two")
            #expect(snippet.controls[0].performs.intent == "ShowingOrder")
            #expect(try snippet.controls[0].performs.value(of: "bowls", as: Int.self) == 2)
            #expect(snippet.source == nil)
        }
    }

    @Test func `a question has what it shows, and a run without a view has no snippet`() async throws {
        try await withIntentRun { run in
            async let end = run.perform(ShowingOrder(bowls: 1, asks: true))
            let question = try await run.question()
            #expect(question.text == "How many?")
            #expect(question.snippet?.lines == ["At most 3 \\u{1B}[2J"])
            try run.answer(2)
            #expect(try await end.snippet?.lines.first == "Bowls: 2")
            let plain = AddingLine()
            plain.file = IntentFile(data: Data(), filename: "a.txt")
            #expect(try await run.perform(plain).snippet == nil)
        }
    }
}
