/// The schemas of Apple's assistant: `@AppIntent(schema: .photos.createAlbum)`.
///
/// On Linux nothing knows them: a schema is a name after the name of its domain, and any name is one.
///
/// Source: Apple's AssistantSchemas page.
public enum AssistantSchemas {
    /// A schema of an intent, an entity or an enumeration.
    public struct Schema: Sendable {
        init() {}
    }

    /// The schemas of one kind of app.
    @dynamicMemberLookup
    public struct Domain: Sendable {
        init() {}

        /// Any schema of the domain.
        public subscript(dynamicMember name: String) -> Schema { Schema() }
    }
}

extension AssistantSchemas.Schema {
    public static var assistant: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var audio: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var books: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var browser: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var calendar: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var camera: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var clock: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var files: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var journal: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var mail: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var messages: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var notes: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var phone: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var photos: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var presentation: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var reader: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var reminders: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var spreadsheet: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var system: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var visualIntelligence: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var whiteboard: AssistantSchemas.Domain { AssistantSchemas.Domain() }
    public static var wordProcessor: AssistantSchemas.Domain { AssistantSchemas.Domain() }
}
