import Synchronization

/// A value that the app's intents share: `@Dependency var kitchen: Kitchen`.
///
/// The worker looks up the value in the ``AppDependencyManager`` before it calls `perform()`. The run fails if the
/// value is not registered.
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

    // Declared in the class body, because otherwise Swift does not find it for `@Dependency var x: T` without
    // parentheses.
    /// Creates a dependency on the value registered under its type.
    public convenience init() {
        self.init(key: nil, manager: .shared, fallback: nil)
    }

    /// Creates a dependency on the value registered under its type, and under a key if one is given.
    public convenience init(key: (any Hashable & Sendable)? = nil, manager: AppDependencyManager = .shared) {
        self.init(key: key, manager: manager, fallback: nil)
    }

    /// Creates a dependency with a fallback, used if the type is not registered.
    public convenience init(
        key: (any Hashable & Sendable)? = nil,
        manager: AppDependencyManager = .shared,
        default defaultValue: @autoclosure @escaping @Sendable () -> Value
    ) {
        self.init(key: key, manager: manager, fallback: defaultValue)
    }

    /// Creates a dependency with a function that makes the fallback, used if the type is not registered.
    // Disfavoured, so that a closure given for a dependency of closure type is the fallback itself.
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
    /// - Precondition: The run has resolved the dependency, or a value is registered.
    public var wrappedValue: Value {
        get {
            if let value = value.withLock({ $0 }) ?? manager.readyValue(of: Value.self, named: key) { return value }
            preconditionFailure(
                "cannot read the dependency of type \(Value.self): it is not registered. \(DependencyError.remedy)"
            )
        }
        set { value.withLock { $0 = newValue } }
    }

    /// The wrapper itself.
    public var projectedValue: AppDependency<Value> { self }
}

extension AppDependency: AnyAppDependency {
    func resolve(for intent: String) async throws {
        if value.withLock({ $0 != nil }) { return }
        let found = try await manager.value(of: Value.self, named: key)
        let resolved: Value
        if let found {
            resolved = found
        } else if let fallback {
            resolved = try await fallback()
        } else {
            throw DependencyError.missing(type: _typeName(Value.self, qualified: false), intent: intent)
        }
        value.withLock { $0 = resolved }
    }
}

/// A type-erased dependency, to which a value found with `Mirror` can be cast.
protocol AnyAppDependency: Sendable {
    /// Looks up the value, so that it can later be read without waiting.
    ///
    /// - Throws: ``DependencyError``, or the error of the app's provider.
    func resolve(for intent: String) async throws
}

/// A type that may declare `@Dependency`.
///
/// Source: Apple's pages name this protocol in their conformances.
public protocol _SupportsAppDependencies {}

extension _SupportsAppDependencies {
    /// `@Dependency` in an intent.
    public typealias Dependency = AppDependency
}
