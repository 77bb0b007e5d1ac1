// These macros leave the property unchanged. Macros defined by this package would need a compiler plugin, so each of
// these macros expands to a macro in the toolchain.

/// Marks a computed property of an entity: `@ComputedProperty var initials: String { … }`.
///
/// On Linux, it is an ordinary property that is not sent to callers.
///
/// Source: Apple's ComputedProperty page.
@attached(accessor, names: named(willSet))
public macro ComputedProperty() =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// Marks a computed property of an entity, with a title.
@attached(accessor, names: named(willSet))
public macro ComputedProperty(title: LocalizedStringResource) =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// Marks a computed property of an entity, with an attribute of a search index. Ignored on Linux.
@attached(accessor, names: named(willSet))
public macro ComputedProperty(title: LocalizedStringResource? = nil, indexingKey: PartialKeyPath<_IndexingKeys>) =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// Marks a computed property of an entity, with a search key. Ignored on Linux.
@attached(accessor, names: named(willSet))
public macro ComputedProperty(title: LocalizedStringResource? = nil, customIndexingKey: String) =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// Marks a property that an entity fetches on demand: `@DeferredProperty var place: String { get async throws { … } }`.
///
/// On Linux, it is an ordinary property that is not sent to callers.
///
/// Source: Apple's DeferredProperty page.
@attached(accessor, names: named(willSet))
public macro DeferredProperty() =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// Marks a property that an entity fetches on demand, with a title.
@attached(accessor, names: named(willSet))
public macro DeferredProperty(title: LocalizedStringResource) =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

/// A placeholder for the attributes of a search index. It accepts any attribute name: `indexingKey: \.displayName`.
///
/// Linux has no search index. On Apple's platforms, CSSearchableItemAttributeSet has the role of this type.
@dynamicMemberLookup
public struct _IndexingKeys {
    private init() {}

    public subscript(dynamicMember name: String) -> String? { nil }
}
