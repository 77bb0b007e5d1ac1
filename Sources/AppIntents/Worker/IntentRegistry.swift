package import IntentWire

/// All intents linked into this program, found without registration.
package struct IntentRegistry {
    /// Sorted by name.
    package let types: [any AppIntent.Type]
    private let typesByName: [String: any AppIntent.Type]

    /// - Throws: ``CatalogError`` when two intents have the same name.
    package init(_ found: [any AppIntent.Type]) throws(CatalogError) {
        let byName = Dictionary(grouping: found) { $0.persistentIdentifier }
        for (name, types) in byName.sorted(by: { $0.key < $1.key }) where types.count > 1 {
            throw .sameName(name, types: types.map { _typeName($0, qualified: true) }.sorted())
        }
        typesByName = byName.compactMapValues(\.first)
        types = byName.keys.sorted().compactMap { byName[$0]?.first }
    }

    /// The program's own intents.
    package static func ofProgram() throws(CatalogError) -> IntentRegistry {
        try IntentRegistry(conformingTypes())
    }

    func type(named name: String) -> (any AppIntent.Type)? { typesByName[name] }

    package func catalog() throws(CatalogError) -> IntentCatalog {
        var intents: [IntentDeclaration] = []
        var unaskable: Set<String> = []
        for type in types {
            intents.append(try IntentInspection.declaration(of: type))
            unaskable.formUnion(try IntentInspection.unaskableQueries(of: type))
        }
        let shortcuts = ShortcutInspection.shortcuts(of: Self.shortcutsProviders())
        let warnings =
            LostConformances.warnings() + unaskable.sorted() + types.compactMap { IntentInspection.lackOfTitle(of: $0) }
        return IntentCatalog(
            intents: intents,
            shortcuts: shortcuts.isEmpty ? nil : shortcuts,
            warnings: warnings.isEmpty ? nil : warnings
        )
    }

    private static func conformingTypes() -> [any AppIntent.Type] {
        ConformingTypes.of((any AppIntent).self).compactMap { type in
            // Intents of this library serve other intents, and belong to no app.
            own.contains(ObjectIdentifier(type)) ? nil : type as? any AppIntent.Type
        }
    }

    private static func shortcutsProviders() -> [any AppShortcutsProvider.Type] {
        ConformingTypes.of((any AppShortcutsProvider).self).compactMap { $0 as? any AppShortcutsProvider.Type }
    }

    private static let own: Set<ObjectIdentifier> = [
        ObjectIdentifier(Never.self), ObjectIdentifier(OpenURLIntent.self), ObjectIdentifier(EmptySnippetIntent.self),
        ObjectIdentifier(Rehearsal.Nothing.self),
    ]
}
