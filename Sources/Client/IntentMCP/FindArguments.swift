import IntentCommandLine
import IntentProtocol

/// Parses the arguments of a find tool: a string to match or, if the app supports it, comparisons of properties.
enum FindArguments {
    static func schema(for parameter: ParameterDeclaration) -> JSONValue {
        var properties: [String: JSONValue] = [
            "text": ["type": "string", "description": "lists only the options that match this string"]
        ]
        if let search = parameter.search {
            let names = search.properties.map(\.name)
            let comparators = Set(search.properties.flatMap { $0.comparators.map(\.name) }).sorted()
            properties["where"] = [
                "type": "array", "description": "comparisons of properties; cannot be combined with text",
                "items": [
                    "type": "object", "required": ["property", "comparator", "values"],
                    "properties": [
                        "property": word(names), "comparator": word(comparators),
                        "values": [
                            "type": "array", "items": ["type": "string"], "minItems": 1, "maxItems": 2,
                            "description": "what to compare with, such as \"12.50\" or \"true\"",
                        ],
                    ],
                ],
            ]
            properties["match"] = word(["all", "any"])
            properties["limit"] = ["type": "integer", "minimum": 1]
            if !search.sortableBy.isEmpty {
                properties["sort_by"] = word(search.sortableBy)
                properties["descending"] = ["type": "boolean"]
            }
        }
        return JSONSchema.object(properties)
    }

    private static func word(_ words: [String]) -> JSONValue {
        ["type": "string", "enum": .array(words.map { .string($0) })]
    }

    static func query(
        _ arguments: [String: JSONValue],
        about parameter: ParameterDeclaration
    ) throws(ToolFailure) -> OptionsQuery {
        for name in arguments.keys.sorted() where schema(for: parameter).object?["properties"]?.object?[name] == nil {
            throw ToolFailure("unknown argument '\(WireCoding.excerpt(name))'")
        }
        let text = try arguments["text"].map { (value) throws(ToolFailure) in
            guard let text = value.text else { throw ToolFailure("'text': expected a string") }
            return text
        }
        guard let search = parameter.search, arguments.keys.contains(where: { $0 != "text" }) else {
            return OptionsQuery(parameter: parameter.name, text: text)
        }
        guard text == nil else { throw ToolFailure("'text' cannot be combined with other arguments") }
        var question = PropertySearch(joined: arguments["match"]?.text == "any" ? .any : nil)
        if case .array(let comparisons)? = arguments["where"], !comparisons.isEmpty {
            question.comparisons = try comparisons.map { (json) throws(ToolFailure) in try comparison(json, search) }
        }
        if let sorting = arguments["sort_by"] {
            guard let name = sorting.text, search.sortableBy.contains(name) else {
                throw ToolFailure("'sort_by': expected one of \(search.sortableBy.joined(separator: ", "))")
            }
            question.sortedBy = [
                .init(property: name, isDescending: (arguments["descending"] == .bool(true)).trueOrNil)
            ]
        }
        question.limit = try wholeNumber("limit", in: arguments, 1...Int(Int32.max))
        return OptionsQuery(parameter: parameter.name, search: question)
    }

    /// Returns the whole number in an argument; nil without the argument.
    static func wholeNumber(
        _ name: String,
        in arguments: [String: JSONValue],
        _ range: ClosedRange<Int>
    ) throws(ToolFailure) -> Int? {
        guard let given = arguments[name] else { return nil }
        if case .int(let number) = given, let number = Int(exactly: number), range.contains(number) { return number }
        throw ToolFailure("'\(name)': expected a whole number from \(range.lowerBound) to \(range.upperBound)")
    }

    private static func comparison(
        _ json: JSONValue,
        _ search: PropertySearchDeclaration
    ) throws(ToolFailure) -> PropertySearch.Comparison {
        let members = json.object ?? [:]
        guard let name = members["property"]?.text, let property = search.properties.first(where: { $0.name == name })
        else {
            let names = search.properties.map(\.name).joined(separator: ", ")
            throw ToolFailure("'where': expected one of the properties \(names)")
        }
        guard let word = members["comparator"]?.text,
            let comparator = property.comparators.first(where: { $0.name == word })
        else {
            let names = property.comparators.map(\.name).joined(separator: ", ")
            throw ToolFailure("'where': expected one of the comparators of \(name): \(names)")
        }
        guard case .array(let given)? = members["values"], given.count == comparator.operandCount else {
            throw ToolFailure(
                "'where': wrong number of values for \(name) \(word); expected \(comparator.operandCount)"
            )
        }
        let declaration = ParameterDeclaration(name: name, title: name, type: comparator.type)
        let values = try given.map { (json) throws(ToolFailure) in
            try ToolFailure.mapping { () throws(ParameterError) in
                // The schema says that values are strings, because hosts accept no list of types.
                if let text = json.text, let input = ParameterInput.read(text, as: comparator.type.element) {
                    return input.plainValue
                }
                return try ParameterInput(json: json, for: declaration, location: " in 'where'")?.plainValue ?? .null
            }
        }
        return PropertySearch.Comparison(property: name, comparator: word, values: values)
    }
}
