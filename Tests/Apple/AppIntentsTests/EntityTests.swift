import IntentLauncherMessages
import TestSupport
import Testing

/// Tests entities, which are sent by id and found by the app's query before `perform()`.
@Suite(.ownThread) struct EntityTests {
    private static let dune: IntentValue = .object([
        "id": .string("1"), "title": .string("Dune"), "subtitle": .string("by Herbert"),
        "properties": .object([
            "title": .string("Dune"), "author": .string("Herbert"), "pages": .int(412), "rating": .null,
        ]),
    ])

    @Test(
        arguments: [
            .string("1"), .int(1), .object(["id": .string("1"), "title": .string("another")]), .string("dune"),
        ] as [IntentValue]
    )
    func `an entity is identified by its id, by its JSON from a result, or by a string that its query finds`(
        _ name: IntentValue
    ) throws {
        #expect(try AppProcess.run("ShowBook", of: "Ported", ["book": name]).value == Self.dune)
    }

    @Test(
        arguments: [
            ("9", "parameter 'book' does not identify any Book: no match for '9'"),
            ("messi", nil),
            ("dun", "parameter 'book' is ambiguous: 'dun' matches Dune (1), Dune Messiah (4). Specify the id"),
            ("", "parameter 'book' expects the id of a Book, got 0 characters"),
        ] as [(String, String?)]
    )
    func `a string that matches no entity, or several, fails the run with an error that lists the matches`(
        _ name: String,
        message: String?
    ) throws {
        #expect(try AppProcess.run("ShowBook", of: "Ported", ["book": .string(name)]).message == message)
    }

    @Test func `entities in lists and optionals are found too, and a list has its size`() throws {
        func pages(_ books: [IntentValue], _ also: IntentValue = .null) throws -> RunRecord {
            try AppProcess.run("CountPages", of: "Ported", ["books": .array(books), "also": also])
        }
        #expect(try pages([.int(1), .int(2)]).value == .int(886))
        #expect(try pages([.int(1)], .int(4)).value == .int(668))
        #expect(try pages([]).message == "parameter 'books' expects 1 to 3 elements, got 0")
        #expect(try pages([.int(1), .int(1), .int(1), .int(1)]).message?.contains("1 to 3") == true)
        let unknown = try pages([.int(1), .int(8)])
        #expect(unknown.message == "parameter 'books' does not identify any Book: no match for '8'")
    }

    @Test func `a query's error keeps its message and code, and an empty result is an error`() throws {
        let closed = try AppProcess.run("OpenArchive", of: "Ported", ["thing": .string("x")])
        #expect(closed.message == "The archive is closed.")
        #expect(closed.result.details?.code == "Refusal.closed")
        let none = try AppProcess.run("OpenArchive", of: "Ported", ["thing": .string("none")])
        #expect(none.message == "parameter 'thing' does not identify any Stubborn: the id 'none' was not found")
        #expect(none.result.details?.code == "badParameter")
    }

    @Test func `parameters are resolved in the order of their declaration`() throws {
        let values: [String: IntentValue] = ["first": .string("99"), "thing": .string("x")]
        #expect(try AppProcess.run("OpenArchive", of: "Ported", values).message?.contains("'first'") == true)
    }

    @Test func `a query that hangs is cancelled like any other work`() throws {
        let worker = try AppProcess.performing("OpenArchive", of: "Ported", ["thing": .string("hang")])
        try worker.send(.cancel(reason: .timeout, graceMilliseconds: 1000))
        #expect(try worker.result().result.ending == .threwCancellation)
    }

    @Test func `a unique entity needs no id`() throws {
        let values: [String: IntentValue] = ["thing": .string("none"), "settings": .string("LibrarySettings")]
        // `thing` is declared first, so it fails before the unique entity is resolved.
        #expect(try AppProcess.run("OpenArchive", of: "Ported", values).message?.contains("'thing'") == true)
        let options = try AppProcess.run(
            "OpenArchive",
            of: "Ported",
            query: OptionsQuery(parameter: "settings")
        )
        #expect(
            options.value == .array([.object(["value": .string("LibrarySettings"), "title": .string("Settings")])])
        )
    }

    @Test func `a record is sent completely, with its entities as ids`() throws {
        let loanRun = try AppProcess.run("LendBook", of: "Ported", ["book": .int(3), "days": .int(5)])
        let loan: IntentValue = .object([
            "book": .object(["id": .string("3"), "title": .string("Persuasion"), "subtitle": .string("by Austen")]),
            "days": .int(5), "note": .null,
        ])
        #expect(loanRun.value == loan)
        #expect(
            try AppProcess.run("ExtendLoan", of: "Ported", ["loan": loan]).value == .array([.string("Persuasion 5")])
        )
        let strange = try AppProcess.run("ExtendLoan", of: "Ported", ["loan": .object(["dais": .int(3)])])
        #expect(
            strange.message
                == "parameter 'loan' expects an object (Loan), got an object with the unknown property 'dais'; did you mean 'days'?"
        )
    }

    @Test func `measurements, money, days, sets, files by type and any Codable reach the intent`() throws {
        let loan: IntentValue = .object(["book": .int(1), "days": .int(1)])
        func extended(_ values: [String: IntentValue]) throws -> RunRecord {
            try AppProcess.run("ExtendLoan", of: "Ported", values.merging(["loan": loan]) { $1 })
        }
        #expect(
            try extended([
                "rule": .object(["name": .string("early"), "days": .array([.int(2), .int(3)])]),
                "length": .string("2"), "fee": .string("1.50 CHF"), "day": .string("2026-11-21 09:30"),
                "tags": .array([.string("b"), .string("a"), .string("b")]),
            ]).value
                == .array(
                    ["Dune 1", "5 early", "120.0 min", "1.5 of CHF", "2026/9", "a+b"].map { .string($0) }
                )
        )
        #expect(try extended(["length": .string("90 min")]).value == .array([.string("Dune 1"), .string("90.0 min")]))
    }

    @Test(
        arguments: [
            ("length", .string("3 parsecs"), "expects a number with a unit"),
            ("length", .string("-3 min"), "expects a non-negative number, got -3 min"),
            ("fee", .string("3 USD"), "one of EUR, CHF, got the currency 'USD'"),
            ("fee", .string("three"), "for example: 12.50 EUR"),
            ("day", .string("2026-02-30"), "expects a day, a time or both, got '2026-02-30'"),
            ("rule", .object(["name": .string("x")]), "expects a LoanRule as JSON: 'days' is missing"),
            ("loan", .string("x"), "expects an object (Loan), got text"),
        ] as [(String, IntentValue, String)]
    )
    func `an invalid value is refused with the expected type`(
        _ name: String,
        _ value: IntentValue,
        words: String
    ) throws {
        var values: [String: IntentValue] = ["loan": .object(["book": .int(1), "days": .int(1)])]
        values[name] = value
        let message = try AppProcess.run("ExtendLoan", of: "Ported", values).message
        #expect(message?.contains(words) == true, "\(message ?? "it ran")")
    }

    @Test func `a resolver converts a value of another type, and a value that it cannot convert is refused`() throws {
        #expect(try AppProcess.run("ShortenTitle", of: "Ported", ["length": .string("two")]).value == .int(2))
        let many = try AppProcess.run("ShortenTitle", of: "Ported", ["length": .string("many")])
        #expect(many.message == "parameter 'length' expects a whole number, got text")
    }

    @Test func `a collection receives ids, and resolves the entities on demand`() throws {
        let ids: IntentValue = .array([.string("1"), .string("0"), .string("7")])
        let found = try AppProcess.run("SweepBeaches", of: "CompileShapes5", ["beaches": ids])
        #expect(found.value == .array([.string("Rauðisandur"), .string("Dyrhólaey")]))
        let plain: [String: IntentValue] = ["beaches": ids, "isNamed": .bool(false)]
        #expect(try AppProcess.run("SweepBeaches", of: "CompileShapes5", plain).value == ids)
        let wrong = try AppProcess.run("SweepBeaches", of: "CompileShapes5", ["beaches": .array([.string("x")])])
        #expect(wrong.message?.contains("ids of Beach") == true)
    }

    @Test func `a file entity is identified by its path or URL, and a draft by its id`() throws {
        let path = try AppProcess.run(
            "NameFiles",
            of: "CompileShapes5",
            ["papers": .array([.string("/srv/a b.txt"), .string("file:///srv/c.txt")])]
        )
        #expect(path.value == .array([.string("a b.txt"), .string("c.txt")]))
        #expect(
            try AppProcess.run(
                "NameFiles",
                of: "CompileShapes5",
                ["papers": .array([.string("https://example.org/c.txt"), .string("/a")])]
            ).message != nil
        )
    }
}
