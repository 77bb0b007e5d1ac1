extension EntityProperty {
    /// Creates a computed property. Called by the expansion of `@ComputedProperty`, with the macro's arguments.
    public convenience init(
        _computed name: String,
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        authenticationPolicy: IntentAuthenticationPolicy? = nil,
        visibility: IntentVisibility? = nil,
        indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>? = nil,
        customIndexingKey: String? = nil,
        _ value: @escaping @Sendable () -> Value
    ) {
        let indexing = Indexing(indexingKey, customIndexingKey)
        self.init(
            ownTitle: title,
            summary: description,
            indexing: indexing,
            computation: .computed(name: name, value),
            access: PropertyAccess(visibility: visibility, policy: authenticationPolicy)
        )
    }

    /// Creates a deferred property. Called by the expansion of `@DeferredProperty`, with the macro's arguments.
    public convenience init(
        _deferred name: String,
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        authenticationPolicy: IntentAuthenticationPolicy? = nil,
        visibility: IntentVisibility? = nil,
        indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>? = nil,
        customIndexingKey: String? = nil,
        _ value: @escaping @Sendable () async throws -> Value
    ) {
        let indexing = Indexing(indexingKey, customIndexingKey)
        self.init(
            ownTitle: title,
            summary: description,
            indexing: indexing,
            computation: .deferred(name: name, value),
            access: PropertyAccess(visibility: visibility, policy: authenticationPolicy)
        )
    }
}

/// The attribute of a search index that a property provides.
struct Indexing: Sendable {
    // SAFETY: key paths are immutable — guaranteed by the standard library.
    nonisolated(unsafe) let key: PartialKeyPath<CSSearchableItemAttributeSet>?
    let customKey: String?

    init(_ key: PartialKeyPath<CSSearchableItemAttributeSet>? = nil, _ customKey: String? = nil) {
        self.key = key
        self.customKey = customKey
    }
}

extension EntityProperty {
    /// Adds the property's value to the attributes of a search index. The value of a deferred property is not fetched.
    func describe(in attributes: CSSearchableItemAttributeSet) {
        guard indexing.key != nil || indexing.customKey != nil, let value = presentValue else { return }
        if let key = indexing.key { attributes.set(value, at: key) }
        if let key = indexing.customKey {
            attributes.setValue(CSSearchableItemAttributeSet.value(value), forCustomKey: key)
        }
    }
}
