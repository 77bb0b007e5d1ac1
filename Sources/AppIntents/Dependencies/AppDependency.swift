import Synchronization

/// Something that an intent shares with others of its app: `@Dependency var kitchen: Kitchen`.
///
/// It is looked up in the ``AppDependencyManager`` before `perform()`; a missing one ends the run with an error.
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

    // In the body of the class: only here does Swift find it for `@Dependency var x: T` without parentheses.
    /// What is registered under the type.
    public convenience init() {
        self.init(key: nil, manager: .shared, fallback: nil)
    }

    /// What is registered under the type, and the key when there is one.
    public convenience init(key: (any Hashable & Sendable)? = nil, manager: AppDependencyManager = .shared) {
        self.init(key: key, manager: manager, fallback: nil)
    }

    /// The same with a value for when nothing is registered.
    public convenience init(
        key: (any Hashable & Sendable)? = nil,
        manager: AppDependencyManager = .shared,
        default defaultValue: @autoclosure @escaping @Sendable () -> Value
    ) {
        self.init(key: key, manager: manager, fallback: defaultValue)
    }

    /// The same with a way to make a value for when nothing is registered.
    // Disfavoured: a closure given for a value of a closure's type is that value.
    @_disfavoredOverload
    public convenience init(
        key: (any Hashable & Sendable)?,
        manager: AppDependencyManager,
        default makeDefault: @escaping @Sendable () async throws -> Value
    ) {
        self.init(key: key, manager: manager, fallback: makeDefault)
    }

    /// The value. Reading one outside a run that nobody has registered ends the process.
    public var wrappedValue: Value {
        get {
            if let value = value.withLock({ $0 }) ?? manager.readyValue(of: Value.self, named: key) { return value }
            preconditionFailure(
                "the dependency of type \(Value.self) was read, and is not there. \(DependencyError.remedy)"
            )
        }
        set { value.withLock { $0 = newValue } }
    }

    /// The dependency itself.
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

/// Any dependency of an intent, as `Mirror` finds it.
protocol AnyAppDependency: Sendable {
    /// Looks the value up, so that it can be read at once.
    ///
    /// - Throws: ``DependencyError``, or what the app's provider throws.
    func resolve(for intent: String) async throws
}

/// A type in which `@Dependency` can be written.
///
/// Source: Apple's pages name this protocol in their conformances.
public protocol _SupportsAppDependencies {}

extension _SupportsAppDependencies {
    /// `@Dependency` inside an intent.
    public typealias Dependency = AppDependency
}
