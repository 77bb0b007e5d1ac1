package import IntentSharedTypes

/// Creates JSON Schemas for the types of parameters and results (draft 2020-12, json-schema.org).
package enum JSONSchema {
    /// The representation of a file in a schema.
    package enum FileForm: Sendable {
        case path
        case uri
    }

    package static let dialect = JSONValue.string("https://json-schema.org/draft/2020-12/schema")

    /// Returns the schema of an object with a member for each parameter.
    package static func parameters(of intent: IntentDeclaration, file: FileForm) -> JSONValue {
        // A catalogue may be invalid. If two parameters have the same name, use the first.
        let properties = Dictionary(intent.parameters.map { ($0.name, of($0, file: file)) }) { first, _ in first }
        return .object([
            "$schema": dialect,
            "type": .string("object"),
            "properties": .object(properties),
            "required": .array(intent.parameters.filter(\.isRequired).map { .string($0.name) }),
            "additionalProperties": .bool(false),
        ])
    }

    /// Returns the schema of one parameter, with its title, description and default value.
    package static func of(_ parameter: ParameterDeclaration, file: FileForm) -> JSONValue {
        var members = members(of: parameter.type, in: parameter.range, file: file)
        members["minItems"] = (parameter.size?.minimum).map { .int(Int64($0)) }
        members["maxItems"] = (parameter.size?.maximum).map { .int(Int64($0)) }
        members["title"] = .string(parameter.title)
        let form = members["description"].flatMap { if case .string(let text) = $0 { text } else { nil } }
        let summary = (parameter.summary ?? parameter.question).map { form == nil ? $0 : Self.withoutStop($0) }
        let about = [summary, form].compactMap(\.self).joined(separator: "; ")
        if !about.isEmpty { members["description"] = .string(about) }
        if let value = parameter.defaultValue { members["default"] = JSONValue(plain: value) }
        switch parameter.dateKind {
        case .date?: members["format"] = .string("date")
        case .time?:
            members["format"] = nil
            members["description"] = .string(
                [about, "a time of day: HH:MM"].filter { !$0.isEmpty }.joined(separator: "; ")
            )
        case .some, nil: break
        }
        return .object(members)
    }

    /// Removes the full stop at the end of a string, so that more text can follow.
    private static func withoutStop(_ text: String) -> String {
        text.hasSuffix(utf8: ".") && !text.hasSuffix(utf8: "..") ? String(text.dropLast(scalars: 1)) : text
    }

    /// Returns the schema of a type, such as the type of a result.
    package static func of(_ type: ValueType, file: FileForm) -> JSONValue {
        .object(members(of: type, in: nil, file: file))
    }

    private static func members(
        of type: ValueType,
        in range: NumberRange?,
        file: FileForm
    ) -> [String: JSONValue] {
        switch type {
        case .string: ["type": .string("string")]
        case .int: ["type": .string("integer")].merging(bounds(range)) { $1 }
        case .double: ["type": .string("number")].merging(bounds(range)) { $1 }
        case .bool: ["type": .string("boolean")]
        case .file: ["type": .string("string"), "format": .string(file == .path ? "path" : "uri")]
        // A string is the first alternative, because a JSON number cannot represent every digit of a decimal.
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
            [
                "type": .string("string"), "enum": .array(choices.map { .string($0.value) }),
                "oneOf": .array(choices.map { .object(["const": .string($0.value), "title": .string($0.title)]) }),
            ]
        case .array(let element):
            ["type": .string("array"), "items": .object(members(of: element, in: range, file: file))]
        case .entity(let type):
            [
                "type": .array([.string("string"), .string("integer"), .string("object")]),
                "description": .string("the id of a \(type.title)"),
            ]
        case .object(let type):
            [
                "type": .string("object"), "description": .string(type.title),
                "properties": .object(
                    Dictionary(type.properties.map { ($0.name, .object(members(of: $0.type, in: nil, file: file))) }) {
                        first,
                        _ in
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
                    "a number with a currency code\(codes.isEmpty ? "" : ": " + codes.joined(separator: ", "))"
                ),
                "pattern": .string("^-?[0-9]+(\\.[0-9]+)? [A-Z]{3}$"),
            ]
        case .dateComponents:
            ["type": .string("string"), "description": .string("YYYY-MM-DD, HH:MM, or YYYY-MM-DD HH:MM")]
        // Return a schema that matches no value.
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
