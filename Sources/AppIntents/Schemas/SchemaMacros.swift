// These macros add no code. To need no plugin, they use a macro of the toolchain that acts only on properties.

/// Marks an intent with a schema. Apple's macro adds the conformance and `@Parameter`; here the source must declare
/// them.
///
/// Source: Apple's AppIntent(schema:) page.
@attached(peer)
public macro AppIntent(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

/// Marks an entity with a schema. Apple's macro adds the conformance and `@Property`; here the source must declare
/// them.
///
/// Source: Apple's AppEntity(schema:) page.
@attached(peer)
public macro AppEntity(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

/// Marks an enumeration with a schema. Apple's macro adds the conformance; here the source must declare it.
///
/// Source: Apple's AppEnum(schema:) page.
@attached(peer)
public macro AppEnum(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

/// Marks an intent with a schema, in an earlier spelling. Apple's macro adds the conformance and `@Parameter`; here the
/// source must declare them.
///
/// Source: Apple's AssistantIntent(schema:) page.
@attached(peer)
public macro AssistantIntent(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

/// Marks an entity with a schema, in an earlier spelling. Apple's macro adds the conformance and `@Property`; here the
/// source must declare them.
///
/// Source: Apple's AssistantEntity(schema:) page.
@attached(peer)
public macro AssistantEntity(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

/// Marks an enumeration with a schema, in an earlier spelling. Apple's macro adds the conformance; here the source must
/// declare it.
///
/// Source: Apple's AssistantEnum(schema:) page.
@attached(peer)
public macro AssistantEnum(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")
