// These macros add no code. They expand to a macro of the toolchain that affects only properties, because a macro of
// their own would need a compiler plugin.

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

/// The earlier form of ``AppIntent(schema:)``. Apple's macro adds the conformance and `@Parameter`; here the
/// source must declare them.
///
/// Source: Apple's AssistantIntent(schema:) page.
@attached(peer)
public macro AssistantIntent(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

/// The earlier form of ``AppEntity(schema:)``. Apple's macro adds the conformance and `@Property`; here the
/// source must declare them.
///
/// Source: Apple's AssistantEntity(schema:) page.
@attached(peer)
public macro AssistantEntity(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

/// The earlier form of ``AppEnum(schema:)``. Apple's macro adds the conformance; here the source must
/// declare it.
///
/// Source: Apple's AssistantEnum(schema:) page.
@attached(peer)
public macro AssistantEnum(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")
