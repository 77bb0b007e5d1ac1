import IntentSharedTypes

/// A type that converts values of another type to a parameter's type.
///
/// Source: Apple's Resolver page.
public protocol Resolver: Hashable, Sendable {
    /// The type to convert from.
    associatedtype Input: _IntentValue
    /// The type to convert to.
    associatedtype Output: _IntentValue

    /// Converts a value. Returns nil if the value cannot be converted.
    func resolve(from input: Input, context: IntentParameterContext<Output>) async throws -> Output?
}

extension Resolver {
    func _resolve(_ value: IntentValue, files: IncomingFiles, contexts: [any Sendable]) async throws -> Output? {
        guard let context = contexts.lazy.compactMap({ $0 as? IntentParameterContext<Output> }).first else {
            return nil
        }
        let coding = Input._intentValueCoding
        // Return nil for a value of another type, because the next resolver may accept it.
        guard let type = coding.type, let accepted = try? type.accept(value) else { return nil }
        let input =
            if let resolve = coding.resolve { try await resolve(accepted, files) } else {
                try coding.decode(accepted, files)
            }
        return try await resolve(from: input, context: context)
    }
}

/// The resolvers of a parameter, in the order in which they are used.
///
/// Source: Apple's ResolverSpecification page.
public protocol ResolverSpecification: Hashable, Sendable, Sequence where Element == any Resolver {}

/// A list of resolvers. Not for direct use by apps.
public struct _ResolverList: ResolverSpecification {
    let resolvers: [any Resolver]

    public func makeIterator() -> IndexingIterator<[any Resolver]> { resolvers.makeIterator() }

    public static func == (left: Self, right: Self) -> Bool {
        left.resolvers.map { AnyHashable($0) } == right.resolvers.map { AnyHashable($0) }
    }

    public func hash(into hasher: inout Hasher) {
        for resolver in resolvers { hasher.combine(AnyHashable(resolver)) }
    }
}

/// A result builder that collects the resolvers of a parameter.
///
/// Source: Apple's ResolverSpecificationBuilder page.
@resultBuilder
public enum ResolverSpecificationBuilder<Property> {
    /// Adds a resolver.
    public static func buildExpression(_ resolver: some Resolver) -> any Resolver { resolver }
    /// Combines the resolvers of a block.
    public static func buildBlock(_ resolvers: any Resolver...) -> _ResolverList { _ResolverList(resolvers: resolvers) }
}

/// The source of a parameter's resolvers, which are created on demand.
struct ResolverSource: Sendable {
    let make: @Sendable () -> [any Resolver]

    init(_ make: @escaping @Sendable () -> some ResolverSpecification) {
        self.make = { Array(make()) }
    }
}

/// The parameter for which a resolver converts a value. The resolver can ask the person questions about the parameter.
///
/// Source: Apple's IntentParameterContext page.
public struct IntentParameterContext<Value: _IntentValue>: Sendable {
    private let titleOfParameter: @Sendable () -> LocalizedStringResource
    let ask: @Sendable (IntentDialog?, ShownSnippet?) async throws -> Value.ValueType
    let choose: @Sendable ([Value.ValueType], IntentDialog?, ShownSnippet?) async throws -> Value.ValueType
    let confirm: @Sendable (Value.ValueType, IntentDialog?, ShownSnippet?) async throws -> Bool

    /// True if the parameter is optional.
    public let isOptional: Bool

    /// - Parameter parameter: A parameter of type `Value` or of type `Value?`.
    init<Whole>(_ parameter: IntentParameter<Whole>) {
        titleOfParameter = { parameter.title }
        isOptional = Whole._intentValueCoding.isOptional
        ask = { Self.same(try await parameter.askForValue($0, $1)) }
        choose = { Self.same(try await parameter.askForChoice($0.map { Self.same($0) }, $1, $2)) }
        confirm = { try await parameter.askForConfirmation(Self.same($0), $1, $2) }
    }

    /// Casts between the value type of an optional type and the value type of its wrapped type. The two value types are
    /// identical.
    private static func same<From, To>(_ value: From) -> To {
        guard let same = value as? To else {
            preconditionFailure("an optional type and its wrapped type have different value types")
        }
        return same
    }

    /// The parameter's display name.
    public var title: LocalizedStringResource { titleOfParameter() }

    /// Asks the person for a value; see ``IntentParameter/requestValue(_:)``.
    ///
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled.
    public func requestValue(_ dialog: IntentDialog? = nil) async throws -> Value.ValueType {
        try await ask(dialog, nil)
    }

    /// Asks the person to choose one of several values; see ``IntentParameter/requestDisambiguation(among:dialog:)``.
    ///
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled.
    public func requestDisambiguation(
        among itemsToDisambiguate: [Value.ValueType],
        dialog: IntentDialog? = nil
    ) async throws -> Value.ValueType {
        try await choose(itemsToDisambiguate, dialog, nil)
    }

    /// Asks the person whether a value is correct; see ``IntentParameter/requestConfirmation(for:dialog:)``.
    ///
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled.
    public func requestConfirmation(
        for itemToConfirm: Value.ValueType,
        dialog: IntentDialog? = nil
    ) async throws -> Bool {
        try await confirm(itemToConfirm, dialog, nil)
    }
}
