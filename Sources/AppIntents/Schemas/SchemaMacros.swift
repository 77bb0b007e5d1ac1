// These macros add no code. Macros defined by this package would need a compiler plugin, so each of these macros
// expands to a macro in the toolchain that has no effect on types.

/// Marks an intent with a schema. Apple's macro adds the conformance and `@Parameter` attributes. On Linux, the source
/// must declare both.
///
/// Source: Apple's AppIntent(schema:) page.
@attached(peer)
public macro AppIntent(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

/// Marks an entity with a schema. Apple's macro adds the conformance and `@Property` attributes. On Linux, the source
/// must declare both.
///
/// Source: Apple's AppEntity(schema:) page.
@attached(peer)
public macro AppEntity(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

/// Marks an enumeration with a schema. Apple's macro adds the conformance. On Linux, the source must declare it.
///
/// Source: Apple's AppEnum(schema:) page.
@attached(peer)
public macro AppEnum(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

/// An earlier form of ``AppIntent(schema:)``. Apple's macro adds the conformance and `@Parameter` attributes. On Linux,
/// the source must declare both.
///
/// Source: Apple's AssistantIntent(schema:) page.
@attached(peer)
public macro AssistantIntent(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

/// An earlier form of ``AppEntity(schema:)``. Apple's macro adds the conformance and `@Property` attributes. On Linux,
/// the source must declare both.
///
/// Source: Apple's AssistantEntity(schema:) page.
@attached(peer)
public macro AssistantEntity(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

/// An earlier form of ``AppEnum(schema:)``. Apple's macro adds the conformance. On Linux, the source must declare it.
///
/// Source: Apple's AssistantEnum(schema:) page.
@attached(peer)
public macro AssistantEnum(schema: AssistantSchemas.Schema) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")
