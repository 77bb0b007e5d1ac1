// On Apple's systems, a schema provides the names, so types that are marked with a schema often declare no name.

extension AppIntent {
    /// The title of an intent that declares no title: its type's name in words.
    ///
    /// Source: Apple's AssistantSchemaIntent page.
    public static var title: LocalizedStringResource { LocalizedStringResource(nameOf: Self.self) }
}

extension AppEntity {
    /// The display name of an entity that declares none: its type's name in words.
    ///
    /// Source: Apple's AssistantSchemaEntity page.
    public static var typeDisplayRepresentation: TypeDisplayRepresentation {
        TypeDisplayRepresentation(name: LocalizedStringResource(stringLiteral: "\(Self.self)".asTitle))
    }
}

extension AppEnum {
    /// The display name of an enumeration that declares none: its type's name in words.
    ///
    /// Source: Apple's AssistantSchemaEnum page.
    public static var typeDisplayRepresentation: TypeDisplayRepresentation {
        TypeDisplayRepresentation(name: LocalizedStringResource(stringLiteral: "\(Self.self)".asTitle))
    }
}

extension LocalizedStringResource {
    private static let typePrefix = "the type "

    /// Creates the type's name in words. Its key differs from the key of an equal text in the source.
    init(nameOf type: Any.Type) {
        let name = String(describing: type)
        self.init(key: Self.typePrefix + name, String.LocalizationValue(name.asTitle), nil, nil, .main)
    }

    /// Whether the text was derived from a type's name.
    var isNameOfType: Bool { key.hasPrefix(Self.typePrefix) && key != defaultValue.key }
}
