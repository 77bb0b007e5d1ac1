/// A type that provides the values from which a person chooses a parameter's value.
///
/// ```swift
/// struct Soups: DynamicOptionsProvider {
///     @Dependency var kitchen: Kitchen
///     func results() async throws -> [String] { try await kitchen.menu() }
/// }
///
/// @Parameter(title: "Soup", optionsProvider: Soups()) var soup: String
/// ```
/// A worker calls a provider in three cases, with the limits that apply to a run of the intent:
/// - for `intentctl options`
/// - before `perform()`, to check a given value, which must be among the results unless it is an entity
/// - before `perform()`, to provide the default for a missing value
///
/// Source: Apple's DynamicOptionsProvider page.
public protocol DynamicOptionsProvider: _SupportsAppDependencies, Sendable {
    /// The type of the results: a list, or a list in sections.
    associatedtype Result: ResultsCollection
    // Apple constrains this type to the type of a result. That constraint is omitted here, because a query with an
    // opaque result type could not satisfy it.
    /// The type of the default value: one result or several.
    associatedtype DefaultValue: _IntentValue = Self.Result.Result

    /// Returns the values from which to choose.
    func results() async throws -> Result
    /// Returns the default for an optional parameter that has no value. By default, returns nil. If this method returns
    /// several values, a parameter for a single value receives the first value.
    func defaultResult() async -> DefaultValue?
}

extension DynamicOptionsProvider {
    public func defaultResult() async -> DefaultValue? { nil }

    /// A value to choose, with a title.
    public typealias Item = IntentItem
    /// Values to choose from, arranged in sections.
    public typealias ItemCollection = IntentItemCollection
    /// A section of values to choose from.
    public typealias ItemSection = IntentItemSection
    /// The `@ParameterDependency` property wrapper for a provider.
    public typealias ParameterDependency = IntentParameterDependency
}

/// A list of values, or a list in sections.
///
/// Source: Apple's ResultsCollection page.
public protocol ResultsCollection<Result>: Sendable {
    /// The type of the values.
    associatedtype Result: _IntentValue
    /// The values, arranged in sections.
    var _sections: [IntentItemSection<Result>] { get }
    /// The prompt that asks the person to choose.
    var promptLabel: LocalizedStringResource? { get }
    /// True if the list may be shown with an alphabetical index. Ignored on Linux.
    var usesIndexedCollation: Bool { get }
    /// A list without values.
    static var empty: Self { get }
}

extension ResultsCollection {
    public var promptLabel: LocalizedStringResource? { nil }
    public var usesIndexedCollation: Bool { false }

    /// The values of all sections, in order.
    public var items: [Result.ValueType] {
        _sections.flatMap(\.items).flatMap { item -> [Result.ValueType] in
            if let value = item.value as? Result.ValueType { return [value] }
            return item.value as? [Result.ValueType] ?? []
        }
    }
}

extension Array: ResultsCollection where Element: _IntentValue {
    public typealias Result = Element

    public static var empty: [Element] { [] }

    public var _sections: [IntentItemSection<Element>] {
        [IntentItemSection(items: map { IntentItem(describing: $0) })]
    }
}
