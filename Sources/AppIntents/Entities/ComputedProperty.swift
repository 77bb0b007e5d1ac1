// These macros add no code. They expand to a macro of the toolchain that leaves the property unchanged, because a macro
// of their own would need a compiler plugin.

/// Marks a computed property of an entity: `@ComputedProperty var initials: String { … }`.
///
/// On Linux it is an ordinary property, which callers do not receive.
///
/// Source: Apple's ComputedProperty page.
@attached(accessor, names: named(willSet))
public macro ComputedProperty() =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// Marks a computed property of an entity, with a title.
@attached(accessor, names: named(willSet))
public macro ComputedProperty(title: LocalizedStringResource) =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// Marks a computed property of an entity, with a search attribute, which is ignored on Linux.
@attached(accessor, names: named(willSet))
public macro ComputedProperty(title: LocalizedStringResource? = nil, indexingKey: PartialKeyPath<_IndexingKeys>) =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// Marks a computed property of an entity, with a search key, which is ignored on Linux.
@attached(accessor, names: named(willSet))
public macro ComputedProperty(title: LocalizedStringResource? = nil, customIndexingKey: String) =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// Marks a property that an entity fetches on demand: `@DeferredProperty var place: String { get async throws { … } }`.
///
/// On Linux it is an ordinary property, which callers do not receive.
///
/// Source: Apple's DeferredProperty page.
@attached(accessor, names: named(willSet))
public macro DeferredProperty() =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// Marks a property that an entity fetches on demand, with a title.
@attached(accessor, names: named(willSet))
public macro DeferredProperty(title: LocalizedStringResource) =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// A placeholder for the attributes of a search index, which accepts any attribute name: `indexingKey: \.displayName`.
///
/// Linux has no search index. On Apple's platforms the type is CSSearchableItemAttributeSet.
@dynamicMemberLookup
public struct _IndexingKeys {
    private init() {}

    public subscript(dynamicMember name: String) -> String? { nil }
}
