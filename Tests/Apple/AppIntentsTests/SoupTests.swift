import IntentLauncherMessages
import TestSupport
import Testing

/// Tests the example app Soup.
@Suite(.ownThread) struct SoupTests {
    @Test func `an order returns the price and a dialog`() throws {
        let values: [String: IntentValue] = ["soup": .string("tomato"), "quantity": .int(3)]
        let run = try AppProcess.run("OrderSoupIntent", of: "Soup", values)
        #expect(
            run.result.ending
                == .returned(value: .string("13.5"), dialog: "3 × Tomato soup, 13.5 in total.")
        )
    }

    @Test func `an order shows a view with two buttons`() throws {
        let values: [String: IntentValue] = ["soup": .string("tomato"), "quantity": .int(3)]
        let run = try AppProcess.run("OrderSoupIntent", of: "Soup", values)
        let snippet = try #require(run.result.details?.snippet)
        #expect(snippet.source == nil)
        #expect(
            snippet.controls.map(\.action) == [
                IntentReference(intent: "OrderSoupIntent", values: ["soup": .string("tomato"), "quantity": .int(1)]),
                IntentReference(intent: "ListSoupsIntent", values: [:]),
            ]
        )
        #expect(snippet.root.children.count == 4)
        #expect(
            snippet.root.children[2].children.map(\.content) == [.text("3 × Tomato soup"), .spacer, .text("13.5")]
        )
    }

    @Test func `an order without a quantity asks for the quantity`() throws {
        let run = try AppProcess.run("OrderSoupIntent", of: "Soup", ["soup": .string("lentil")])
        #expect(run.result.ending == .needsValue(parameter: "quantity", question: "How many bowls?"))
    }

    @Test func `sold-out soups cannot be ordered, and are not listed`() throws {
        let values: [String: IntentValue] = ["soup": .string("pumpkin"), "quantity": .int(1)]
        let run = try AppProcess.run("OrderSoupIntent", of: "Soup", values)
        #expect(run.message == "Only 0 bowls of Pumpkin soup are left.")
        let list = try AppProcess.run("ListSoupsIntent", of: "Soup")
        #expect(list.value == .array([.string("tomato"), .string("lentil")]))
    }

    @Test func `the catalogue declares the order's soups, range and sentence`() throws {
        let intent = try AppProcess.declaration(of: "OrderSoupIntent", in: "Soup")
        #expect(intent.sentence == "Order ${soup}")
        #expect(intent.result == .decimal)
        #expect(intent.parameters.map(\.name) == ["soup", "quantity"])
        #expect(intent.parameters[0].question == "Which soup?")
        #expect(intent.parameters[1].range == NumberRange(lowerBound: 1, upperBound: 10))
        #expect(!intent.parameters[1].isRequired)
    }
}
