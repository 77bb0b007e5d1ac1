/// Parses the search options of the `options` command: `--where`, `--sort`, `--any` and `--limit`.
package enum SearchArguments {
    /// The operators that users can write instead of the names of comparators.
    private static let signs = [
        "=": "equalTo", "==": "equalTo", "!=": "notEqualTo", "<": "lessThan", "<=": "lessThanOrEqualTo",
        ">": "greaterThan", ">=": "greaterThanOrEqualTo",
    ]

    /// Returns the search, or nil if the command line contains no search options.
    package static func question(
        of invocation: Invocation,
        about parameter: ParameterDeclaration
    ) throws(CommandFailure) -> PropertySearch? {
        let conditions = invocation.lists["where"] ?? []
        let orders = invocation.lists["sort"] ?? []
        guard !conditions.isEmpty || !orders.isEmpty || invocation.has("any") || invocation.has("limit") else {
            return nil
        }
        guard let search = parameter.search else {
            throw bad(
                "the options of '\(parameter.name)' cannot be searched by properties",
                hint: "its query is not an EntityPropertyQuery: use TEXT, or list all options"
            )
        }
        var question = PropertySearch(joined: invocation.has("any") ? .any : nil)
        if !conditions.isEmpty {
            question.comparisons = try conditions.map { (text) throws(CommandFailure) in try comparison(text, search) }
        }
        if !orders.isEmpty {
            question.sortedBy = try orders.map { (text) throws(CommandFailure) in try order(text, search) }
        }
        if let text = invocation["limit"] {
            guard let limit = Int(text), limit > 0 else {
                throw bad(
                    "--limit: expected a whole number of at least 1, got '\(text)'",
                    hint: "for example: --limit 20"
                )
            }
            question.limit = limit
        }
        return question
    }

    /// Parses a condition: `'pages >= 100'`, `'title hasPrefix Du'`, `'pages isBetween 100 and 200'`.
    private static func comparison(
        _ text: String,
        _ search: PropertySearchDeclaration
    ) throws(CommandFailure) -> PropertySearch.Comparison {
        let words = text.split(scalar: " ", maxSplits: 2).map(String.init)
        guard words.count >= 2 else {
            throw bad(
                "--where: expected a property, a comparator and a value, got '\(text)'",
                hint: example(search)
            )
        }
        guard let property = search.properties.first(where: { matches($0.name, words[0]) }) else {
            throw bad(
                "--where: unknown property '\(words[0])'",
                hint: hint(words[0], among: search.properties.map(\.name))
            )
        }
        let names = property.comparators.map(\.name)
        guard
            let comparator = property.comparators.first(where: {
                matches($0.name, words[1]) || signs[words[1]] == $0.name
            })
        else {
            throw bad(
                "--where: '\(property.name)' has no comparator '\(words[1])'",
                hint: hint(words[1], among: names)
            )
        }
        let values = try values(words.dropFirst(2).joined(), of: property, comparator)
        return PropertySearch.Comparison(property: property.name, comparator: comparator.name, values: values)
    }

    private static func values(
        _ text: String,
        of property: SearchableProperty,
        _ comparator: PropertyComparator
    ) throws(CommandFailure) -> [IntentValue] {
        let parts = comparator.operandCount == 2 ? split(text) : [text]
        guard let parts, parts.count == comparator.operandCount else {
            throw bad(
                "--where: '\(comparator.name)' expects two values, got '\(text)'",
                hint: "for example: --where '\(property.name) \(comparator.name) LOW and HIGH'"
            )
        }
        return try parts.map { part throws(CommandFailure) in
            let unquoted = String(part.trimmed).withoutQuotes
            guard case .array(let element) = comparator.type else {
                return try value(unquoted, of: property, comparator.type)
            }
            // Commas separate the elements of a list value.
            let elements = try unquoted.split(scalar: ",").map { text throws(CommandFailure) in
                try value(String(text.trimmed), of: property, element)
            }
            return .array(elements)
        }
    }

    /// Parses the value as a parameter of a run, so that dates, time spans and enumerations have the same syntax.
    private static func value(
        _ text: String,
        of property: SearchableProperty,
        _ type: ValueType
    ) throws(CommandFailure) -> IntentValue {
        let parameter = ParameterDeclaration(name: property.name, title: property.name, type: type)
        let input = try CommandFailure.mapping(try ParameterInput(text: text, for: parameter, in: "--where"))
        if case .value(let value) = input { return value }
        throw bad("'\(property.name)' cannot be compared with a file", hint: example(nil))
    }

    private static func split(_ text: String) -> [String]? {
        let words = text.split(scalar: " ")
        let indices = words.indices.filter { words[$0].lowercased() == "and" }
        guard indices.count == 1, let index = indices.first else { return nil }
        return [words[..<index].joined(separator: " "), words[(index + 1)...].joined(separator: " ")]
    }

    /// Parses a sort order: `title`, `'pages descending'`.
    private static func order(
        _ text: String,
        _ search: PropertySearchDeclaration
    ) throws(CommandFailure) -> PropertySearch.Order {
        let words = text.split(scalar: " ").map(String.init)
        let directions = ["ascending", "descending"]
        guard let name = words.first, words.count <= 2, words.count == 1 || directions.contains(words[1]) else {
            throw bad(
                "--sort: expected a property, optionally with ascending or descending, got '\(text)'",
                hint: "for example: --sort '\(search.sortableBy.first ?? "PROPERTY") descending'"
            )
        }
        guard let property = search.sortableBy.first(where: { matches($0, name) }) else {
            throw bad("--sort: cannot sort by '\(name)'", hint: hint(name, among: search.sortableBy))
        }
        return PropertySearch.Order(property: property, isDescending: (words.last == "descending").trueOrNil)
    }

    private static func matches(_ name: String, _ text: String) -> Bool {
        name == text || ParameterName.kebab(name) == text
    }

    private static func hint(_ text: String, among names: [String]) -> String {
        NearestName.hint(for: text, among: names)
            ?? (names.isEmpty ? "the app declares none" : "expected one of \(names.joined(separator: ", "))")
    }

    private static func example(_ search: PropertySearchDeclaration?) -> String {
        guard let property = search?.properties.first, let comparator = property.comparators.first else {
            return "for example: --where 'title contains soup'"
        }
        return "for example: --where '\(property.name) \(comparator.name) VALUE'"
    }

    private static func bad(_ message: String, hint: String) -> CommandFailure {
        CommandFailure(.badParameter, message, hint: hint)
    }
}

extension String {
    /// The string without surrounding quotation marks.
    fileprivate var withoutQuotes: String {
        for mark in ["\"", "'"] where utf8.count > 1 && hasPrefix(utf8: mark) && hasSuffix(utf8: mark) {
            return String(dropFirst(scalars: 1).dropLast(scalars: 1))
        }
        return self
    }
}
