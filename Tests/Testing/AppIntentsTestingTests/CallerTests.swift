import AppIntents
import AppIntentsTesting
import Testing

/// Tests runs of callers with different permissions, and expectations about values.
@Suite struct CallerTests {
    struct Vault: AppEntity {
        static let typeDisplayRepresentation: TypeDisplayRepresentation = "Vault"
        static let defaultQuery = VaultQuery()
        static let authenticationPolicy = IntentAuthenticationPolicy.requiresAuthentication

        let id: String
        var displayRepresentation: DisplayRepresentation { "Vault \(id)" }
    }

    struct VaultQuery: EntityQuery {
        func entities(for identifiers: [String]) async throws -> [Vault] { identifiers.map { Vault(id: $0) } }
    }

    struct Open: AppIntent {
        static let title: LocalizedStringResource = "Open"
        @Parameter(title: "Vault") var vault: Vault

        init() {}

        init(_ vault: Vault) { self.vault = vault }

        func perform() async throws -> some IntentResult & ReturnsValue<String> {
            try await requestConfirmation(conditions: .lowConfidenceSource, dialog: "Really?")
            return .result(value: vault.id)
        }
    }

    @Test func `a person is not asked to confirm a request, but the person of an agent is`() async throws {
        try await withIntentRun(answers: .unavailable) { run in
            let end = try await run.perform(Open(Vault(id: "a")))
            #expect(end == .done("a"))
        }
        try await withIntentRun(answers: .unavailable, caller: .agent) { run in
            let end = try await run.perform(Open(Vault(id: "a")))
            #expect(!end.isDone && "\(end)".contains("Really?"))
        }
    }

    @Test func `a caller who does not satisfy an entity's policy cannot pass the entity`() async throws {
        try await withIntentRun(caller: IntentTestCaller(authentication: .alwaysAllowed)) { run in
            let end = try await run.perform(Open(Vault(id: "a")))
            #expect("\(end)".contains("requires a user whom [Access] names"), "\(end)")
        }
    }

    private static let values: [(any IntentValueExpectation, (any Sendable)?, Bool)] = [
        (PrimitiveExpectation.isNil, nil, true), (PrimitiveExpectation.isNil, "a", false),
        (PrimitiveExpectation.notNil, 3, true), (PrimitiveExpectation.notNil, nil, false),
        (PrimitiveExpectation.equals("é"), "é", true), (PrimitiveExpectation.equals("a"), "A", false),
        (PrimitiveExpectation.equals(3), 3, true), (PrimitiveExpectation.equals(3), "3", false),
        (PrimitiveExpectation.equals([1, 2]), [1, 2], true), (PrimitiveExpectation.equals("x"), nil, false),
        (PrimitiveExpectation.contains("AS"), "NASA", true), (PrimitiveExpectation.contains("as"), "NASA", false),
        (PrimitiveExpectation.contains("1"), 1, false), (PrimitiveExpectation.contains(regex: "^N.*A$"), "NASA", true),
        (PrimitiveExpectation.contains(regex: "^A"), "NASA", false),
        (PrimitiveExpectation.contains(regex: "("), "(", false),
    ]

    @Test(arguments: values.indices)
    func `an expectation is met by certain values`(_ index: Int) {
        let (expectation, value, isMet) = Self.values[index]
        #expect(expectation.isSatisfied(by: value) == isMet)
    }

    @Test func `an entity meets an expectation about its identifier, and its properties are checked one by one`() {
        let books = IntentDefinitions(executable: "/nonexistent").entities["Book"]
        let dune = books.makeReference(identifier: "1")
        #expect(books.isSatisfied(by: dune) && !books.isSatisfied(by: "1"))
        #expect(books.expectIdentifier("1").isSatisfied(by: dune) && books.expectIdentifier("1").isSatisfied(by: "1"))
        #expect(!books.expectIdentifier("2").isSatisfied(by: dune))
        // A reference has no properties.
        #expect(!books.expect(title: .equals("Dune")).isSatisfied(by: dune))
        #expect(!books.expectIdentifier("1").expect(title: .notNil).isSatisfied(by: dune))
    }

    @Test func `a transient entity meets an expectation about its properties`() {
        let definitions = IntentDefinitions(executable: "/nonexistent")
        let trip = definitions.transientEntities["Trip"].makeEntity(city: "Rome", days: 3)
        let expected = definitions.entities["Trip"]
        #expect(expected.expect(city: .contains("Ro"), days: .equals(3), note: .isNil).isSatisfied(by: trip))
        #expect(!expected.expect(city: .equals("Paris")).isSatisfied(by: trip))
        let intent = definitions.intents["Plan"].makeIntent(trip: trip)
        #expect(definitions.intents["Plan"].expect(trip: .notNil, other: nil).isSatisfied(by: intent))
        #expect(definitions.intents["Plan"].expect(other: .isNil).isSatisfied(by: intent))
        #expect(!definitions.intents["Other"].isSatisfied(by: intent))
    }
}
