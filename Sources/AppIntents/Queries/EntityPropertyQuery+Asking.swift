import IntentWire

extension EntityPropertyQuery {
    /// What the query can look for, for the catalogue; nil where no property of the entity can be named.
    static var _searchDeclaration: PropertySearchDeclaration? {
        let likeness = EntityLikeness<Entity>()
        var compared: [SearchableProperty] = []
        for property in properties.properties {
            guard let name = likeness?.name(at: property.partialKeyPath) else { continue }
            let comparators = property.anyComparators.compactMap(\.declaration).filter { !$0.type.isOfFiles }
            if let index = compared.firstIndex(where: { $0.name == name }) {
                let known = Set(compared[index].comparators.map(\.name))
                compared[index].comparators += comparators.filter { !known.contains($0.name) }
            } else if !comparators.isEmpty {
                compared.append(SearchableProperty(name: name, comparators: comparators))
            }
        }
        let sorted = sortingOptions.options.compactMap { likeness?.name(at: $0.keyPath) }
        guard !compared.isEmpty || !sorted.isEmpty else { return nil }
        return PropertySearchDeclaration(properties: compared, sortableBy: sorted)
    }

    /// True where the query declares properties that nobody can ask for.
    static var _hasNamelessProperties: Bool {
        let likeness = EntityLikeness<Entity>()
        let keyPaths = properties.properties.map(\.partialKeyPath) + sortingOptions.options.map(\.keyPath)
        return keyPaths.contains { likeness?.name(at: $0) == nil }
    }

    /// The entities that the app finds.
    ///
    /// - Throws: ``RunError`` for a property or comparator that there is not, and a value of another type; what the app
    ///   throws.
    func _found(by search: PropertySearch) async throws -> OptionList {
        let likeness = EntityLikeness<Entity>()
        var comparisons: [ComparatorMappingType] = []
        for comparison in search.comparisons ?? [] { comparisons.append(try await mapping(of: comparison, likeness)) }
        let orders = try (search.sortedBy ?? []).map { order in
            guard
                let option = Self.sortingOptions.options.first(where: {
                    likeness?.name(at: $0.keyPath) == order.property
                })
            else { throw RunError("nothing can be sorted by '\(order.property)'", code: "badParameter") }
            return EntityQuerySort<Entity>(
                by: option.keyPath,
                order: order.isDescending == true ? .descending : .ascending
            )
        }
        let found = try await entities(
            matching: comparisons,
            // Of no comparisons, every entity is meant.
            mode: search.joined == .any && !comparisons.isEmpty ? .or : .and,
            sortedBy: orders,
            limit: search.limit
        )
        // Some apps do not look at the limit.
        let list = try OptionList(found)
        return search.limit.map(list.prefix) ?? list
    }

    private func mapping(
        of comparison: PropertySearch.Comparison,
        _ likeness: EntityLikeness<Entity>?
    ) async throws -> ComparatorMappingType {
        for property in Self.properties.properties
        where likeness?.name(at: property.partialKeyPath) == comparison.property {
            for comparator in property.anyComparators where comparator.declaration?.name == comparison.comparator {
                do {
                    return try await comparator.mapping(ComparatorOperands(wireValues: comparison.values))
                } catch let unfit as UnfitValue {
                    throw RunError("the comparison of '\(comparison.property)' \(unfit.text)", code: "badParameter")
                }
            }
        }
        throw RunError(
            "nothing can be compared by '\(comparison.property)' and '\(comparison.comparator)'",
            code: "badParameter"
        )
    }
}

extension ValueType {
    /// A file is no value that could be written into a question.
    fileprivate var isOfFiles: Bool {
        switch self {
        case .file: true
        case .array(let element): element.isOfFiles
        default: false
        }
    }
}
