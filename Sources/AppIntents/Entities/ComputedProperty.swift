// The macros add no code. To need no plugin, they use a macro of the toolchain that leaves a property unchanged.

/// Marks a computed property of an entity: `@ComputedProperty var initials: String { … }`.
///
/// On Linux it is an ordinary property, which is not sent.
///
/// Source: Apple's ComputedProperty page.
@attached(accessor, names: named(willSet))
public macro ComputedProperty() =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// Marks a computed property of an entity, with a title.
@attached(accessor, names: named(willSet))
public macro ComputedProperty(title: LocalizedStringResource) =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// Marks a computed property of an entity, with an attribute for search, which is ignored on Linux.
@attached(accessor, names: named(willSet))
public macro ComputedProperty(title: LocalizedStringResource? = nil, indexingKey: PartialKeyPath<_IndexingKeys>) =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// Marks a computed property of an entity, with a name for search, which is ignored on Linux.
@attached(accessor, names: named(willSet))
public macro ComputedProperty(title: LocalizedStringResource? = nil, customIndexingKey: String) =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// Marks a property that an entity fetches on demand: `@DeferredProperty var place: String { get async throws { … } }`.
///
/// On Linux it is an ordinary property, which is not sent.
///
/// Source: Apple's DeferredProperty page.
@attached(accessor, names: named(willSet))
public macro DeferredProperty() =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// Marks a property that an entity fetches on demand, with a title.
@attached(accessor, names: named(willSet))
public macro DeferredProperty(title: LocalizedStringResource) =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// Stands for the attributes of a search index. It accepts every attribute name: `indexingKey: \.displayName`.
///
/// Linux has no such index. On Apple's platforms the type is CSSearchableItemAttributeSet.
@dynamicMemberLookup
public struct _IndexingKeys {
    private init() {}

    public subscript(dynamicMember name: String) -> String? { nil }
}
