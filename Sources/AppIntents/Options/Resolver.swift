import IntentWire

/// Makes a value of a parameter's type from one of another type that was given for it.
///
/// Source: Apple's Resolver page.
public protocol Resolver: Hashable, Sendable {
    /// What it takes.
    associatedtype Input: _IntentValue
    /// What it makes.
    associatedtype Output: _IntentValue

    /// The value; nil when it cannot make one.
    func resolve(from input: Input, context: IntentParameterContext<Output>) async throws -> Output?
}

extension Resolver {
    func _resolve(
        _ value: IntentWire.IntentValue,
        files: IncomingFiles,
        contexts: [any Sendable]
    ) async throws -> Output? {
        guard let context = contexts.lazy.compactMap({ $0 as? IntentParameterContext<Output> }).first else {
            return nil
        }
        let coding = Input._intentValueCoding
        // A value that is not of this resolver's kind is for the next one.
        guard let type = coding.type, let accepted = try? type.accept(value) else { return nil }
        let input =
            if let resolve = coding.resolve { try await resolve(accepted, files) } else {
                try coding.decode(accepted, files)
            }
        return try await resolve(from: input, context: context)
    }
}

/// The resolvers of a parameter, in order.
///
/// Source: Apple's ResolverSpecification page.
public protocol ResolverSpecification: Hashable, Sendable, Sequence where Element == any Resolver {}

/// A list of resolvers; never named by an app.
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

/// Collects the resolvers of a parameter.
///
/// Source: Apple's ResolverSpecificationBuilder page.
@resultBuilder
public enum ResolverSpecificationBuilder<Property> {
    public static func buildExpression(_ resolver: some Resolver) -> any Resolver { resolver }
    public static func buildBlock(_ resolvers: any Resolver...) -> _ResolverList { _ResolverList(resolvers: resolvers) }
}

/// Makes the resolvers of a parameter when they are needed.
struct ResolverSource: Sendable {
    let make: @Sendable () -> [any Resolver]

    init(_ make: @escaping @Sendable () -> some ResolverSpecification) {
        self.make = { Array(make()) }
    }
}

/// What a resolver may know of the parameter, and may ask.
///
/// Source: Apple's IntentParameterContext page.
public struct IntentParameterContext<Value: _IntentValue>: Sendable {
    private let titleOfParameter: @Sendable () -> LocalizedStringResource
    private let ask: @Sendable (IntentDialog?) async throws -> Value.ValueType
    private let choose: @Sendable ([Value.ValueType], IntentDialog?) async throws -> Value.ValueType
    private let confirm: @Sendable (Value.ValueType, IntentDialog?) async throws -> Bool

    /// True: the parameter may go without a value.
    public let isOptional: Bool

    /// - Parameter parameter: Of that type, or of an optional of it.
    init<Whole>(_ parameter: IntentParameter<Whole>) {
        titleOfParameter = { parameter.title }
        isOptional = Whole._intentValueCoding.isOptional
        ask = { Self.same(try await parameter.requestValue($0)) }
        choose = { values, dialog in
            Self.same(try await parameter.requestDisambiguation(among: values.map { Self.same($0) }, dialog: dialog))
        }
        confirm = { try await parameter.requestConfirmation(for: Self.same($0), dialog: $1) }
    }

    /// The value as one of the type that the parameter and what it wraps have in common.
    private static func same<From, To>(_ value: From) -> To {
        guard let same = value as? To else {
            preconditionFailure("an optional and what it wraps have one ValueType — IntentValue+Optional")
        }
        return same
    }

    /// What the parameter is called.
    public var title: LocalizedStringResource { titleOfParameter() }

    /// As the parameter's own.
    ///
    /// - Throws: The question when nobody is there to answer it; `CancellationError` when the run is cancelled.
    public func requestValue(_ dialog: IntentDialog? = nil) async throws -> Value.ValueType {
        try await ask(dialog)
    }

    /// As the parameter's own.
    ///
    /// - Throws: The question when nobody is there to answer it; `CancellationError` when the run is cancelled.
    public func requestDisambiguation(
        among itemsToDisambiguate: [Value.ValueType],
        dialog: IntentDialog? = nil
    ) async throws -> Value.ValueType {
        try await choose(itemsToDisambiguate, dialog)
    }

    /// As the parameter's own.
    ///
    /// - Throws: The question when nobody is there to answer it; `CancellationError` when the run is cancelled.
    public func requestConfirmation(
        for itemToConfirm: Value.ValueType,
        dialog: IntentDialog? = nil
    ) async throws -> Bool {
        try await confirm(itemToConfirm, dialog)
    }
}
