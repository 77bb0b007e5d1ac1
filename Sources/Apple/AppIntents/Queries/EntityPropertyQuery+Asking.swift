import IntentSharedTypes

extension EntityPropertyQuery {
    /// The declaration of the searchable properties for the catalogue; nil if no property has a name that can be
    /// determined.
    static var _searchDeclaration: PropertySearchDeclaration? {
        let standIn = EntityStandIn<Entity>()
        var compared: [SearchableProperty] = []
        for property in properties.properties {
            guard let name = standIn?.name(at: property.partialKeyPath) else { continue }
            let comparators = property.anyComparators.compactMap(\.declaration).filter { !$0.type.isOfFiles }
            if let index = compared.firstIndex(where: { $0.name == name }) {
                let known = Set(compared[index].comparators.map(\.name))
                compared[index].comparators += comparators.filter { !known.contains($0.name) }
            } else if !comparators.isEmpty {
                compared.append(SearchableProperty(name: name, comparators: comparators))
            }
        }
        let sorted = sortingOptions.options.compactMap { standIn?.name(at: $0.keyPath) }
        guard !compared.isEmpty || !sorted.isEmpty else { return nil }
        return PropertySearchDeclaration(properties: compared, sortableBy: sorted)
    }

    /// True if the query declares properties that no caller can use, because their names cannot be determined.
    static var _hasUnnamedProperties: Bool {
        let standIn = EntityStandIn<Entity>()
        let keyPaths = properties.properties.map(\.partialKeyPath) + sortingOptions.options.map(\.keyPath)
        return keyPaths.contains { standIn?.name(at: $0) == nil }
    }

    /// Returns the entities that match a search.
    ///
    /// - Throws: ``RunError`` when a property or comparator is unknown or a value has the wrong type; the error that
    ///   the app's query throws.
    func _found(by search: PropertySearch) async throws -> OptionList {
        let standIn = EntityStandIn<Entity>()
        var comparisons: [ComparatorMappingType] = []
        for comparison in search.comparisons ?? [] { comparisons.append(try await mapping(of: comparison, standIn)) }
        let orders = try (search.sortedBy ?? []).map { order in
            guard
                let option = Self.sortingOptions.options.first(where: {
                    standIn?.name(at: $0.keyPath) == order.property
                })
            else {
                throw RunError(
                    "cannot sort by '\(order.property)': the query does not declare it as sortable",
                    code: "badParameter"
                )
            }
            return EntityQuerySort<Entity>(
                by: option.keyPath,
                order: order.isDescending == true ? .descending : .ascending
            )
        }
        let found = try await entities(
            matching: comparisons,
            // Without comparisons, use `.and`: all entities match an empty list, but none would match with `.or`.
            mode: search.joined == .any && !comparisons.isEmpty ? .or : .and,
            sortedBy: orders,
            limit: search.limit
        )
        try await check(search, found)
        // Apply the limit again, because some apps ignore it.
        let list = try OptionList(found)
        return search.limit.map(list.prefix) ?? list
    }

    /// Checks that the caller may receive the properties that a search names: also a search without results reveals
    /// something about values.
    ///
    /// Only an entity knows the access to its properties, so an entity of the result is examined, or else any entity.
    private func check(_ search: PropertySearch, _ found: Result) async throws {
        let names = (search.comparisons ?? []).map(\.property) + (search.sortedBy ?? []).map(\.property)
        guard !names.isEmpty else { return }
        var entity = found._sections.lazy.flatMap(\.items).first?.value as? Entity
        if entity == nil {
            let any = try await entities(matching: [], mode: .and, sortedBy: [], limit: 1)
            entity = any._sections.lazy.flatMap(\.items).first?.value as? Entity
        }
        guard let entity, let name = EntityInspection.forbidden(among: names, in: entity) else { return }
        throw RunError(
            "cannot search by '\(name)': this caller may not receive the property",
            code: RunCaller.refusalCode
        )
    }

    private func mapping(
        of comparison: PropertySearch.Comparison,
        _ standIn: EntityStandIn<Entity>?
    ) async throws -> ComparatorMappingType {
        for property in Self.properties.properties
        where standIn?.name(at: property.partialKeyPath) == comparison.property {
            for comparator in property.anyComparators where comparator.declaration?.name == comparison.comparator {
                do {
                    return try await comparator.mapping(ComparatorOperands(wireValues: comparison.values))
                } catch let invalid as InvalidValue {
                    throw RunError(
                        "the value compared with '\(comparison.property)' \(invalid.text)",
                        code: "badParameter"
                    )
                }
            }
        }
        throw RunError(
            "cannot compare '\(comparison.property)' by '\(comparison.comparator)': the query has no such comparison",
            code: "badParameter"
        )
    }
}

extension ValueType {
    /// True if the operands are files, which a search cannot contain.
    fileprivate var isOfFiles: Bool {
        switch self {
        case .file: true
        case .array(let element): element.isOfFiles
        default: false
        }
    }
}
