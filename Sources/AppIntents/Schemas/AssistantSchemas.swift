/// The schemas of Apple's assistant: `@AppIntent(schema: .photos.createAlbum)`.
///
/// Linux does not check schemas. Any name is accepted after the name of a domain.
///
/// Source: Apple's AssistantSchemas page.
public enum AssistantSchemas {
    /// A schema of an intent, an entity or an enumeration.
    public struct Schema: Sendable {
        init() {}
    }

    /// A domain, which groups schemas.
    @dynamicMemberLookup
    public struct Domain: Sendable {
        init() {}

        /// A schema in the domain. Every name is accepted.
        public subscript(dynamicMember name: String) -> Schema { Schema() }
    }
}

extension AssistantSchemas.Schema {
    /// The domain `assistant`.
    public static var assistant: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `audio`.
    public static var audio: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `books`.
    public static var books: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `browser`.
    public static var browser: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `calendar`.
    public static var calendar: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `camera`.
    public static var camera: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `clock`.
    public static var clock: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `files`.
    public static var files: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `journal`.
    public static var journal: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `mail`.
    public static var mail: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `messages`.
    public static var messages: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `notes`.
    public static var notes: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `phone`.
    public static var phone: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `photos`.
    public static var photos: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `presentation`.
    public static var presentation: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `reader`.
    public static var reader: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `reminders`.
    public static var reminders: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `spreadsheet`.
    public static var spreadsheet: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `system`.
    public static var system: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `visualIntelligence`.
    public static var visualIntelligence: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `whiteboard`.
    public static var whiteboard: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The domain `wordProcessor`.
    public static var wordProcessor: AssistantSchemas.Domain { AssistantSchemas.Domain() }
}
