import Glibc
import IntentClient
import IntentCommandLine
import Testing
import intentctl

private let soups = [
    EnumerationCase(value: "tomato", title: "Tomato"),
    EnumerationCase(value: "clamChowder", title: "Clam Chowder"),
]

private func kinds(
    _ name: String,
    _ type: ValueType,
    _ kind: ParameterDeclaration.DateKind
) -> ParameterDeclaration {
    var parameter = ParameterDeclaration(name: name, title: name, type: type, isOptional: true)
    parameter.dateKind = kind
    return parameter
}

private var named: ParameterDeclaration {
    var parameter = ParameterDeclaration(name: "heat", title: "Heat", type: .bool, isOptional: true)
    parameter.boolNames = ParameterDeclaration.BoolNames(true: "Hot", false: "Cold")
    return parameter
}

private let order = IntentDeclaration(
    name: "OrderSoup",
    title: "Order Soup",
    parameters: [
        ParameterDeclaration(name: "price", title: "Price", type: .decimal, isOptional: true),
        ParameterDeclaration(name: "when", title: "When", type: .date, isOptional: true),
        ParameterDeclaration(name: "menu", title: "Menu", type: .url, isOptional: true),
        ParameterDeclaration(
            name: "cook",
            title: "Cook",
            type: .duration,
            isOptional: true,
            range: NumberRange(lowerBound: 1, upperBound: 3600)
        ),
        ParameterDeclaration(name: "soup", title: "Soup", type: .enumeration(soups), isOptional: true),
        ParameterDeclaration(name: "tag", title: "Tags", type: .array(.string), isOptional: true),
        ParameterDeclaration(
            name: "quantity",
            title: "Quantity",
            type: .int,
            range: NumberRange(lowerBound: 1, upperBound: 10),
            question: "How many bowls?"
        ),
        ParameterDeclaration(
            name: "seat",
            title: "Seats",
            type: .array(.int),
            isOptional: true,
            range: NumberRange(lowerBound: 1)
        ),
        kinds("day", .date, .date), kinds("hour", .date, .time), kinds("month", .dateComponents, .date),
        kinds("clock", .dateComponents, .time), named,
        ParameterDeclaration(name: "photo", title: "Photos", type: .array(.file), isOptional: true),
    ],
    sentence: "Order ${quantity} bowls of ${soup}"
)

private func parse(_ rest: String...) throws -> [String: ParameterInput] {
    try ParameterArguments.parse(InvocationParser.parse(["run", "Soup/OrderSoup"] + rest), for: order)
}

private func parse(json text: String) throws -> [String: ParameterInput] {
    let json = try #require(JSONValue(parsing: Array(text.utf8)))
    return try ParameterArguments.parse(json: json, for: order)
}

@Suite struct ValueTypeTests {
    @Test func `a decimal keeps its digits`() throws {
        #expect(try parse("--price", "12.50") == ["price": .value(.string("12.50"))])
        #expect(try parse(json: #"{"price": 12.5}"#) == ["price": .value(.string("12.5"))])
        #expect(try parse(json: #"{"price": 12}"#) == ["price": .value(.string("12"))])
    }

    @Test(arguments: [
        ("2026-11-21T09:30:00Z", "2026-11-21T09:30:00Z"), ("2026-11-21 09:30+01:00", "2026-11-21T09:30:00+01:00"),
        ("2026-11-21t09:30:00.25z", "2026-11-21T09:30:00.25Z"),
    ])
    func `a date with a zone is unchanged`(_ typed: String, _ sent: String) throws {
        #expect(try parse("--when", typed) == ["when": .value(.string(sent))])
    }

    @Test func `a date without a zone is in the machine's time zone`() throws {
        #expect(DateText.read("2026-11-21") == DateText.read("2026-11-21 00:00:00"))
        let first = try #require(DateText.read("2026-11-21 09:30"))
        #expect(first.hasSuffix("Z"))
        // The date is one minute later, in any time zone.
        let second = try #require(DateText.read("2026-11-21T09:31"))
        #expect(first.dropLast(4).last != second.dropLast(4).last)
    }

    @Test(arguments: [
        "someday", "2026-02-31", "today 25:00", "9:30", "2026-13-01", "26-11-21", "2026-11-21 9:30",
        "2026-11-21T09:30:00+1", "",
    ])
    func `a string that is not a date is refused`(_ typed: String) {
        let failure = #expect(throws: CommandFailure.self) { try parse("--when=\(typed)") }
        #expect(failure?.message.hasPrefix("--when: expected a date") == true)
    }

    @Test(arguments: [
        ("today", "2026-11-21"), ("yesterday", "2026-11-20"), ("Tomorrow", "2026-11-22"),
        ("tomorrow 09:30", "2026-11-22 09:30"), ("09:30", "2026-11-21 09:30"), ("now", "2026-11-21 18:45:07"),
    ])
    func `a date can be a keyword or a time of the current day`(_ typed: String, _ same: String) throws {
        var fields = tm()
        (fields.tm_year, fields.tm_mon, fields.tm_mday) = (126, 10, 21)
        (fields.tm_hour, fields.tm_min, fields.tm_sec, fields.tm_isdst) = (18, 45, 7, -1)
        let now = mktime(&fields)
        #expect(DateText.read(typed, now: now) == DateText.read(same, now: now))
        #expect(DateText.read(typed, now: now) != nil)
        // A time alone is not a day here.
        let isTime = typed == "09:30"
        #expect(DateText.components(typed, now: now) == (isTime ? "09:30:00" : DateText.components(same, now: now)))
    }

    @Test func `a parameter for a day or a time accepts only that part of a date`() throws {
        #expect(try parse("--day", "2026-11-21") == ["day": .value(.string(try #require(DateText.read("2026-11-21"))))])
        #expect(try parse("--hour", "09:30") == ["hour": .value(.string(try #require(DateText.read("09:30"))))])
        #expect(try parse("--month", "2026-11-21") == ["month": .value(.string("2026-11-21"))])
        #expect(try parse("--clock", "09:30") == ["clock": .value(.string("09:30:00"))])
        // A program sends a whole instant with its time zone.
        #expect(
            try parse("--hour", "2026-11-21T09:30:00Z") == ["hour": .value(.string("2026-11-21T09:30:00Z"))]
        )
        let mistakes = [
            ("--day", "2026-11-21 09:30", "--day: expected a day, such as 2026-11-21 or tomorrow"),
            ("--hour", "2026-11-21", "--hour: expected a time, such as 09:30"),
            ("--month", "09:30", "--month: expected a day, such as 2026-11-21 or tomorrow"),
            ("--clock", "today", "--clock: expected a time, such as 09:30"),
        ]
        for (option, text, message) in mistakes {
            let failure = #expect(throws: CommandFailure.self) { try parse(option, text) }
            #expect(failure?.message == "\(message), got '\(text)'")
        }
    }

    @Test func `true and false can be typed as their names, which the description shows`() throws {
        #expect(try parse("--heat", "cold") == ["heat": .value(.bool(false))])
        #expect(try parse("--heat=Hot") == ["heat": .value(.bool(true))])
        let failure = #expect(throws: CommandFailure.self) { try parse("--heat", "tepid") }
        #expect(failure?.message == "--heat: expected true (Hot) or false (Cold), got 'tepid'")
        let app = AppDescription(name: "Soup", executable: "/x", catalog: nil, limits: RunLimits())
        #expect(CatalogText.describe(order, of: app).contains("Heat (true: Hot, false: Cold)"))
        #expect(CatalogText.describe(order, of: app).contains("--hour"))
    }

    @Test func `durations and URLs are parsed`() throws {
        #expect(try parse("--cook", "1min 30s") == ["cook": .value(.double(90))])
        #expect(try parse("--cook", "2.5") == ["cook": .value(.double(2.5))])
        #expect(try parse(json: #"{"cook": "2m"}"#) == ["cook": .value(.double(120))])
        #expect(try parse("--menu", "https://a.example/b") == ["menu": .value(.string("https://a.example/b"))])
        #expect(throws: CommandFailure.self) { try parse("--menu", "not an address") }
    }

    @Test(arguments: ["tomato", "TOMATO", "Tomato"])
    func `an enumeration accepts values and titles`(_ typed: String) throws {
        #expect(try parse("--soup", typed) == ["soup": .value(.string("tomato"))])
        #expect(try parse("--soup", "clam chowder") == ["soup": .value(.string("clamChowder"))])
    }

    @Test func `the error for an unknown value of an enumeration suggests the most similar value`() {
        let failure = #expect(throws: CommandFailure.self) { try parse("--soup", "tomatoe") }
        #expect(failure?.message == "--soup: expected one of tomato, clamChowder, got 'tomatoe'")
        #expect(failure?.hint == "did you mean 'tomato'?")
    }

    @Test func `a second word after the option of a list is refused with the form that is accepted`() {
        let failure = #expect(throws: CommandFailure.self) { try parse("--tag", "a", "b") }
        #expect(failure?.hint == "repeat the option for each element: --tag b")
    }

    @Test func `the numbers of an enumeration are named with their titles`() {
        let type = ValueType.enumeration([
            EnumerationCase(value: "1", title: "Low"), EnumerationCase(value: "high", title: "High"),
        ])
        #expect(type.phrase == "one of 1 (Low), high")
    }

    @Test func `a repeated option creates a list`() throws {
        #expect(
            try parse("--tag", "a", "--quantity=2", "--tag", "b") == [
                "tag": .list([.value(.string("a")), .value(.string("b"))]), "quantity": .value(.int(2)),
            ]
        )
        #expect(try parse("--photo", "a.jpg", "--photo", "-") == ["photo": .list([.path("a.jpg"), .standardInput])])
        #expect(try parse(json: #"{"tag": []}"#) == ["tag": .list([])])
        #expect(try parse(json: #"{"seat": [1, 2]}"#) == ["seat": .list([.value(.int(1)), .value(.int(2))])])
    }

    @Test(
        arguments: [
            (["--quantity", "12"], "--quantity: expected a whole number from 1 to 10, got 12"),
            (["--seat", "3", "--seat", "0"], "--seat: expected a whole number of at least 1, got 0"),
            (["--cook", "2h"], "--cook: expected a duration in seconds from 1 to 3600, got 7200"),
            (["--price", "1e3"], "--price: expected a decimal number, got '1e3'"),
        ] as [([String], String)]
    )
    func `a value out of range is refused before it is sent`(_ rest: [String], _ message: String) {
        let failure = #expect(throws: CommandFailure.self) {
            try ParameterArguments.parse(InvocationParser.parse(["run", "Soup/OrderSoup"] + rest), for: order)
        }
        #expect(failure?.message == message)
        #expect(failure?.exitCode == .usage)
    }

    @Test(arguments: [
        #"{"tag": "a"}"#, #"{"tag": [1]}"#, #"{"quantity": 11}"#, #"{"soup": "stew"}"#, #"{"when": 3}"#,
        #"{"photo": ["-", 3]}"#,
    ])
    func `values in a JSON object are checked by type and range too`(_ text: String) {
        #expect(throws: CommandFailure.self) { try parse(json: text) }
    }

    @Test func `the schema lists values with their titles, bounds, formats and elements`() {
        let schema = JSONSchema.parameters(of: order, file: .path).text()
        for part in [
            #""soup":{"description":"clamChowder: Clam Chowder","enum":["tomato","clamChowder"],"#
                + #""type":"string"}"#,
            #""quantity":{"description":"How many bowls?","maximum":10,"minimum":1,"type":"integer"}"#,
            #""when":{"format":"date-time","type":"string"}"#,
            #""menu":{"description":"a URL","type":"string"}"#,
            #""seat":{"items":{"minimum":1,"type":"integer"},"title":"Seats","type":"array"}"#,
        ] {
            #expect(schema.contains(part), "\(schema)")
        }
    }

    @Test func `a description shows the sentence, values, ranges and lists`() {
        var limits = RunLimits()
        limits.runtimeMax = .seconds(120)
        let app = AppDescription(
            name: "Soup",
            executable: "/x/Soup",
            catalog: IntentCatalog(intents: [order]),
            limits: limits
        )
        let text = CatalogText.describe(order, of: app)
        for part in [
            "Order <quantity> bowls of <soup>", "tomato|clamChowder", "INTEGER, 1 to 10", "TEXT...",
            "INTEGER..., at least 1", "clamChowder  Clam Chowder", "--quantity 3",
        ] {
            #expect(text.contains(part), "\(text)")
        }
    }

    @Test func `the text for an unanswered run contains the option for the missing value`() {
        let run = RunID(randomBits: 7)
        let outcome = RunOutcome.unanswered(parameter: "quantity", question: "How many bowls?")
        let end = RunEnd(run: run, outcome: outcome, account: RunAccount())
        #expect(
            EndSentence.of(end, clocks: nil, intent: order)
                == "needs a value for 'quantity': How many bowls? Pass it with --quantity INTEGER"
        )
        #expect(
            EndSentence.of(end, clocks: nil)
                == "needs a value for 'quantity': How many bowls? Pass it with --quantity VALUE"
        )
        #expect(ExitCode(outcome).rawValue == 76)
        let document = RunDocument.of(RunResult(end), value: nil).text()
        #expect(document.contains(#""message":"How many bowls?","outcome":"unanswered","parameter":"quantity""#))
    }
}
