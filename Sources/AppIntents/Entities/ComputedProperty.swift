/// Marks a property of an entity that is computed: `@ComputedProperty var initials: String { … }`.
///
/// Here it is an ordinary property, which others do not see. Apple's is a macro; with arguments it does not compile here.
///
/// Source: Apple's ComputedProperty page.
@resultBuilder
public enum ComputedProperty {
    public static func buildBlock<Value>(_ value: Value) -> Value { value }
}

/// Marks a property of an entity that is fetched: `@DeferredProperty var place: String { get async throws { … } }`.
///
/// Here it is an ordinary property, which others do not see. Apple's is a macro; with arguments it does not compile here.
///
/// Source: Apple's DeferredProperty page.
@resultBuilder
public enum DeferredProperty {
    public static func buildBlock<Value>(_ value: Value) -> Value { value }
}
