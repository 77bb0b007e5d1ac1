import IntentCommandLine
package import IntentProtocol

/// A parameter of a tool: a property of its input schema.
package struct ToolParameter: Equatable, Sendable {
    /// The name of the property.
    package var property: String
    /// The parameter as clients receive it. Its name differs from the property if that is no name of a parameter.
    package var declaration: ParameterDeclaration
    /// True if the value is JSON as text, because no type of ours describes the schema.
    package var isJSONText: Bool

    /// The maximum length of a title and of a description, in Unicode scalars.
    static let titleLimit = 200
    static let descriptionLimit = 2000
    /// - Parameter name: The name of the parameter, which differs from those of the tool's other parameters.
    init(_ property: String, named name: String, _ schema: JSONValue, isRequired: Bool, in whole: ToolSchema) {
        self.property = property
        let form = PropertyForm(schema, in: whole)
        let members = form.schema.members
        isJSONText = form.type == nil
        let title = members["title"]?.text.map { String($0.prefix(scalars: Self.titleLimit)) }
        let description = (schema.members["description"] ?? members["description"])?.text
        var declaration = ParameterDeclaration(
            name: name,
            title: title.flatMap { $0.isEmpty ? nil : $0 } ?? property.readableTitle,
            summary: description.map { String($0.prefix(scalars: Self.descriptionLimit)) },
            type: form.type ?? .string
        )
        if form.type == nil {
            let text = WireCoding.excerpt(form.schema.text())
            declaration.summary = [declaration.summary, "JSON, as text, of the schema \(text)"].compactMap(\.self)
                .joined(separator: "; ")
        }
        declaration.isOptional = !isRequired || form.isNullable
        declaration.range = form.range
        declaration.size = form.size
        if let value = schema.members["default"] ?? members["default"], value != .null, !isJSONText,
            case .value(let input)? = ParameterInput.read(value, as: declaration.type)
        {
            declaration.defaultValue = try? declaration.type.accept(input, in: declaration.range)
        }
        self.declaration = declaration
    }

    /// Converts the value of the parameter to JSON for the server; nil if the parameter has no value.
    ///
    /// - Throws: ``ArgumentError`` for JSON text that is no JSON.
    func json(_ value: IntentValue?) throws(ArgumentError) -> JSONValue? {
        switch value {
        case nil, .null?: return nil
        case .string(let text)? where isJSONText:
            guard let json = JSONValue(parsing: Array(text.utf8)) else {
                throw ArgumentError("'\(declaration.name)': expected JSON, got '\(WireCoding.excerpt(text))'")
            }
            return json
        case .double(let number)?: return Int64(exactly: number).map { .int($0) } ?? .double(number)
        case .some(let value): return JSONValue(plain: value)
        }
    }
}

extension String {
    /// The words of a name, such as `repo_path` or `repoPath`, as a title.
    fileprivate var readableTitle: String {
        var words = ""
        var previous: Unicode.Scalar = " "
        for scalar in unicodeScalars.prefix(ToolParameter.titleLimit) {
            let isSeparator = scalar == "_" || scalar == "-"
            if scalar.properties.isUppercase, previous.properties.isLowercase { words += " " }
            words += isSeparator ? " " : scalar.properties.isUppercase ? String(scalar).lowercased() : String(scalar)
            previous = scalar
        }
        guard let first = words.unicodeScalars.first else { return self }
        return String(first).uppercased() + String(words.dropFirst(scalars: 1))
    }
}

/// What a schema says about the value of a property, as a type of ours.
struct PropertyForm {
    /// The schema without references, and without the alternative `null`.
    var schema: JSONValue
    /// The type of the value; nil if no type of ours describes it.
    var type: ValueType?
    var isNullable = false
    var range: NumberRange?
    var size: ElementCount?

    /// The maximum number of cases of an enumeration.
    private static let caseLimit = 200

    init(_ given: JSONValue, in whole: ToolSchema, depth: Int = 0) {
        schema = whole.resolved(given) ?? .object([:])
        // A type or null: `"type": ["string", "null"]`, or `anyOf` with two schemas.
        if let types = schema.members["type"]?.list, types.contains("null") {
            isNullable = true
            let rest = types.filter { $0 != "null" }
            schema = schema.adding(["type": rest.count == 1 ? rest[0] : .array(rest)])
        }
        for key in ["anyOf", "oneOf"] {
            guard let parts = schema.members[key]?.list else { continue }
            let rest = parts.filter { $0.members["type"] != "null" }
            if rest.count < parts.count { isNullable = true }
            guard rest.count == 1, let only = whole.resolved(rest[0]) else { continue }
            // What stands beside the alternatives describes the property: its title and its description.
            var members = only.members
            for (name, value) in schema.members where name != key { members[name] = value }
            schema = .object(members)
        }
        if let parts = schema.members["allOf"]?.list, parts.count == 1, let only = whole.resolved(parts[0]) {
            var members = only.members
            for (name, value) in schema.members where name != "allOf" { members[name] = value }
            schema = .object(members)
        }
        type = describedType(in: whole, depth)
    }

    private mutating func describedType(in whole: ToolSchema, _ depth: Int) -> ValueType? {
        let members = schema.members
        guard members["anyOf"] == nil, members["oneOf"] == nil, members["allOf"] == nil, members["not"] == nil else {
            return nil
        }
        if let cases = members["enum"]?.list { return Self.enumeration(cases, names: members["enumNames"]?.list) }
        switch members["type"]?.text {
        case "string": return Self.textType(members["format"]?.text)
        case "integer":
            range = Self.range(members)
            return .int
        case "number":
            range = Self.range(members)
            return .double
        case "boolean": return .bool
        case "object": return .object(ObjectType(title: Self.objectTitle(members)))
        case "array":
            // A list of lists is no type of ours.
            guard depth == 0 else { return nil }
            let element = PropertyForm(members["items"] ?? .object([:]), in: whole, depth: depth + 1)
            guard let type = element.type, !element.isNullable else { return nil }
            range = element.range
            let (least, most) = (members["minItems"]?.wholeNumber, members["maxItems"]?.wholeNumber)
            if least != nil || most != nil {
                size = ElementCount(minimum: least.map { Int(clamping: $0) }, maximum: most.map { Int(clamping: $0) })
            }
            return .array(type)
        default: return nil
        }
    }

    private static func textType(_ format: String?) -> ValueType {
        switch format {
        case "date-time": .date
        case "uri": .url
        default: .string
        }
    }

    /// Returns the enumeration of strings; nil for other values, and for values that a reader could not tell apart.
    private static func enumeration(_ cases: [JSONValue], names: [JSONValue]?) -> ValueType? {
        let texts = cases.compactMap(\.text)
        guard !texts.isEmpty, texts.count == cases.count, texts.count <= caseLimit, Set(texts).count == texts.count,
            texts.allSatisfy({ SafeText.line($0).utf8.count == $0.utf8.count })
        else { return nil }
        let titles = names?.compactMap(\.text) ?? []
        return .enumeration(
            texts.enumerated().map { index, text in
                EnumerationCase(value: text, title: titles.count == texts.count ? titles[index] : text)
            }
        )
    }

    private static func range(_ members: [String: JSONValue]) -> NumberRange? {
        let (least, most) = (members["minimum"]?.number, members["maximum"]?.number)
        guard least != nil || most != nil, (least ?? -.infinity) <= (most ?? .infinity) else { return nil }
        return NumberRange(lowerBound: least, upperBound: most)
    }

    private static func objectTitle(_ members: [String: JSONValue]) -> String {
        let names = (members["properties"]?.members.keys.sorted() ?? []).filter {
            SafeText.line($0).utf8.count == $0.utf8.count
        }
        let list = names.prefix(12).joined(separator: ", ")
        return names.isEmpty ? "JSON object" : "JSON object with \(list)\(names.count > 12 ? ", …" : "")"
    }
}
