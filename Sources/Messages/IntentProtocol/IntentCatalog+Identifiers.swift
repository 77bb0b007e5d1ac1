extension IntentCatalog {
    /// The reason why the catalogue is refused; nil if all its identifiers are visible as they are.
    ///
    /// An identifier that must be escaped for a reader could look like another one, and a model could not return it.
    /// Titles and other texts are escaped instead.
    package var identifierProblem: String? {
        for intent in intents {
            if let problem = Self.problem(with: intent.name, "the name of intent") { return problem }
            if let problem = intent.result.flatMap(Self.problem) { return problem }
            for parameter in intent.parameters {
                if let problem = Self.problem(with: parameter.name, "the name of parameter") { return problem }
                if let problem = Self.problem(in: parameter.type) { return problem }
                for property in parameter.search?.properties ?? [] {
                    if let problem = Self.problem(with: property.name, "the name of property") { return problem }
                }
            }
        }
        return nil
    }

    private static func problem(in type: ValueType) -> String? {
        switch type {
        case .enumeration(let cases): first(cases) { problem(with: $0.value, "the value of enumeration case") }
        case .array(let element): problem(in: element)
        case .entity(let entity): problem(with: entity.name, "the name of entity")
        case .object(let object):
            first(object.properties) { problem(with: $0.name, "the name of property") ?? problem(in: $0.type) }
        case .string, .int, .double, .bool, .file, .decimal, .date, .url, .duration, .measurement, .currencyAmount,
            .dateComponents, .unknown:
            nil
        }
    }

    private static func first<Element>(_ elements: [Element], _ problem: (Element) -> String?) -> String? {
        elements.lazy.compactMap(problem).first
    }

    private static func problem(with identifier: String, _ what: String) -> String? {
        let shown = SafeText.line(identifier)
        guard shown.utf8.count != identifier.utf8.count else { return nil }
        return "\(what) '\(shown)' contains a control or invisible character; rename it"
    }
}
