import IntentLauncherMessages
import Testing

/// Tests types with values that are formatted strings or objects.
@Suite struct ComposedTypeTests {
    private static let book = ValueType.entity(EntityType(name: "Book", title: "Book"))
    private static let loan = ValueType.object(
        ObjectType(
            title: "Loan",
            properties: [
                PropertyDeclaration(name: "book", title: "Book", type: book),
                PropertyDeclaration(name: "days", title: "Days", type: .int),
            ]
        )
    )
    private static let length = ValueType.measurement(units: ["m", "km"])
    private static let money = ValueType.currencyAmount(codes: ["EUR"])

    static let types: [Golden<ValueType>] = [
        Golden(#"{"entity":{"isSearchable":false,"name":"Book","title":"Book"}}"#, book),
        Golden(#"{"object":{"properties":[],"title":"Loan"}}"#, .object(ObjectType(title: "Loan"))),
        Golden(#"{"measurement":["m","km"]}"#, length),
        Golden(#"{"currencyAmount":[]}"#, .currencyAmount(codes: [])),
        Golden(#""dateComponents""#, .dateComponents),
    ]

    @Test(arguments: types) func `a type has these bytes`(_ golden: Golden<ValueType>) throws {
        #expect(String(decoding: WireCoding.encode(golden.message), as: UTF8.self) == golden.json)
        #expect(try WireCoding.decode(ValueType.self, from: Array(golden.json.utf8)) == golden.message)
    }

    @Test(
        arguments: [
            (book, .string("7"), .string("7")), (book, .int(7), .string("7")),
            (book, .object(["id": .string("7"), "title": .string("x")]), .string("7")),
            (loan, .object(["book": .int(7)]), .object(["book": .string("7")])),
            (loan, .object(["days": .null]), .object([:])),
            (length, .string("5 km"), .string("5 km")), (length, .string("5"), .string("5")),
            (length, .double(1.5), .string("1.5")), (money, .string("2"), .string("2 EUR")),
            (money, .string("-2.50 EUR"), .string("-2.50 EUR")),
            (.dateComponents, .string("2024-02-29"), .string("2024-02-29")),
            (.dateComponents, .string("23:59:59"), .string("23:59:59")),
            (.dateComponents, .string("2026-11-21 09:30"), .string("2026-11-21 09:30")),
        ] as [(ValueType, IntentValue, IntentValue)]
    )
    func `a value of the type is accepted in its plain form`(
        _ type: ValueType,
        _ value: IntentValue,
        accepted: IntentValue
    ) throws {
        #expect(try type.accept(value) == accepted)
    }

    @Test(
        arguments: [
            (book, .bool(true), "expected the id of a Book, got a Boolean", nil),
            (book, .object([:]), "expected the id of a Book, got an object without an 'id'", nil),
            (
                loan, .object(["day": .int(1)]),
                "expected an object (Loan), got an object with the unknown property 'day'",
                "did you mean 'days'?"
            ),
            (loan, .object(["days": .string("x")]), "expected a whole number in 'days', got text", nil),
            (length, .string("5 ell"), "expected a number with a unit (m, km), got the unit 'ell'", "for example: 5 m"),
            (length, .string("x km"), "expected a number with a unit (m, km), got 'x km'", "for example: 5 m"),
            (
                money, .string("2 CHF"), "expected a number with one of EUR, got the currency 'CHF'",
                "for example: 12.50 EUR"
            ),
            (.dateComponents, .string("2023-02-29"), "expected a day, a time or both, got '2023-02-29'", nil),
            (.dateComponents, .string("24:00"), "expected a day, a time or both, got '24:00'", nil),
            (
                .dateComponents, .string("2026-11-21 09:30 x"),
                "expected a day, a time or both, got '2026-11-21 09:30 x'",
                nil
            ),
        ] as [(ValueType, IntentValue, String, String?)]
    )
    func `any other value is refused with the expected form`(
        _ type: ValueType,
        _ value: IntentValue,
        message: String,
        hint: String?
    ) {
        do {
            _ = try type.accept(value)
            Issue.record("it was accepted")
        } catch {
            #expect(error.message == message)
            if let hint { #expect(error.hint == hint) }
        }
    }

    @Test func `an id has at most 4096 characters`() throws {
        #expect(throws: ValueMismatch.self) { try Self.book.accept(.string(String(repeating: "x", count: 4097))) }
        #expect(throws: Never.self) { try Self.book.accept(.string(String(repeating: "x", count: 4096))) }
    }
}
