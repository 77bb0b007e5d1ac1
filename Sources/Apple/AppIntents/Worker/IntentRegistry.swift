package import IntentSharedTypes

/// The intents that are linked into this program. The Swift runtime's tables list them, so apps do not register them.
package struct IntentRegistry {
    /// The intents, sorted by name.
    package let types: [any AppIntent.Type]
    private let typesByName: [String: any AppIntent.Type]

    /// Creates a registry of the given types.
    ///
    /// - Throws: ``CatalogError`` when two intents have the same name.
    package init(_ found: [any AppIntent.Type]) throws(CatalogError) {
        let byName = Dictionary(grouping: found) { $0.persistentIdentifier }
        for (name, types) in byName.sorted(by: { $0.key < $1.key }) where types.count > 1 {
            throw .sameName(name, types: types.map { _typeName($0, qualified: true) }.sorted())
        }
        typesByName = byName.compactMapValues(\.first)
        types = byName.keys.sorted().compactMap { byName[$0]?.first }
    }

    /// Returns the registry of this program's intents.
    package static func ofProgram() throws(CatalogError) -> IntentRegistry {
        try IntentRegistry(conformingTypes())
    }

    func type(named name: String) -> (any AppIntent.Type)? { typesByName[name] }

    package func catalog() throws(CatalogError) -> IntentCatalog {
        var intents: [IntentDeclaration] = []
        var queryWarnings: Set<String> = []
        var parameterWarnings: [String] = []
        for type in types {
            intents.append(try IntentInspection.declaration(of: type))
            queryWarnings.formUnion(try IntentInspection.queryWarnings(of: type))
            parameterWarnings += try IntentInspection.parameterWarnings(of: type)
        }
        let shortcuts = ShortcutInspection.shortcuts(of: Self.shortcutsProviders())
        var warnings = LostConformances.warnings() + queryWarnings.sorted()
        warnings += types.compactMap { IntentInspection.titleWarning(of: $0) } + parameterWarnings
        warnings += Self.enumerations().compactMap { IntentInspection.caseWarning(of: $0) }.sorted()
        return IntentCatalog(
            intents: intents,
            shortcuts: shortcuts.isEmpty ? nil : shortcuts,
            warnings: warnings.isEmpty ? nil : warnings
        )
    }

    private static func conformingTypes() -> [any AppIntent.Type] {
        ConformingTypes.of((any AppIntent).self).compactMap { type in
            // Omit this library's intents, because they do not belong to the app.
            own.contains(ObjectIdentifier(type)) ? nil : type as? any AppIntent.Type
        }
    }

    /// Returns the app's enumerations. This library's enumerations are omitted, because their cases need no check.
    private static func enumerations() -> [any AppEnum.Type] {
        ConformingTypes.of((any AppEnum).self).compactMap { type in
            _typeName(type, qualified: true).hasPrefix(utf8: "AppIntents.") ? nil : type as? any AppEnum.Type
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
