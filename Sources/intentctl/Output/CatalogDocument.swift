package import IntentClient

/// Catalogues as JSON: the types of the protocol, with a JSON Schema and a command line for each intent.
package enum CatalogDocument {
    package static func of(_ apps: [AppDescription]) -> JSONValue {
        .object(["apps": .array(apps.map(of))])
    }

    package static func of(_ app: AppDescription) -> JSONValue {
        var members = JSONValue(app).members
        // The catalogue's members are merged into the app's.
        if let catalog = members.removeValue(forKey: "catalog") { members.merge(catalog.members) { own, _ in own } }
        members["intents"] = app.intents.map { .array($0.map { of($0, app: app.name) }) }
        return .object(members)
    }

    package static func of(_ intent: IntentDeclaration, app: String) -> JSONValue {
        JSONValue(intent).adding([
            "app": .string(app),
            "schema": schema(of: intent),
            "commandLine": .string(CatalogText.readyLine(intent, target: ["\(app)/\(intent.name)"])),
        ])
    }

    /// The JSON Schema of the object for `run --json`.
    package static func schema(of intent: IntentDeclaration) -> JSONValue {
        let properties = intent.parameters.map { parameter -> (String, JSONValue) in
            var members = members(of: parameter.type, in: parameter.range)
            members["minItems"] = (parameter.size?.minimum).map { .int(Int64($0)) }
            members["maxItems"] = (parameter.size?.maximum).map { .int(Int64($0)) }
            members["title"] = .string(parameter.title)
            if let text = parameter.summary ?? parameter.question { members["description"] = .string(text) }
            if let value = parameter.defaultValue { members["default"] = ValueText.document(value) }
            return (parameter.name, .object(members))
        }
        return .object([
            "$schema": .string("https://json-schema.org/draft/2020-12/schema"),
            "type": .string("object"),
            // A catalogue may be invalid: if two parameters have the same name, use the first.
            "properties": .object(Dictionary(properties) { first, _ in first }),
            "required": .array(intent.parameters.filter(\.isRequired).map { .string($0.name) }),
            "additionalProperties": .bool(false),
        ])
    }

    private static func schema(_ type: ValueType) -> JSONValue { .object(members(of: type, in: nil)) }

    private static func members(of type: ValueType, in range: NumberRange?) -> [String: JSONValue] {
        switch type {
        case .string: ["type": .string("string")]
        case .int: ["type": .string("integer")].merging(bounds(range)) { $1 }
        case .double: ["type": .string("number")].merging(bounds(range)) { $1 }
        case .bool: ["type": .string("boolean")]
        case .file: ["type": .string("string"), "format": .string("path")]
        // Text is the first alternative, because a JSON number cannot represent every digit of a decimal.
        case .decimal:
            [
                "type": .array([.string("string"), .string("number")]),
                "pattern": .string("^-?[0-9]+(\\.[0-9]+)?$"),
            ].merging(bounds(range)) { $1 }
        case .date: ["type": .string("string"), "format": .string("date-time")]
        case .url: ["type": .string("string"), "format": .string("uri")]
        case .duration:
            ["type": .string("number"), "description": .string("seconds")].merging(bounds(range)) { $1 }
        case .enumeration(let choices):
            ["type": .string("string"), "enum": .array(choices.map { .string($0.value) })]
        case .array(let element): ["type": .string("array"), "items": .object(members(of: element, in: range))]
        case .entity(let type):
            [
                "type": .array([.string("string"), .string("integer"), .string("object")]),
                "description": .string("the id of a \(type.title)"),
            ]
        case .object(let type):
            [
                "type": .string("object"), "description": .string(type.title),
                "properties": .object(
                    Dictionary(type.properties.map { ($0.name, .object(members(of: $0.type, in: nil))) }) { first, _ in
                        first
                    }
                ),
            ]
        case .measurement(let units):
            [
                "type": .array([.string("string"), .string("number")]),
                "description": .string("a number with a unit: \(units.joined(separator: ", "))"),
            ]
        case .currencyAmount(let codes):
            [
                "type": .string("string"),
                "description": .string(
                    "a number with a currency's code\(codes.isEmpty ? "" : ": " + codes.joined(separator: ", "))"
                ),
                "pattern": .string("^-?[0-9]+(\\.[0-9]+)? [A-Z]{3}$"),
            ]
        case .dateComponents:
            ["type": .string("string"), "description": .string("YYYY-MM-DD, HH:MM, or YYYY-MM-DD HH:MM")]
        // A schema that no value matches.
        case .unknown: ["not": .object([:])]
        }
    }

    private static func bounds(_ range: NumberRange?) -> [String: JSONValue] {
        func number(_ bound: Double) -> JSONValue { Int64(exactly: bound).map(JSONValue.int) ?? .double(bound) }
        var members: [String: JSONValue] = [:]
        members["minimum"] = range?.lowerBound.map(number)
        members["maximum"] = range?.upperBound.map(number)
        return members
    }
}
