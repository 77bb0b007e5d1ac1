/// Declares a computed property of an entity: `@ComputedProperty var initials: String { … }`.
///
/// Callers receive its value like the value of an `@Property`. A query refers to the property as `\Author.$initials`.
/// The title is derived from the property's name.
///
/// Source: Apple's ComputedProperty page.
@attached(peer, names: prefixed(`$`), prefixed(_ComputedProperty_))
public macro ComputedProperty() = #externalMacro(module: "IntentMacros", type: "PropertyMacro")

/// Declares a computed property of an entity, with a title.
@attached(peer, names: prefixed(`$`), prefixed(_ComputedProperty_))
public macro ComputedProperty(title: LocalizedStringResource) =
    #externalMacro(module: "IntentMacros", type: "PropertyMacro")

/// Declares a computed property that provides an attribute of a search index.
@attached(peer, names: prefixed(`$`), prefixed(_ComputedProperty_))
public macro ComputedProperty(
    title: LocalizedStringResource? = nil,
    indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>
) = #externalMacro(module: "IntentMacros", type: "PropertyMacro")

/// Declares a computed property that provides a custom attribute of a search index, under the given key.
@attached(peer, names: prefixed(`$`), prefixed(_ComputedProperty_))
public macro ComputedProperty(title: LocalizedStringResource? = nil, customIndexingKey: String) =
    #externalMacro(module: "IntentMacros", type: "PropertyMacro")

/// Declares a computed property with a policy of authentication, or one that only the app sees, with `.internal`.
/// Part of a beta of Apple's SDK 27.3.
@attached(peer, names: prefixed(`$`), prefixed(_ComputedProperty_))
public macro ComputedProperty(
    title: LocalizedStringResource? = nil,
    description: LocalizedStringResource? = nil,
    authenticationPolicy: IntentAuthenticationPolicy? = nil,
    visibility: IntentVisibility? = nil
) = #externalMacro(module: "IntentMacros", type: "PropertyMacro")

/// Declares a computed property with a policy of authentication, which provides an attribute of a search index.
/// Part of a beta of Apple's SDK 27.3.
@attached(peer, names: prefixed(`$`), prefixed(_ComputedProperty_))
public macro ComputedProperty(
    title: LocalizedStringResource? = nil,
    description: LocalizedStringResource? = nil,
    authenticationPolicy: IntentAuthenticationPolicy? = nil,
    visibility: IntentVisibility? = nil,
    indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>
) = #externalMacro(module: "IntentMacros", type: "PropertyMacro")

/// Declares a computed property with a policy of authentication, which provides a custom attribute of a search index.
/// Part of a beta of Apple's SDK 27.3.
@attached(peer, names: prefixed(`$`), prefixed(_ComputedProperty_))
public macro ComputedProperty(
    title: LocalizedStringResource? = nil,
    description: LocalizedStringResource? = nil,
    authenticationPolicy: IntentAuthenticationPolicy? = nil,
    visibility: IntentVisibility? = nil,
    customIndexingKey: String
) = #externalMacro(module: "IntentMacros", type: "PropertyMacro")

/// Declares a property that is fetched on demand: `@DeferredProperty var place: String { get async throws { … } }`.
///
/// The worker calls the getter when an intent returns the entity, and when a caller requests the entity by its id.
/// The worker does not call it for lists of options. If the getter throws an error, callers receive the entity
/// without the property.
///
/// Source: Apple's DeferredProperty page.
@attached(peer, names: prefixed(`$`), prefixed(_ComputedProperty_))
public macro DeferredProperty() = #externalMacro(module: "IntentMacros", type: "PropertyMacro")

/// Declares a property that is fetched on demand, with a title.
@attached(peer, names: prefixed(`$`), prefixed(_ComputedProperty_))
public macro DeferredProperty(title: LocalizedStringResource) =
    #externalMacro(module: "IntentMacros", type: "PropertyMacro")

/// Declares a deferred property with a policy of authentication, or one that only the app sees, with `.internal`.
/// Part of a beta of Apple's SDK 27.3.
@attached(peer, names: prefixed(`$`), prefixed(_ComputedProperty_))
public macro DeferredProperty(
    title: LocalizedStringResource? = nil,
    description: LocalizedStringResource? = nil,
    authenticationPolicy: IntentAuthenticationPolicy? = nil,
    visibility: IntentVisibility? = nil
) = #externalMacro(module: "IntentMacros", type: "PropertyMacro")

/// The declaration of a computed or deferred property, which the macros generate. Not for direct use by apps.
@_alwaysEmitConformanceMetadata
public protocol _ComputedPropertyDeclaration: SendableMetatype {
    associatedtype _Entity
    associatedtype _Value: _IntentValue

    /// Returns the property of an entity, without calling the property's getter.
    static func _property(of entity: _Entity) -> EntityProperty<_Value>
}

extension _ComputedPropertyDeclaration {
    static var entityType: Any.Type { _Entity.self }

    static func anyProperty(of entity: Any) -> (any AnyEntityProperty)? { (entity as? _Entity).map(_property) }
}
