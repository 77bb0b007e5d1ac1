import IntentLauncherMessages
import IntentLinux
import TestSupport
import Testing

/// Tests the snippets that a worker reports for the views of an app.
@Suite(.ownThread) struct ViewTests {
    private static func stock(_ count: Int64) -> SnippetElement {
        var style = SnippetStyle()
        style.alignment = .leading
        style.isPadded = true
        var title = SnippetStyle()
        title.font = .headline
        title.foreground = .primary
        let action = IntentReference(
            intent: "TakeFromStock",
            values: ["shelf": .string("upper"), "count": .int(count)]
        )
        let label = [SnippetElement(.symbol("minus.circle")), SnippetElement(.text("Take one"))]
        let control = SnippetElement(
            .control(SnippetControl(action: action)),
            [SnippetElement(.stack(.horizontal), label)]
        )
        return SnippetElement(
            .stack(.vertical),
            style: style,
            [SnippetElement(.text("upper"), style: title), SnippetElement(.text("\(count) left")), control]
        )
    }

    private let shelf: [String: IntentValue] = ["shelf": .string("upper")]

    @Test func `a confirmation and the result after it show their views`() throws {
        let worker = try AppProcess.performing("ShowStock", of: "CompileShapes5", shelf)
        let question = try worker.question()
        #expect(question.text == "Show it?")
        #expect(question.acceptLabel == "View")
        #expect(question.snippet == Snippet(root: Self.stock(3)))
        try worker.send(.answer(question: question.number, value: .bool(true)))
        let result = try worker.result().result
        #expect(result.ending == .returned(value: .int(3), dialog: "There are 3."))
        #expect(result.details?.snippet == Snippet(root: Self.stock(3)))
        #expect(try worker.acknowledge() == 0)
    }

    @Test func `a snippet intent is performed for its view, and refreshes it`() throws {
        let values = shelf.merging(["count": .int(3)]) { $1 }
        let record = try AppProcess.run("TakeFromStock", of: "CompileShapes5", values)
        let source = IntentReference(
            intent: "ShowStockSnippet",
            values: ["shelf": .string("upper"), "count": .int(2)]
        )
        #expect(record.result.details?.snippet == Snippet(root: Self.stock(2), source: source))
        // A client performs the source, and the result can be refreshed in the same way.
        let refreshed = try AppProcess.run(source.intent, of: "CompileShapes5", source.values)
        #expect(refreshed.result.details?.snippet == record.result.details?.snippet)
    }

    @Test func `a choice shows its view, and the result opens another intent`() throws {
        let worker = try AppProcess.performing("ChooseShelf", of: "CompileShapes5")
        let question = try worker.question()
        #expect(question.snippet == Snippet(root: SnippetElement(.symbol("books.vertical"))))
        try worker.send(.answer(question: question.number, value: .string("1")))
        let details = try #require(try worker.result().result.details)
        #expect(details.snippet?.root.content == .text("Chosen: Upper"))
        #expect(details.opens?.values["shelf"] == .string("upper"))
        #expect(try worker.acknowledge() == 0)
    }
}
