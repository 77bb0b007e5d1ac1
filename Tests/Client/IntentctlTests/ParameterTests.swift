import IntentClient
import IntentCommandLine
import Testing
import intentctl

private let order = IntentDeclaration(
    name: "OrderSoupIntent",
    title: "Order Soup",
    parameters: [
        ParameterDeclaration(name: "soupName", title: "Soup", type: .string),
        ParameterDeclaration(name: "guests", title: "Guests", type: .int, defaultValue: .int(2)),
        ParameterDeclaration(name: "price", title: "Price", type: .double, isOptional: true),
        ParameterDeclaration(name: "salt", title: "Salt", type: .bool, isOptional: true),
        ParameterDeclaration(name: "noSmoke", title: "No smoke", type: .bool, isOptional: true),
        ParameterDeclaration(name: "recipe", title: "Recipe", type: .file, isOptional: true),
    ],
    result: .file
)

private func parse(_ rest: [String], options: [String] = []) throws(CommandFailure) -> [String: ParameterInput] {
    try ParameterArguments.parse(InvocationParser.parse(["run"] + options + ["Soup/OrderSoup"] + rest), for: order)
}

@Suite struct ParameterTests {
    @Test func `values have the types of their parameters`() throws {
        let inputs = try parse([
            "--soup-name", "-3", "--guests=-3", "--price", "1.5", "--no-salt", "--recipe", "a/b.txt",
        ])
        #expect(
            inputs == [
                "soupName": .value(.string("-3")), "guests": .value(.int(-3)), "price": .value(.double(1.5)),
                "salt": .value(.bool(false)), "recipe": .path("a/b.txt"),
            ]
        )
    }

    @Test(arguments: [
        (["--salt"], true), (["--no-salt"], false), (["--salt=false"], false), (["--salt=yes"], true),
        (["--salt", "false"], false), (["--salt", "on"], true),
    ])
    func `a Boolean has several spellings`(_ rest: [String], _ value: Bool) throws {
        #expect(try parse(rest) == ["salt": .value(.bool(value))])
    }

    @Test func `an option ends at the first equals sign`() throws {
        #expect(try parse(["--soup-name=\u{301}x=y"]) == ["soupName": .value(.string("\u{301}x=y"))])
    }

    @Test(arguments: [
        String(repeating: "[", count: 100_000), #"{"a": 1, "a": 2}"#,
        #"["\#(String(repeating: "\u{301}", count: 31))"]"#,
        #"["\#(String(repeating: #"\u0301"#, count: 31))"]"#, "\u{FEFF}1", "1 2",
    ])
    func `JSON that messages do not permit is refused before it is decoded`(_ text: String) {
        #expect(JSONValue(parsing: Array(text.utf8)) == nil)
    }

    @Test func `a parameter with a name that starts with 'no' is not a negation`() throws {
        #expect(try parse(["--no-smoke"]) == ["noSmoke": .value(.bool(true))])
        #expect(try parse(["--no-no-smoke"]) == ["noSmoke": .value(.bool(false))])
    }

    @Test func `declared names are accepted too, and a hyphen is standard input`() throws {
        #expect(try parse(["--soupName=x"]) == ["soupName": .value(.string("x"))])
        #expect(try parse(["--recipe", "-"]) == ["recipe": .standardInput])
    }

    @Test(arguments: [
        ("paymentMethod", "payment-method"), ("imageURL", "image-url"), ("URLPath", "url-path"), ("a", "a"),
        ("snake_case", "snake-case"), ("size2x", "size2x"), ("entityID", "entity-id"),
    ])
    func `names are converted to kebab case`(_ name: String, _ kebab: String) {
        #expect(ParameterName.kebab(name) == kebab)
    }

    @Test(
        arguments: [
            (["--guests", "many"], "--guests: expected a whole number, got 'many'", "for example: --guests 3"),
            (["--guests=1.5"], "--guests: expected a whole number, got '1.5'", "for example: --guests 3"),
            (["--price", "nan"], "--price: expected a number, got 'nan'", "for example: --price 1.5"),
            (["--salt=maybe"], "--salt: expected true or false, got 'maybe'", "for example: --salt"),
            (["--salt", "maybe"], "--salt: expected true or false, got 'maybe'", "for example: --salt"),
            (["--no-salt", "true"], "--no-salt takes no value", "write --no-salt or --salt"),
            (["--gests", "3"], "OrderSoupIntent has no parameter 'gests'", "did you mean '--guests'?"),
            (
                ["tomato"], "unexpected argument 'tomato': an intent's parameters are options",
                "for example: --soup-name text"
            ),
            (
                ["--guests", "1", "--guests", "2"], "--guests is given twice but takes one value",
                "remove one of them"
            ),
            (
                ["--soup-name", "--guests", "3"], "--soup-name needs a value: text",
                "for example: --soup-name text; a value that starts with hyphens: --soup-name=VALUE"
            ),
        ] as [([String], String, String)]
    )
    func `the error for an invalid value contains its option, the expected form and an example`(
        _ rest: [String],
        _ message: String,
        _ hint: String
    ) {
        let failure = #expect(throws: CommandFailure.self) { try parse(rest) }
        #expect(failure?.message == message)
        #expect(failure?.hint == hint)
        #expect(failure?.exitCode == .usage)
    }

    @Test func `the error for a misplaced option of intentctl contains the corrected command line`() {
        let failure = #expect(throws: CommandFailure.self) {
            try parse(["--soup-name", "hot & sour", "--limit", "2m", "--guests", "3"], options: ["-d"])
        }
        #expect(
            failure?.hint
                == "write: intentctl run -d --limit 2m Soup/OrderSoup --soup-name 'hot & sour' --guests 3"
        )
        let flag = #expect(throws: CommandFailure.self) { try parse(["--detach", "--guests", "3"]) }
        #expect(flag?.hint == "write: intentctl run --detach Soup/OrderSoup --guests 3")
    }

    @Test func `the error for a missing parameter contains an example command line`() {
        let failure = #expect(throws: ParameterError.self) {
            try ParameterOptions.check(
                [:],
                for: order,
                readyLine: CatalogText.readyLine(order, target: ["Soup/OrderSoupIntent"])
            )
        }
        #expect(failure?.message == "OrderSoupIntent needs --soup-name (text)")
        #expect(failure?.hint == "for example: intentctl run Soup/OrderSoupIntent --soup-name text")
    }

    @Test func `the hint for a missing secret suggests no argument`() {
        var intent = order
        intent.parameters[0].isSecret = true
        let failure = #expect(throws: ParameterError.self) {
            try ParameterOptions.check([:], for: intent, readyLine: "intentctl run Soup/OrderSoup --soup-name text")
        }
        #expect(failure?.hint?.contains("--json -") == true && failure?.hint?.contains("--soup-name") == false)
    }

    @Test func `standard input can be used for only one file`() {
        let inputs: [String: ParameterInput] = [
            "soupName": .value(.string("x")), "a": .standardInput, "b": .standardInput,
        ]
        #expect(throws: ParameterError.self) { try ParameterOptions.check(inputs, for: order, readyLine: "") }
    }

    @Test func `a JSON object contains all parameters, by either form of their names`() throws {
        let text = #"{"soup-name": "x", "guests": 3, "price": 2, "salt": true, "recipe": "a.txt", "noSmoke": null}"#
        let json = try #require(JSONValue(parsing: Array(text.utf8)))
        #expect(
            try ParameterArguments.parse(json: json, for: order) == [
                "soupName": .value(.string("x")), "guests": .value(.int(3)), "price": .value(.double(2)),
                "salt": .value(.bool(true)), "recipe": .path("a.txt"),
            ]
        )
    }

    @Test(arguments: [#"{"guests": 1.5}"#, #"{"guests": "3"}"#, #"{"salt": 1}"#, #"{"gests": 1}"#, "[1]"])
    func `values in a JSON object are checked by type too`(_ text: String) throws {
        let json = try #require(JSONValue(parsing: Array(text.utf8)))
        #expect(throws: CommandFailure.self) { try ParameterArguments.parse(json: json, for: order) }
    }

    @Test func `an intent is found with and without its suffix`() throws {
        var limits = RunLimits()
        limits.runtimeMax = .seconds(120)
        let app = AppDescription(
            name: "Soup",
            executable: "/x/Soup",
            catalog: IntentCatalog(intents: [order]),
            limits: limits
        )
        #expect(try Selection.find("OrderSoup", in: app) == order)
        #expect(try Selection.find("OrderSoupIntent", in: app) == order)
        let failure = #expect(throws: CommandFailure.self) { try Selection.find("OrderSop", in: app) }
        #expect(failure?.exitCode == .notFound)
        #expect(failure?.hint == "did you mean 'OrderSoup'?")
    }

    @Test func `the schema of an intent lists types, defaults and required parameters`() {
        let schema = JSONSchema.parameters(of: order, file: .path).text()
        #expect(schema.contains(#""required":["soupName"]"#))
        #expect(schema.contains(#""guests":{"description":"default: 2","type":"integer"}"#))
    }
}
