// These add nothing, and so need no plugin of ours: the toolchain's own does, which looks at properties alone.

/// Marks an intent of Apple's assistant. Apple's writes the protocol and `@Parameter`; this one leaves them to the source.
///
/// Source: Apple's AppIntent(schema:) page.
@attached(peer)
public macro AppIntent(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

/// Marks an entity of Apple's assistant. Apple's writes the protocol and `@Property`; this one leaves them to the source.
///
/// Source: Apple's AppEntity(schema:) page.
@attached(peer)
public macro AppEntity(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

/// Marks an enumeration of Apple's assistant. Apple's writes the protocol; this one leaves it to the source.
///
/// Source: Apple's AppEnum(schema:) page.
@attached(peer)
public macro AppEnum(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

/// Marks an intent, in the earlier spelling of Apple's assistant. Apple's writes the protocol and `@Parameter`; this one leaves them to the source.
///
/// Source: Apple's AssistantIntent(schema:) page.
@attached(peer)
public macro AssistantIntent(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

/// Marks an entity, in the earlier spelling of Apple's assistant. Apple's writes the protocol and `@Property`; this one leaves them to the source.
///
/// Source: Apple's AssistantEntity(schema:) page.
@attached(peer)
public macro AssistantEntity(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

/// Marks an enumeration, in the earlier spelling of Apple's assistant. Apple's writes the protocol; this one leaves it to the source.
///
/// Source: Apple's AssistantEnum(schema:) page.
@attached(peer)
public macro AssistantEnum(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")
