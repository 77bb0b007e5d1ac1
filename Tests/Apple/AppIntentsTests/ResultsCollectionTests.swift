import AppIntents
import Testing

/// Tests lists and sections as results of a provider.
@Suite struct ResultsCollectionTests {
    private func values<Results: ResultsCollection<String>>(of results: Results) -> [String] { results.items }

    @Test func `lists and sections provide their values, and an empty collection provides none`() {
        let sections = IntentItemCollection<String>(
            promptLabel: "Which?",
            sections: [
                IntentItemSection(items: [IntentItem("a", title: "A")]), IntentItemSection("More", items: ["b", "c"]),
            ]
        )
        #expect(values(of: sections) == ["a", "b", "c"])
        #expect(values(of: ["x", "y"]) == ["x", "y"])
        #expect(values(of: [String].empty).isEmpty)
        #expect(values(of: IntentItemCollection<String>.empty).isEmpty)
        #expect(["x"].promptLabel == nil)
        #expect(sections.promptLabel != nil)
    }
}
