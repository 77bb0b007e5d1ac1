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

    /// A group of schemas for one kind of app, such as `photos`.
    @dynamicMemberLookup
    public struct Domain: Sendable {
        init() {}

        /// A schema in the domain. Every name is accepted.
        public subscript(dynamicMember name: String) -> Schema { Schema() }
    }
}

extension AssistantSchemas.Schema {
    /// The `assistant` schema domain.
    public static var assistant: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `audio` schema domain.
    public static var audio: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `books` schema domain.
    public static var books: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `browser` schema domain.
    public static var browser: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `calendar` schema domain.
    public static var calendar: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `camera` schema domain.
    public static var camera: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `clock` schema domain.
    public static var clock: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `files` schema domain.
    public static var files: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `journal` schema domain.
    public static var journal: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `mail` schema domain.
    public static var mail: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `messages` schema domain.
    public static var messages: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `notes` schema domain.
    public static var notes: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `phone` schema domain.
    public static var phone: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `photos` schema domain.
    public static var photos: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `presentation` schema domain.
    public static var presentation: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `reader` schema domain.
    public static var reader: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `reminders` schema domain.
    public static var reminders: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `spreadsheet` schema domain.
    public static var spreadsheet: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `system` schema domain.
    public static var system: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `visualIntelligence` schema domain.
    public static var visualIntelligence: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `whiteboard` schema domain.
    public static var whiteboard: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    /// The `wordProcessor` schema domain.
    public static var wordProcessor: AssistantSchemas.Domain { AssistantSchemas.Domain() }
}
