/// Says what a parameter's value can be chosen from.
///
/// ```swift
/// struct Soups: DynamicOptionsProvider {
///     @Dependency var kitchen: Kitchen
///     func results() async throws -> [String] { try await kitchen.menu() }
/// }
///
/// @Parameter(title: "Soup", optionsProvider: Soups()) var soup: String
/// ```
/// It is asked in a worker, under the same limits as an intent: by `intentctl options`, before `perform()` with a
/// value that is not an entity's, which must be among the results, and before it without a value, for the default.
///
/// Source: Apple's DynamicOptionsProvider page.
public protocol DynamicOptionsProvider: _SupportsAppDependencies, Sendable {
    /// A list, or a list in sections.
    associatedtype Result: ResultsCollection
    // Apple's demands that it be one of the results, which a query that hides its results' type could not show here.
    /// What is chosen when nobody chooses: one of the results, or several.
    associatedtype DefaultValue: _IntentValue = Self.Result.Result

    /// The values.
    func results() async throws -> Result
    /// The value of a parameter that is given none, has no default and may be left out; by default none. Of several, one
    /// that takes a single value gets the first.
    func defaultResult() async -> DefaultValue?
}

extension DynamicOptionsProvider {
    public func defaultResult() async -> DefaultValue? { nil }

    /// One value with its name.
    public typealias Item = IntentItem
    /// Values in sections.
    public typealias ItemCollection = IntentItemCollection
    /// Some values under a title.
    public typealias ItemSection = IntentItemSection
    /// `@ParameterDependency` inside a provider.
    public typealias ParameterDependency = IntentParameterDependency
}

/// A list of values, or a list in sections.
///
/// Source: Apple's ResultsCollection page.
public protocol ResultsCollection<Result>: Sendable {
    /// One of the values.
    associatedtype Result: _IntentValue
    /// The values in their sections.
    var _sections: [IntentItemSection<Result>] { get }
    /// What a person is asked.
    var promptLabel: LocalizedStringResource? { get }
    /// True: a display may offer letters to jump to. Without meaning on Linux.
    var usesIndexedCollation: Bool { get }
    /// Nothing to choose from.
    static var empty: Self { get }
}

extension ResultsCollection {
    public var promptLabel: LocalizedStringResource? { nil }
    public var usesIndexedCollation: Bool { false }

    /// Every value, whatever its section.
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
