import IntentLauncherMessages

/// A check that a parameter's query supports a search, before any process starts.
struct PropertySearchCheck {
    private let parameter: ParameterDeclaration
    /// The name of the parameter in error messages, for example `'book' of Library/Open`.
    private let subject: String

    init(_ parameter: ParameterDeclaration, of qualifiedName: String) {
        self.parameter = parameter
        subject = "'\(parameter.name)' of \(qualifiedName)"
    }

    /// Checks that the parameter's query supports a search.
    ///
    /// - Throws: An ``ErrorReport`` that names the invalid property, comparator or value, and the nearest valid name.
    func check(_ search: PropertySearch) throws(ErrorReport) {
        guard let declared = parameter.search else {
            throw ErrorReport(
                .badParameter,
                "the options of \(subject) cannot be searched by their properties",
                hint: "the app's query is not an EntityPropertyQuery: remove the properties, or search by text"
            )
        }
        for comparison in search.comparisons ?? [] { try check(comparison, in: declared) }
        for order in search.sortedBy ?? [] where !declared.sortableBy.contains(order.property) {
            throw ErrorReport(
                .badParameter,
                "the options of \(subject) cannot be sorted by '\(WireCoding.excerpt(order.property))'",
                hint: Self.hint(order.property, among: declared.sortableBy, "they can be sorted by")
            )
        }
        if let limit = search.limit, limit < 1 {
            throw ErrorReport(.badParameter, "the limit of a search: expected at least 1, got \(limit)")
        }
    }

    private func check(
        _ comparison: PropertySearch.Comparison,
        in declared: PropertySearchDeclaration
    ) throws(ErrorReport) {
        guard let property = declared.properties.first(where: { $0.name == comparison.property }) else {
            throw ErrorReport(
                .badParameter,
                "the entity of \(subject) has no searchable property '\(WireCoding.excerpt(comparison.property))'",
                hint: Self.hint(comparison.property, among: declared.properties.map(\.name), "its properties are")
            )
        }
        guard let comparator = property.comparators.first(where: { $0.name == comparison.comparator }) else {
            throw ErrorReport(
                .badParameter,
                "property '\(property.name)' of \(subject) has no comparator "
                    + "'\(WireCoding.excerpt(comparison.comparator))'",
                hint: Self.hint(
                    comparison.comparator,
                    among: property.comparators.map(\.name),
                    "its comparators are"
                )
            )
        }
        guard comparison.values.count == comparator.operandCount else {
            throw ErrorReport(
                .badParameter,
                "'\(comparator.name)' of '\(property.name)': expected \(comparator.operandCount) "
                    + "value\(comparator.operandCount == 1 ? "" : "s"), got \(comparison.values.count)"
            )
        }
        for value in comparison.values {
            do {
                _ = try comparator.type.accept(value)
            } catch {
                throw ErrorReport(
                    .badParameter,
                    "'\(comparator.name)' of '\(property.name)': \(error.message)",
                    hint: error.hint
                )
            }
            guard value.files.isEmpty else {
                throw ErrorReport(.badParameter, "'\(property.name)' cannot be compared with a file")
            }
        }
    }

    private static func hint(_ text: String, among names: [String], _ otherwise: String) -> String? {
        NearestName.hint(for: text, among: names)
            ?? (names.isEmpty ? nil : "\(otherwise) \(names.joined(separator: ", "))")
    }
}
