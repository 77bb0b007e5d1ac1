import IntentLauncherMessages
import TestSupport
import Testing

/// Tests the details in the catalogue besides names and types.
@Suite(.ownThread) struct CatalogDetailTests {
    private func declaration(_ intent: String) throws -> IntentDeclaration {
        try AppProcess.declaration(of: intent, in: "Ported")
    }

    @Test func `a summary is a list of sentences with their conditions`() throws {
        #expect(
            try declaration("AddBook").details?.sentences == [
                SummarySentence(
                    conditions: [.init(parameter: "copies", comparison: "greaterThan", values: [.int(1)])],
                    text: "Add ${copies} copies of ${title}",
                    others: ["author"]
                ),
                SummarySentence(
                    conditions: [.init(parameter: "genre", comparison: "oneOf", values: [.string("poem")])],
                    text: "Add the poem ${title}",
                    others: []
                ),
                SummarySentence(conditions: [], text: "Add ${title} by ${author}", others: ["genre"]),
            ]
        )
    }

    @Test func `a run's title is the sentence with its values`() throws {
        let add = try declaration("AddBook")
        let named: [String: IntentValue] = ["title": .string("Ulysses"), "author": .string("Joyce")]
        #expect(add.title(with: named) == "Add Ulysses by Joyce")
        #expect(add.title(with: named.merging(["copies": .int(3)]) { $1 }) == "Add 3 copies of Ulysses")
        #expect(add.title(with: named.merging(["genre": .string("poem")]) { $1 }) == "Add the poem Ulysses")
        #expect(add.title(with: ["title": .string("Ulysses")]) == nil)
        #expect(try declaration("CountPages").title(with: [:]) == nil)
    }

    @Test func `the catalogue has the category, the keywords and the result's name`() throws {
        let details = try declaration("ShowBook").details
        #expect(details?.category == "Books")
        #expect(details?.keywords == ["read", "look"])
        #expect(details?.resultTitle == "Book")
    }

    @Test func `a deprecated intent has its message and its replacement`() throws {
        let old = try declaration("OldAdd").details
        #expect(old?.deprecation == .init(message: "It forgets the author.", replacement: "AddBook"))
        #expect(old?.protocols == ["DeprecatedAppIntent"])
    }

    @Test func `entities, records, measurements and other types are distinct in the catalogue`() throws {
        #expect(
            try declaration("ShowBook").parameters.map(\.type) == [
                .entity(EntityType(name: "BookEntity", title: "Book", isSearchable: true))
            ]
        )
        let book = ValueType.entity(EntityType(name: "BookEntity", title: "Book", isSearchable: true))
        #expect(try declaration("ShowBook").result == book)
        let count = try declaration("CountPages").parameters[0]
        #expect(count.type == .array(book))
        #expect(count.size == ElementCount(minimum: 1, maximum: 3))
        let loan = try declaration("ExtendLoan").parameters
        #expect(
            loan[0].type
                == .object(
                    ObjectType(
                        title: "Loan",
                        properties: [
                            PropertyDeclaration(name: "book", title: "Book", type: book),
                            PropertyDeclaration(name: "days", title: "Days", type: .int),
                            PropertyDeclaration(name: "note", title: "Note", type: .string),
                        ]
                    )
                )
        )
        #expect(loan[3].type == .currencyAmount(codes: ["EUR", "CHF"]))
        #expect(loan[4].type == .dateComponents)
        guard case .measurement(let units) = loan[2].type else { return }
        #expect(units.contains("hr") && units.contains("min"))
    }

    @Test func `the catalogue marks the parameters that have options`() throws {
        #expect(try declaration("AddBook").parameters.map(\.hasOptions) == [nil, true, nil, nil])
        #expect(try declaration("LendBook").parameters.map(\.hasOptions) == [true, nil, true, true])
    }

    @Test func `the catalogue has shortcuts with their phrases and fixed values`() throws {
        #expect(
            try AppProcess.catalog(of: "Ported").shortcuts == [
                ShortcutDeclaration(
                    intent: "ShowBook",
                    title: "Show",
                    phrases: ["Show ${book} in ${applicationName}", "Open ${applicationName}"],
                    values: [:]
                ),
                ShortcutDeclaration(
                    intent: "AddBook",
                    title: "Poem",
                    phrases: ["Add a poem to ${applicationName}"],
                    values: ["genre": .string("poem"), "copies": .int(1)]
                ),
            ]
        )
    }

    @Test func `an intent that conforms through the app's own protocol is found in this build`() throws {
        let catalog = try AppProcess.catalog(of: "Ported")
        #expect(catalog.intents.contains { $0.name == "Dust" } || catalog.warnings?.isEmpty == false)
        #expect(try AppProcess.run("Dust", of: "Ported").text == "main")
    }

    @Test func `the library's own intents are not in a catalogue`() throws {
        #expect(!(try AppProcess.catalog(of: "Ported").intents.contains { $0.name == "OpenURLIntent" }))
    }
}
