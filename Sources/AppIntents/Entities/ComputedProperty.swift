/// Makes a computed property one of an entity's properties: `@ComputedProperty var initials: String { … }`.
///
/// Callers receive its value as they receive the value of an `@Property`. A query refers to it as `\Author.$initials`. The
/// title is derived from the property's name.
///
/// Source: Apple's ComputedProperty page.
@attached(peer, names: prefixed(`$`), prefixed(_ComputedProperty_))
public macro ComputedProperty() = #externalMacro(module: "IntentMacros", type: "PropertyMacro")

/// Makes a computed property one of an entity's properties, with a title.
@attached(peer, names: prefixed(`$`), prefixed(_ComputedProperty_))
public macro ComputedProperty(title: LocalizedStringResource) =
    #externalMacro(module: "IntentMacros", type: "PropertyMacro")

/// Makes a computed property one of an entity's properties, with an attribute of a search index.
@attached(peer, names: prefixed(`$`), prefixed(_ComputedProperty_))
public macro ComputedProperty(
    title: LocalizedStringResource? = nil,
    indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>
) = #externalMacro(module: "IntentMacros", type: "PropertyMacro")

/// Makes a computed property one of an entity's properties, with a search key.
@attached(peer, names: prefixed(`$`), prefixed(_ComputedProperty_))
public macro ComputedProperty(title: LocalizedStringResource? = nil, customIndexingKey: String) =
    #externalMacro(module: "IntentMacros", type: "PropertyMacro")

/// Makes a property that is fetched on demand one of an entity's properties: `@DeferredProperty var place: String { get async
/// throws { … } }`.
///
/// The getter is called when the entity is returned by an intent, and when a caller requests the entity by its id. It is not
/// called for lists of options. If it throws an error, callers receive the entity without the property.
///
/// Source: Apple's DeferredProperty page.
@attached(peer, names: prefixed(`$`), prefixed(_ComputedProperty_))
public macro DeferredProperty() = #externalMacro(module: "IntentMacros", type: "PropertyMacro")

/// Makes a property that is fetched on demand one of an entity's properties, with a title.
@attached(peer, names: prefixed(`$`), prefixed(_ComputedProperty_))
public macro DeferredProperty(title: LocalizedStringResource) =
    #externalMacro(module: "IntentMacros", type: "PropertyMacro")

/// The declaration of one computed or deferred property, which the macros write. Not for direct use by apps.
@_alwaysEmitConformanceMetadata
public protocol _ComputedPropertyDeclaration: SendableMetatype {
    associatedtype _Entity
    associatedtype _Value: _IntentValue

    /// Returns the property of an entity. Neither this call nor the result's creation calls the property's getter.
    static func _property(of entity: _Entity) -> EntityProperty<_Value>
}

extension _ComputedPropertyDeclaration {
    static var entityType: Any.Type { _Entity.self }

    static func anyProperty(of entity: Any) -> (any AnyEntityProperty)? { (entity as? _Entity).map(_property) }
}
