// A schema of Apple's assistant brings its names, so sources that are marked with one often say none.

extension AppIntent {
    /// Of an intent that has no title of its own: its type's name in words.
    ///
    /// Source: Apple's AssistantSchemaIntent page.
    public static var title: LocalizedStringResource { LocalizedStringResource(nameOf: Self.self) }
}

extension AppEntity {
    /// Of an entity that has no name of its own: its type's name in words.
    ///
    /// Source: Apple's AssistantSchemaEntity page.
    public static var typeDisplayRepresentation: TypeDisplayRepresentation {
        TypeDisplayRepresentation(name: LocalizedStringResource(stringLiteral: "\(Self.self)".asTitle))
    }
}

extension AppEnum {
    /// Of an enumeration that has no name of its own: its type's name in words.
    ///
    /// Source: Apple's AssistantSchemaEnum page.
    public static var typeDisplayRepresentation: TypeDisplayRepresentation {
        TypeDisplayRepresentation(name: LocalizedStringResource(stringLiteral: "\(Self.self)".asTitle))
    }
}

extension LocalizedStringResource {
    private static let typePrefix = "the type "

    /// The type's name in words, under a key that tells it from the same words in a source.
    init(nameOf type: Any.Type) {
        let name = String(describing: type)
        self.init(key: Self.typePrefix + name, String.LocalizationValue(name.asTitle), nil, nil, .main)
    }

    /// No source wrote it.
    var isNameOfType: Bool { key.hasPrefix(Self.typePrefix) && key != defaultValue.key }
}
