import IntentSharedTypes

// On Apple's systems, a schema provides display names. Types that are marked with a schema therefore often declare
// no display name.

extension AppIntent {
    /// The default title of an intent, derived from the name of its type.
    ///
    /// Source: Apple's AssistantSchemaIntent page.
    public static var title: LocalizedStringResource { LocalizedStringResource(nameOf: Self.self) }
}

extension AppEntity {
    /// The default display name of an entity, derived from the name of its type.
    ///
    /// Source: Apple's AssistantSchemaEntity page.
    public static var typeDisplayRepresentation: TypeDisplayRepresentation {
        TypeDisplayRepresentation(name: LocalizedStringResource(stringLiteral: "\(Self.self)".asTitle))
    }
}

extension AppEnum {
    /// The default display name of an enumeration, derived from the name of its type.
    ///
    /// Source: Apple's AssistantSchemaEnum page.
    public static var typeDisplayRepresentation: TypeDisplayRepresentation {
        TypeDisplayRepresentation(name: LocalizedStringResource(stringLiteral: "\(Self.self)".asTitle))
    }
}

extension LocalizedStringResource {
    private static let typePrefix = "the type "

    /// Creates a title that is derived from a type's name. Its key differs from the key of an equal string in the
    /// source code so that ``isNameOfType`` can distinguish the two.
    init(nameOf type: Any.Type) {
        let name = String(describing: type)
        self.init(key: Self.typePrefix + name, String.LocalizationValue(name.asTitle), nil, nil, .main)
    }

    /// True if the string was derived from a type's name.
    var isNameOfType: Bool { key.hasPrefix(utf8: Self.typePrefix) && key != defaultValue.key }
}
