import Synchronization

/// A property wrapper for a value that an app's intents share: `@Dependency var kitchen: Kitchen`.
///
/// Before the worker calls `perform()`, it looks up the value in the ``AppDependencyManager``. If the value is not
/// registered, the run fails.
///
/// Source: Apple's AppDependency page.
@propertyWrapper
public final class AppDependency<Value: Sendable>: Sendable {
    private let key: (any Hashable & Sendable)?
    private let manager: AppDependencyManager
    private let fallback: (@Sendable () async throws -> Value)?
    private let value = Mutex<Value?>(nil)

    init(
        key: (any Hashable & Sendable)?,
        manager: AppDependencyManager,
        fallback: (@Sendable () async throws -> Value)?
    ) {
        self.key = key
        self.manager = manager
        self.fallback = fallback
    }

    // This initializer is declared in the class itself, because Swift ignores initializers in extensions for
    // `@Dependency var x: T` without parentheses.
    /// Creates a dependency on the value that is registered for the type.
    public convenience init() {
        self.init(key: nil, manager: .shared, fallback: nil)
    }

    /// Creates a dependency on the value that is registered for the type and, if a key is given, for the key.
    public convenience init(key: (any Hashable & Sendable)? = nil, manager: AppDependencyManager = .shared) {
        self.init(key: key, manager: manager, fallback: nil)
    }

    /// Creates a dependency with a fallback value, which is used if no value is registered.
    public convenience init(
        key: (any Hashable & Sendable)? = nil,
        manager: AppDependencyManager = .shared,
        default defaultValue: @autoclosure @escaping @Sendable () -> Value
    ) {
        self.init(key: key, manager: manager, fallback: defaultValue)
    }

    /// Creates a dependency with a closure that creates a fallback value if no value is registered.
    // Disfavoured so that a closure passed to a dependency of closure type is itself the fallback value.
    @_disfavoredOverload
    public convenience init(
        key: (any Hashable & Sendable)?,
        manager: AppDependencyManager,
        default makeDefault: @escaping @Sendable () async throws -> Value
    ) {
        self.init(key: key, manager: manager, fallback: makeDefault)
    }

    /// The registered value.
    ///
    /// - Precondition: The worker has looked up the dependency, or a value is registered.
    public var wrappedValue: Value {
        get {
            if let value = value.withLock({ $0 }) ?? manager.readyValue(of: Value.self, named: key) { return value }
            preconditionFailure(
                "cannot read the dependency of type \(Value.self): it is not registered. \(DependencyError.remedy)"
            )
        }
        set { value.withLock { $0 = newValue } }
    }

    /// The property wrapper itself.
    public var projectedValue: AppDependency<Value> { self }
}

extension AppDependency: AnyAppDependency {
    var unregisteredType: String? {
        guard value.withLock({ $0 == nil }), fallback == nil, !manager.contains(Value.self, named: key) else {
            return nil
        }
        return _typeName(Value.self, qualified: false)
    }

    func resolve(for intent: String) async throws {
        if value.withLock({ $0 != nil }) { return }
        var resolved = try await manager.value(of: Value.self, named: key)
        if resolved == nil, let fallback { resolved = try await fallback() }
        guard let resolved else {
            throw DependencyError(type: _typeName(Value.self, qualified: false), intent: intent)
        }
        value.withLock { $0 = resolved }
    }
}

/// A type-erased dependency. Values found with `Mirror` are cast to this protocol.
protocol AnyAppDependency: Sendable {
    /// The name of the value's type if no value is registered and the dependency has no fallback; otherwise nil.
    var unregisteredType: String? { get }
    /// Looks up the value so that it can be read later without suspension.
    ///
    /// - Throws: ``DependencyError``, or the error that the app's provider throws.
    func resolve(for intent: String) async throws
}

/// A type that may declare `@Dependency` properties.
///
/// Source: Apple's pages list this protocol among the conformances of other types.
public protocol _SupportsAppDependencies {}

extension _SupportsAppDependencies {
    /// The `@Dependency` property wrapper for an intent.
    public typealias Dependency = AppDependency
}
