// A schema of Apple's assistant brings its names, so sources that are marked with one often say none.

extension AppIntent {
    /// Of an intent that has no title of its own: its type's name in words.
    ///
    /// Source: Apple's AssistantSchemaIntent page.
    public static var title: LocalizedStringResource { LocalizedStringResource(stringLiteral: "\(Self.self)".asTitle) }
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
