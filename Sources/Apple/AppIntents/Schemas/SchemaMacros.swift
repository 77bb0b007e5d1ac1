/// Declares a type as an intent, and its plain stored variables as parameters:
/// `@AppIntent(schema: .photos.createAlbum)`.
///
/// The macro does not change constants, private variables, variables with a value, an attribute or observers, or
/// variables of a function, tuple, dictionary or existential type. The title and the names of parameters are derived from the names in the source, because Linux has no schemas.
///
/// Source: Apple's AppIntent(schema:) page.
@attached(extension, conformances: AppIntent)
@attached(memberAttribute)
public macro AppIntent(schema: AssistantSchemas.Schema) = #externalMacro(module: "IntentMacros", type: "SchemaMacro")

/// Makes an intent a tool, which agents may call: `@AppIntent(.tool)`. Part of a beta of Apple's SDK 27.3.
///
/// Source: Apple's AppIntent(_:) page.
@attached(extension, conformances: ToolIntent)
public macro AppIntent(_ traits: AppIntentTraits) = #externalMacro(module: "IntentMacros", type: "SchemaMacro")

/// Declares a type as an intent, as ``AppIntent(schema:)`` does, and makes it a tool. Part of a beta of Apple's SDK 27.3.
///
/// Source: Apple's AppIntent(_:schema:) page.
@attached(extension, conformances: ToolIntent)
@attached(memberAttribute)
public macro AppIntent(_ traits: AppIntentTraits, schema: AssistantSchemas.Schema) =
    #externalMacro(module: "IntentMacros", type: "SchemaMacro")

/// The roles of an intent: `.tool`, which makes the intent a ``ToolIntent``. Part of a beta of Apple's SDK 27.3.
///
/// Source: Apple's AppIntentTraits page.
public struct AppIntentTraits: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Agents may call the intent.
    public static let tool = AppIntentTraits(rawValue: 1 << 0)
}

/// Declares a type as an entity, and its plain stored variables, except `id`, as properties that are sent to callers.
///
/// Source: Apple's AppEntity(schema:) page.
@attached(extension, conformances: AppEntity)
@attached(memberAttribute)
public macro AppEntity(schema: AssistantSchemas.Schema) = #externalMacro(module: "IntentMacros", type: "SchemaMacro")

/// Makes a transient entity one that agents fill in: `@AppEntity(.generable)`. Part of a beta of Apple's SDK 27.3.
///
/// Source: Apple's AppEntity(_:) page.
@attached(extension, conformances: GenerableEntity)
public macro AppEntity(_ traits: AppEntityTraits) = #externalMacro(module: "IntentMacros", type: "SchemaMacro")

/// Declares a type as an entity, as ``AppEntity(schema:)`` does, that agents fill in. Part of a beta of Apple's SDK 27.3.
///
/// Source: Apple's AppEntity(_:schema:) page.
@attached(extension, conformances: GenerableEntity)
@attached(memberAttribute)
public macro AppEntity(_ traits: AppEntityTraits, schema: AssistantSchemas.Schema) =
    #externalMacro(module: "IntentMacros", type: "SchemaMacro")

/// The roles of an entity: `.generable`, which makes the entity a ``GenerableEntity``. Part of a beta of Apple's SDK 27.3.
///
/// Source: Apple's AppEntityTraits page.
public struct AppEntityTraits: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Agents can create values of the entity.
    public static let generable = AppEntityTraits(rawValue: 1 << 0)
}

/// Makes an enumeration valid as the type of a parameter or result.
///
/// Source: Apple's AppEnum(schema:) page.
@attached(extension, conformances: AppEnum)
public macro AppEnum(schema: AssistantSchemas.Schema) = #externalMacro(module: "IntentMacros", type: "SchemaMacro")

/// The earlier form of ``AppIntent(schema:)``.
///
/// Source: Apple's AssistantIntent(schema:) page.
@attached(extension, conformances: AppIntent)
@attached(memberAttribute)
public macro AssistantIntent(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "IntentMacros", type: "SchemaMacro")

/// The earlier form of ``AppEntity(schema:)``.
///
/// Source: Apple's AssistantEntity(schema:) page.
@attached(extension, conformances: AppEntity)
@attached(memberAttribute)
public macro AssistantEntity(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "IntentMacros", type: "SchemaMacro")

/// The earlier form of ``AppEnum(schema:)``.
///
/// Source: Apple's AssistantEnum(schema:) page.
@attached(extension, conformances: AppEnum)
public macro AssistantEnum(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "IntentMacros", type: "SchemaMacro")
