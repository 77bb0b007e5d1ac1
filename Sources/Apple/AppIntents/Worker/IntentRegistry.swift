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
        let (skills, skillWarnings) = SkillInspection.skills(in: SkillInspection.folderOfProgram)
        var warnings = LostConformances.warnings() + queryWarnings.sorted() + skillWarnings
        warnings += types.compactMap { IntentInspection.titleWarning(of: $0) } + parameterWarnings
        warnings += Self.enumerations().compactMap { IntentInspection.caseWarning(of: $0) }.sorted()
        var catalog = IntentCatalog(
            intents: intents,
            shortcuts: shortcuts.isEmpty ? nil : shortcuts,
            skills: skills.isEmpty ? nil : skills
        )
        let (translations, untranslated) = try translations(of: catalog)
        catalog.translations = translations.isEmpty ? nil : translations
        if !untranslated.isEmpty {
            let languages = untranslated.joined(separator: ", ")
            warnings.append(
                "lists show no texts in \(languages), because the translations of its catalogue are too large"
            )
        }
        catalog.warnings = warnings.isEmpty ? nil : warnings
        return catalog
    }

    /// Returns the translations of the catalogue's texts into the languages of the app's tables, and the languages for
    /// which there is no room.
    private func translations(
        of catalog: IntentCatalog
    ) throws(CatalogError) -> (found: [String: [String: String]], omitted: [String]) {
        var found: [String: [String: String]] = [:]
        var omitted: [String] = []
        var room = IntentCatalog.translationByteLimit
        let texts = catalog.texts
        for language in Localization.languagesOfProgram {
            var translated = IntentCatalog(intents: [])
            do {
                translated = try RunLocale.$ofCatalog.withValue(language) {
                    IntentCatalog(
                        intents: try types.map { try IntentInspection.declaration(of: $0) },
                        shortcuts: catalog.shortcuts.map { _ in
                            ShortcutInspection.shortcuts(of: Self.shortcutsProviders())
                        }
                    )
                }
            } catch let error as CatalogError {
                throw error
            } catch {
                preconditionFailure("the inspection of an intent throws only a CatalogError, not \(error)")
            }
            let pairs = zip(texts, translated.texts).filter { $0 != $1 }
            guard !pairs.isEmpty else { continue }
            let size = pairs.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + 8 }
            guard size <= room else {
                omitted.append(language)
                continue
            }
            room -= size
            found[language] = Dictionary(pairs) { first, _ in first }
        }
        return (found, omitted)
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
