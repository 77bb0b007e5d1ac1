import IntentLauncherMessages
import TestSupport
import Testing

/// Tests which callers receive an entity and its properties, and the entities that agents fill in.
@Suite(.ownThread) struct EntityAccessTests {
    private static let named = "requiresAuthentication"
    private static let present = "requiresLocalDeviceAuthentication"

    private func run(
        _ intent: String,
        _ values: [String: IntentValue] = [:],
        authentication: String? = nil,
        isUncertain: Bool? = nil,
        query: OptionsQuery? = nil
    ) throws -> RunRecord {
        try AppProcess.run(
            intent,
            of: "CompileShapes6",
            values,
            query: query,
            authentication: authentication,
            isUncertain: isUncertain
        )
    }

    private func properties(_ value: IntentValue?) throws -> [String] {
        let value = if case .array(let values)? = value { values.first } else { value }
        guard case .object(let members)? = value, case .object(let properties)? = members["properties"] else {
            throw AppProcess.Failure(description: "no entity: \(String(describing: value))")
        }
        return properties.keys.sorted()
    }

    @Test(arguments: [
        (nil, ["name", "note"]), (named, ["name", "note", "phone", "place"]),
        (present, ["card", "name", "note", "phone", "place"]),
    ])
    func `a result has the properties that the caller's authentication permits`(
        _ authentication: String?,
        _ names: [String]
    ) throws {
        let record = try run("ReadContact", ["contact": .string("1")], authentication: authentication)
        #expect(try properties(record.value) == names)
        #expect(!"\(record)".contains("secret"))
        let query = OptionsQuery(parameter: "contact", identifier: "2")
        #expect(try properties(try run("ReadContact", authentication: authentication, query: query).value) == names)
    }

    @Test(arguments: [
        ("name", "Ada", nil, true), ("phone", "+39 1", nil, false), ("phone", "nowhere", nil, false),
        ("phone", "+39 1", named, true), ("card", "4000 1", named, false), ("card", "4000 1", present, true),
        ("taxID", "secret 1", present, false), ("taxID", "nothing", present, false),
    ])
    func `a search names only properties that the caller may receive`(
        _ property: String,
        _ value: String,
        _ authentication: String?,
        _ isPermitted: Bool
    ) throws {
        let comparison = PropertySearch.Comparison(
            property: property,
            comparator: "equalTo",
            values: [.string(value)]
        )
        let query = OptionsQuery(parameter: "contact", search: PropertySearch(comparisons: [comparison]))
        let record = try run("ReadContact", authentication: authentication, query: query)
        #expect((record.message == nil) == isPermitted)
        #expect(isPermitted || record.message?.contains("'\(property)'") == true)
        #expect(record.result.details?.code == (isPermitted ? nil : "notAllowed"))
    }

    @Test func `sorting by an internal property is refused`() throws {
        let search = PropertySearch(sortedBy: [PropertySearch.Order(property: "taxID")])
        let record = try run(
            "ReadContact",
            authentication: Self.present,
            query: OptionsQuery(parameter: "contact", search: search)
        )
        #expect(record.message?.contains("'taxID'") == true)
    }

    @Test func `an entity's policy protects its title, its properties, its use as a value and lists of it`() throws {
        let value = try run("ReadVault").value
        #expect(value == .object(["id": .string("9"), "title": .string("Vault")]))
        let refused = try run("ReadVault", ["vault": .string("1")])
        #expect(refused.message?.contains("requires a user whom [Access] names") == true)
        let list = try run("ReadVault", query: OptionsQuery(parameter: "vault"))
        #expect(list.result.details?.code == "notAllowed" && !"\(list)".contains("gold"))
        let permitted = try run("ReadVault", ["vault": .string("1")], authentication: Self.named)
        #expect("\(String(describing: permitted.value))".contains("Vault of gold"))
        let options = try run("ReadVault", authentication: Self.named, query: OptionsQuery(parameter: "vault"))
        #expect("\(String(describing: options.value))".contains("gold"))
    }

    @Test func `a generable entity is an object with described and required properties`() throws {
        let intent = try AppProcess.declaration(of: "PlanTrip", in: "CompileShapes6")
        guard case .object(let type)? = intent.parameters.first?.type else {
            Issue.record("\(intent.parameters)")
            return
        }
        #expect(
            type.properties == [
                PropertyDeclaration(
                    name: "city",
                    title: "City",
                    type: .string,
                    summary: "The city to visit",
                    isRequired: true
                ), PropertyDeclaration(name: "days", title: "Days", type: .int, summary: "How long the trip is"),
            ]
        )
        let trip = IntentValue.object(["city": .string("Rome"), "days": .int(3)])
        let draft = IntentValue.object(["message": .string("Hello")])
        #expect(try run("PlanTrip", ["trip": trip, "draft": draft]).text == "Rome 3 100 Hello")
        let incomplete = try run("PlanTrip", ["trip": .object(["days": .int(3)])])
        #expect(incomplete.message?.contains("an object (Trip) with 'city'") == true)
        let own = try run("PlanTrip", ["trip": .object(["city": .string("Rome"), "price": .int(1)])])
        #expect(own.message?.contains("unknown property 'price'") == true)
        #expect(intent.parameters.first?.hasOptions == nil)
    }

    @Test func `an entity with a view is shown as the result's snippet`() throws {
        let snippet = try run("ReadContact", ["contact": .string("1")]).result.details?.snippet
        #expect("\(String(describing: snippet))".contains("Card of Ada"))
    }

    @Test func `a confirmation for uncertain sources is requested only from an agent's person`() throws {
        #expect(try run("Rename").text == "renamed")
        let worker = try AppProcess.performing("Rename", of: "CompileShapes6", isUncertain: true)
        for _ in 1...2 {
            let question = try worker.question()
            #expect(question.text == "Really?" || question.text == "Rename?")
            try worker.send(.answer(question: question.number, value: .bool(true)))
        }
        #expect(try worker.result().text == "renamed")
        #expect(try worker.acknowledge() == 0)
    }
}
