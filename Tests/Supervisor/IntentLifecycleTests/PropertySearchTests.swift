import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Searches for options by properties. An unsupported search is refused before any process starts.
@Suite struct PropertySearchTests {
    private static let genres: ValueType = .enumeration([
        EnumerationCase(value: "novel", title: "Novel"), EnumerationCase(value: "poem", title: "Poem"),
    ])

    private static let intent = IntentDeclaration(
        name: "ShowBook",
        title: "Show Book",
        parameters: [
            ParameterDeclaration(
                name: "book",
                title: "Book",
                type: .entity(EntityType(name: "Book", title: "Book")),
                hasOptions: true,
                search: PropertySearchDeclaration(
                    properties: [
                        SearchableProperty(
                            name: "title",
                            comparators: [PropertyComparator(name: "contains", type: .string)]
                        ),
                        SearchableProperty(
                            name: "pages",
                            comparators: [
                                PropertyComparator(name: "lessThan", type: .int),
                                PropertyComparator(name: "isBetween", type: .int, valueCount: 2),
                            ]
                        ),
                        SearchableProperty(
                            name: "genre",
                            comparators: [PropertyComparator(name: "equalTo", type: genres)]
                        ),
                    ],
                    sortableBy: ["title", "pages"]
                )
            ),
            ParameterDeclaration(name: "reader", title: "Reader", type: .string, hasOptions: true),
        ]
    )

    private func ask(_ query: OptionsQuery) throws {
        _ = try ParameterCheck.accept(
            [:],
            fileCount: 0,
            for: Self.intent,
            of: try #require(AppName("Library")),
            asking: query
        )
    }

    private func refusal(_ query: OptionsQuery) throws -> ErrorReport? {
        do {
            try ask(query)
            return nil
        } catch let error as ErrorReport {
            return error
        }
    }

    private func refusal(of comparison: PropertySearch.Comparison) throws -> ErrorReport? {
        try refusal(OptionsQuery(parameter: "book", search: PropertySearch(comparisons: [comparison])))
    }

    @Test func `a search that the query supports is accepted`() throws {
        try ask(
            OptionsQuery(
                parameter: "book",
                search: PropertySearch(
                    comparisons: [
                        .init(property: "title", comparator: "contains", values: [.string("une")]),
                        .init(property: "pages", comparator: "isBetween", values: [.int(1), .int(9)]),
                        .init(property: "genre", comparator: "equalTo", values: [.string("poem")]),
                    ],
                    joined: .any,
                    sortedBy: [.init(property: "pages", isDescending: true)],
                    limit: 1
                )
            )
        )
        try ask(OptionsQuery(parameter: "book", search: PropertySearch()))
    }

    @Test func `an unknown property, comparator or order is refused with the nearest valid name`() throws {
        let property = try refusal(of: .init(property: "titel", comparator: "contains", values: [.string("x")]))
        #expect(property?.code == .badParameter && property?.hint == "did you mean 'title'?")
        let comparator = try refusal(of: .init(property: "pages", comparator: "lesThan", values: [.int(1)]))
        #expect(comparator?.code == .badParameter && comparator?.hint == "did you mean 'lessThan'?")
        let far = try refusal(of: .init(property: "title", comparator: "resembles", values: [.string("x")]))
        #expect(far?.hint == "its comparators are contains")
        let order = try refusal(
            OptionsQuery(parameter: "book", search: PropertySearch(sortedBy: [.init(property: "page")]))
        )
        #expect(order?.hint == "did you mean 'pages'?")
    }

    @Test func `a value of the wrong type or a wrong number of values is refused, naming the property`() throws {
        let text = try refusal(of: .init(property: "pages", comparator: "lessThan", values: [.string("many")]))
        #expect(text?.message == "'lessThan' of 'pages': expected a whole number, got text")
        let genre = try refusal(of: .init(property: "genre", comparator: "equalTo", values: [.string("pome")]))
        #expect(genre?.hint == "did you mean 'poem'?")
        let one = try refusal(of: .init(property: "pages", comparator: "isBetween", values: [.int(1)]))
        #expect(one?.message == "'isBetween' of 'pages': expected 2 values, got 1")
        #expect(try refusal(of: .init(property: "title", comparator: "contains", values: [])) != nil)
    }

    @Test func `a search without such a query, with a text as well, or with limit 0 is refused`() throws {
        let plain = try refusal(OptionsQuery(parameter: "reader", search: PropertySearch()))
        #expect(plain?.message.contains("cannot be searched by their properties") == true)
        let both = try refusal(OptionsQuery(parameter: "book", text: "une", search: PropertySearch()))
        #expect(both?.code == .badRequest)
        let identified = try refusal(OptionsQuery(parameter: "book", text: "une", identifier: "1"))
        #expect(identified?.code == .badRequest)
        try ask(OptionsQuery(parameter: "book", identifier: "1"))
        #expect(try refusal(OptionsQuery(parameter: "book", search: PropertySearch(limit: 0))) != nil)
    }
}
