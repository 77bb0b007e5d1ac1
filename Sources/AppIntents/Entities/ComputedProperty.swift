// The macros add nothing, and so need no plugin of ours: the toolchain's own for properties that are left as they are does.

/// Marks a property of an entity that is computed: `@ComputedProperty var initials: String { … }`.
///
/// Here it is an ordinary property, which others do not see.
///
/// Source: Apple's ComputedProperty page.
@attached(accessor, names: named(willSet))
public macro ComputedProperty() =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// The same with a title.
@attached(accessor, names: named(willSet))
public macro ComputedProperty(title: LocalizedStringResource) =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// The same with an attribute for search, which has no meaning on Linux.
@attached(accessor, names: named(willSet))
public macro ComputedProperty(title: LocalizedStringResource? = nil, indexingKey: PartialKeyPath<_IndexingKeys>) =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// The same with a name for search, which has no meaning on Linux.
@attached(accessor, names: named(willSet))
public macro ComputedProperty(title: LocalizedStringResource? = nil, customIndexingKey: String) =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// Marks a property of an entity that is fetched: `@DeferredProperty var place: String { get async throws { … } }`.
///
/// Here it is an ordinary property, which others do not see.
///
/// Source: Apple's DeferredProperty page.
@attached(accessor, names: named(willSet))
public macro DeferredProperty() =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// The same with a title.
@attached(accessor, names: named(willSet))
public macro DeferredProperty(title: LocalizedStringResource) =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// Stands for the attributes of a search index, of which any name is one: `indexingKey: \.displayName`.
///
/// On Linux there is no such index; on Apple's platforms this is CSSearchableItemAttributeSet.
@dynamicMemberLookup
public struct _IndexingKeys {
    private init() {}

    public subscript(dynamicMember name: String) -> String? { nil }
}
