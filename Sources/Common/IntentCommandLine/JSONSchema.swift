package import IntentSharedTypes

/// Creates JSON Schemas for the types of parameters and results (json-schema.org), in the subset that every host of
/// models accepts: no list of types, no `$schema`, `const`, `oneOf`, `default` and `additionalProperties`, no format
/// except `date-time`. What the subset cannot say is in descriptions.
package enum JSONSchema {
    /// The representation of a file in a schema.
    package enum FileForm: Sendable {
        case path
        case uri
    }

    /// The maximum length of an enumeration's titles in a description, in Unicode scalars.
    private static let titlesLimit = 512

    /// Returns the schema of an object with a member for each parameter.
    ///
    /// - Parameter note: Returns a sentence that follows a parameter's description; nil for none.
    package static func parameters(
        of intent: IntentDeclaration,
        file: FileForm,
        note: (ParameterDeclaration) -> String? = { _ in nil }
    ) -> JSONValue {
        // A catalogue may be invalid. If two parameters have the same name, use the first.
        let properties = Dictionary(intent.parameters.map { ($0.name, of($0, file: file, note: note($0))) }) {
            first,
            _ in
            first
        }
        return object(properties, required: intent.parameters.filter(\.isRequired).map(\.name))
    }

    /// Returns the schema of an object. Some hosts refuse an empty list of required members.
    package static func object(_ properties: [String: JSONValue], required: [String] = []) -> JSONValue {
        .members([
            "type": "object", "properties": .object(properties),
            "required": required.isEmpty ? nil : .array(required.map { .string($0) }),
        ])
    }

    /// Returns the schema of one parameter, with its title, and its description and default value in words.
    package static func of(_ parameter: ParameterDeclaration, file: FileForm, note: String? = nil) -> JSONValue {
        var members = members(of: parameter.type, in: parameter.range, file: file)
        members["minItems"] = (parameter.size?.minimum).map { .int(Int64($0)) }
        members["maxItems"] = (parameter.size?.maximum).map { .int(Int64($0)) }
        // A title that repeats the name says nothing.
        let isTelling = !parameter.title.lowercased().utf8.filter { $0 != UInt8(ascii: " ") }
            .elementsEqual(parameter.name.lowercased().utf8)
        members["title"] = isTelling ? .string(parameter.title) : nil
        var form = members["description"].flatMap { if case .string(let text) = $0 { text } else { nil } }
        switch parameter.dateKind {
        case .date?: (members["format"], form) = (nil, "a day: YYYY-MM-DD")
        case .time?: (members["format"], form) = (nil, "a time of day: HH:MM")
        case .some, nil: break
        }
        let value = parameter.defaultValue.map { "default: \(JSONValue(plain: $0).text())" }
        let rest = [form, note, value].compactMap(\.self)
        let summary = (parameter.summary ?? parameter.question).map { rest.isEmpty ? $0 : withoutStop($0) }
        let about = ([summary].compactMap(\.self) + rest).joined(separator: "; ")
        members["description"] = about.isEmpty ? nil : .string(about)
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
        case .string: ["type": "string"]
        case .int: ["type": "integer"].merging(bounds(range)) { $1 }
        case .double: ["type": "number"].merging(bounds(range)) { $1 }
        case .bool: ["type": "boolean"]
        case .file: text(file == .path ? "the path of a file" : "the URI of a file (file:, data:, or from a result)")
        // A string, because a JSON number cannot represent every digit of a decimal.
        case .decimal:
            text("a decimal number, such as 12.50" + words(range)).merging(["pattern": "^-?[0-9]+(\\.[0-9]+)?$"]) { $1 }
        case .date: ["type": "string", "format": "date-time"]
        case .url: text("a URL")
        case .duration: ["type": "number", "description": "seconds"].merging(bounds(range)) { $1 }
        case .enumeration(let choices):
            [
                "type": "string", "enum": .array(choices.map { .string($0.value) }),
                "description": titles(choices).map { .string($0) },
            ].compactMapValues(\.self)
        case .array(let element): ["type": "array", "items": .object(members(of: element, in: range, file: file))]
        case .entity(let type): text("the id of a \(type.title)")
        case .object(let type):
            object(
                Dictionary(type.properties.map { ($0.name, of($0, file: file)) }) { first, _ in first },
                required: type.properties.filter { $0.isRequired == true }.map(\.name)
            ).members.merging(["description": .string(type.title)]) { $1 }
        case .measurement(let units):
            text("a number with a unit, such as 5 km; units: \(units.joined(separator: ", "))")
        case .currencyAmount(let codes):
            text(
                "an amount, such as 12.50 EUR" + (codes.isEmpty ? "" : "; currencies: \(codes.joined(separator: ", "))")
            )
            .merging(["pattern": "^-?[0-9]+(\\.[0-9]+)? [A-Z]{3}$"]) { $1 }
        case .dateComponents: text("YYYY-MM-DD, HH:MM, or YYYY-MM-DD HH:MM")
        case .unknown: text("a type that this release does not support: omit it")
        }
    }

    /// Returns the schema of a property, with its description.
    private static func of(_ property: PropertyDeclaration, file: FileForm) -> JSONValue {
        var members = members(of: property.type, in: nil, file: file)
        guard let summary = property.summary else { return .object(members) }
        let form =
            if case .string(let text)? = members["description"] { "\(withoutStop(summary)); \(text)" } else { summary }
        members["description"] = .string(form)
        return .object(members)
    }

    private static func text(_ description: String) -> [String: JSONValue] {
        ["type": "string", "description": .string(description)]
    }

    /// The cases with a title that says more than the value: `tomato: Tomato soup`. Nil without one.
    private static func titles(_ choices: [EnumerationCase]) -> String? {
        let titled = choices.filter { $0.title.lowercased() != $0.value.lowercased() }
        guard !titled.isEmpty else { return nil }
        let all = titled.map { "\($0.value): \($0.title)" }.joined(separator: ", ")
        return all.scalarCount > titlesLimit ? "\(all.prefix(scalars: titlesLimit))…" : all
    }

    private static func words(_ range: NumberRange?) -> String {
        let bounds = [
            range?.lowerBound.map { "at least \(NumberText.short($0))" },
            range?.upperBound.map { "at most \(NumberText.short($0))" },
        ].compactMap(\.self)
        return bounds.isEmpty ? "" : ", " + bounds.joined(separator: ", ")
    }

    private static func bounds(_ range: NumberRange?) -> [String: JSONValue] {
        func number(_ bound: Double) -> JSONValue { Int64(exactly: bound).map(JSONValue.int) ?? .double(bound) }
        var members: [String: JSONValue] = [:]
        members["minimum"] = range?.lowerBound.map(number)
        members["maximum"] = range?.upperBound.map(number)
        return members
    }
}
