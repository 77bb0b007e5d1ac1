import Foundation
import IntentCommandLine
import IntentProtocol
import TestSupport
import Testing

@testable import IntentMCP

/// Tests the schemas of tools against the subsets that hosts of models accept.
@Suite struct ToolSchemaTests {
    private static let types: [ValueType] = [
        .string, .int, .double, .bool, .file, .decimal, .date, .url, .duration, .dateComponents, .unknown("later"),
        .enumeration([EnumerationCase(value: "tomato", title: "Tomato soup"), EnumerationCase(value: "b", title: "B")]),
        .entity(EntityType(name: "Soup", title: "Soup")), .measurement(units: ["m", "km"]),
        .currencyAmount(codes: []), .currencyAmount(codes: ["EUR"]),
        .object(
            ObjectType(
                title: "Place",
                properties: [
                    PropertyDeclaration(
                        name: "where",
                        title: "Where",
                        type: .url,
                        summary: "The site.",
                        isRequired: true
                    ),
                    PropertyDeclaration(name: "prices", title: "Prices", type: .array(.decimal)),
                ]
            )
        ),
    ]

    /// An app with a parameter of each type, alone, in a list and with every other property.
    private static let app: AppDescription = {
        var parameters: [ParameterDeclaration] = []
        for (index, type) in types.enumerated() {
            parameters.append(ParameterDeclaration(name: "p\(index)", title: "P", type: type, hasOptions: true))
            parameters.append(ParameterDeclaration(name: "q\(index)", title: "Q", type: .array(type)))
            var bounded = ParameterDeclaration(
                name: "r\(index)",
                title: "R",
                type: type,
                defaultValue: .null,
                range: NumberRange(lowerBound: 1, upperBound: 2.5)
            )
            if type == .date || type == .dateComponents { bounded.dateKind = type == .date ? .date : .time }
            bounded.summary = "A value."
            parameters.append(bounded)
        }
        parameters[0].search = PropertySearchDeclaration(
            properties: [
                SearchableProperty(name: "price", comparators: [PropertyComparator(name: "lessThan", type: .double)])
            ],
            sortableBy: ["price"]
        )
        let intents = [IntentDeclaration(name: "All", title: "All", parameters: parameters), MCPPeer.clean]
        return AppDescription(
            name: "Types",
            executable: "/t",
            catalog: IntentCatalog(intents: intents),
            limits: MCPPeer.limits
        )
    }()

    @Test func `every host accepts the arguments of every tool, whatever their types`() throws {
        let subsets = try SchemaSubset.all()
        #expect(subsets.count == 3)
        for tool in ToolTable([Self.app]).tools {
            let schema = try JSONSerialization.jsonObject(with: Data(tool.inputSchema.text().utf8))
            for subset in subsets {
                #expect(subset.problems(in: schema) == [], "\(subset.host), \(tool.name)")
            }
        }
    }

    @Test func `an agent reads how to fill in an object, and which properties it requires`() {
        let schema = JSONSchema.of(Self.types[16], file: .uri).members
        #expect(schema["required"] == ["where"] && schema["description"] == "Place")
        #expect(schema["properties"]?.members["where"]?.members["description"] == "The site; a URL")
        #expect(schema["properties"]?.members["prices"]?.members["description"] == nil)
    }

    @Test(arguments: [
        #"{"type":["string","null"]}"#, #"{"oneOf":[{"const":"a"}]}"#, #"{"type":"object","$schema":"x"}"#,
        #"{"type":"object","properties":{"a":{"type":"string","format":"uri-template"}}}"#, #"{"type":"array"}"#,
        #"{"type":"object","required":[]}"#,
    ])
    func `the check finds what a host refuses`(_ schema: String) throws {
        let schema = try JSONSerialization.jsonObject(with: Data(schema.utf8))
        for subset in try SchemaSubset.all() { #expect(!subset.problems(in: schema).isEmpty, "\(subset.host)") }
    }

    @Test func `what the schema cannot express is described`() throws {
        let schema = JSONSchema.parameters(of: Self.app.intents?[0] ?? MCPPeer.order, file: .uri)
        let described = schema.members["properties"]?.members.mapValues { $0.members["description"]?.text ?? "" } ?? [:]
        #expect(described["r5"] == "A value; a decimal number, such as 12.50, at least 1, at most 2.5; default: null")
        #expect(described["p11"] == "tomato: Tomato soup" && described["p12"] == "the id of a Soup")
        #expect(described["p13"] == "a number with a unit, such as 5 km; units: m, km")
    }

    @Test func `values of comparisons are strings, as their schema says, or have the type of the property`() throws {
        var parameter = MCPPeer.order.parameters[0]
        parameter.search = PropertySearchDeclaration(
            properties: [
                SearchableProperty(name: "price", comparators: [PropertyComparator(name: "lessThan", type: .double)])
            ],
            sortableBy: []
        )
        for value in [#""3.5""#, "3.5"] {
            let json = #"{"where":[{"property":"price","comparator":"lessThan","values":[\#(value)]}]}"#
            let query = try FindArguments.query(JSONValue(parsing: Array(json.utf8))?.object ?? [:], about: parameter)
            #expect(query.search?.comparisons?.first?.values == [.double(3.5)])
        }
    }

    @Test func `a form keeps the titles of choices, in the form that its own schema requires`() throws {
        let cases = [EnumerationCase(value: "tomato", title: "Tomato soup")]
        for (type, key) in [(ValueType.enumeration(cases), "oneOf"), (.array(.enumeration(cases)), "items")] {
            let form = try #require(Elicitation(Question(number: 1, text: "Which?", type: type, kind: .value)))
            let shown = form.request(about: "", refusal: nil).members["params"]?.members["requestedSchema"]
            let field = try #require(shown?.members["properties"]?.members["value"]?.members[key])
            let titled: JSONValue = [["const": "tomato", "title": "Tomato soup"]]
            #expect(field == titled || field == ["anyOf": titled])
        }
    }
}
