extension EntityProperty {
    /// Creates a computed property. Called by the expansion of `@ComputedProperty`, which passes on the arguments of the macro.
    public convenience init(
        _computed name: String,
        title: LocalizedStringResource? = nil,
        indexingKey: PartialKeyPath<_IndexingKeys>? = nil,
        customIndexingKey: String? = nil,
        _ value: @escaping @Sendable () -> Value
    ) {
        self.init(ownTitle: title, computation: .computed(name: name, value))
    }

    /// Creates a deferred property. Called by the expansions of the macros, which pass on their arguments.
    public convenience init(
        _deferred name: String,
        title: LocalizedStringResource? = nil,
        indexingKey: PartialKeyPath<_IndexingKeys>? = nil,
        customIndexingKey: String? = nil,
        _ value: @escaping @Sendable () async throws -> Value
    ) {
        self.init(ownTitle: title, computation: .deferred(name: name, value))
    }
}
