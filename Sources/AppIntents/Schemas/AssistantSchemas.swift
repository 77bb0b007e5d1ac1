/// The schemas of Apple's assistant: `@AppIntent(schema: .photos.createAlbum)`.
///
/// Schema names are not checked on Linux: any name is accepted after a domain, as in `.photos.anyName`.
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
    /// The schemas of the domain `assistant`.
    public static var assistant: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `audio`.
    public static var audio: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `books`.
    public static var books: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `browser`.
    public static var browser: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `calendar`.
    public static var calendar: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `camera`.
    public static var camera: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `clock`.
    public static var clock: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `files`.
    public static var files: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `journal`.
    public static var journal: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `mail`.
    public static var mail: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `messages`.
    public static var messages: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `notes`.
    public static var notes: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `phone`.
    public static var phone: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `photos`.
    public static var photos: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `presentation`.
    public static var presentation: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `reader`.
    public static var reader: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `reminders`.
    public static var reminders: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `spreadsheet`.
    public static var spreadsheet: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `system`.
    public static var system: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `visualIntelligence`.
    public static var visualIntelligence: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `whiteboard`.
    public static var whiteboard: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The schemas of the domain `wordProcessor`.
    public static var wordProcessor: AssistantSchemas.Domain { AssistantSchemas.Domain() }
}
