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

/// Apple's newer name of ``AssistantSchemas``.
public typealias AppSchema = AssistantSchemas
