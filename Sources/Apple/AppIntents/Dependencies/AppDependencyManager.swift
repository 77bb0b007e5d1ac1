import Synchronization

/// A registry of values that an app's intents share, such as a database connection.
///
/// ```swift
/// init() {
///     AppDependencyManager.shared.add(dependency: Kitchen())
/// }
/// ```
/// Register dependencies in the app's `init()`, which runs before each intent but not when `intentd` reads the
/// catalogue.
///
/// Source: Apple's AppDependencyManager page.
public final class AppDependencyManager: Sendable {
    /// The key of a dependency: its type and, optionally, a key that the app chooses.
    struct Key: Hashable, Sendable {
        let type: ObjectIdentifier
        let name: (any Hashable & Sendable)?

        static func == (left: Self, right: Self) -> Bool {
            left.type == right.type && left.name.map { AnyHashable($0) } == right.name.map { AnyHashable($0) }
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(type)
            if let name { hasher.combine(AnyHashable(name)) }
        }
    }

    /// A registered value, or a provider that creates the value.
    enum Entry: Sendable {
        case value(any Sendable)
        /// A closure that creates the value when an intent first needs it.
        case provider(@Sendable () async throws -> any Sendable)
    }

    /// The manager that `@Dependency` uses by default. In a test with AppIntentsTesting, it uses the values of the
    /// test's own manager.
    public static let shared = AppDependencyManager()

    private let entries = Mutex<[Key: Entry]>([:])

    /// Creates a separate manager, for tests.
    public init() {}

    /// Registers a value, which replaces any value that is registered for the same type and key.
    // Disfavoured so that a closure is registered as a provider, not as a value.
    @_disfavoredOverload
    public func add<Dependency: Sendable>(
        key: (any Hashable & Sendable)? = nil,
        dependency: @autoclosure () throws -> Dependency
    ) rethrows {
        set(.value(try dependency()), for: Self.key(of: Dependency.self, named: key))
    }

    /// Registers a provider, which is called once, before the first intent that needs the value is performed.
    ///
    /// If the provider throws an error, the run fails with that error.
    public func add<Dependency: Sendable>(
        key: (any Hashable & Sendable)? = nil,
        dependency dependencyProvider: @escaping @Sendable () async throws -> Dependency
    ) {
        set(.provider { try await dependencyProvider() }, for: Self.key(of: Dependency.self, named: key))
    }

    /// Registers a synchronous provider.
    // Without this overload, Swift would treat such a closure as a value of closure type.
    public func add<Dependency: Sendable>(
        key: (any Hashable & Sendable)? = nil,
        dependency dependencyProvider: @escaping @Sendable () throws -> Dependency
    ) {
        set(.provider { try dependencyProvider() }, for: Self.key(of: Dependency.self, named: key))
    }

    /// Registers a synchronous provider that belongs to the main actor: `add { @MainActor in Window() }`.
    // The parameter is an autoclosure, because Swift ignores the actor of a closure when it compares two declarations.
    public func add<Dependency: Sendable>(
        key: (any Hashable & Sendable)? = nil,
        dependency dependencyProvider: @autoclosure () -> @MainActor @Sendable () throws -> Dependency
    ) {
        let provider = dependencyProvider()
        set(.provider { try await provider() }, for: Self.key(of: Dependency.self, named: key))
    }

    /// Returns the value that is registered for a type, after creating it if necessary; nil if no value is registered.
    ///
    /// - Throws: The error that the provider throws.
    func value<Dependency: Sendable>(
        of type: Dependency.Type,
        named name: (any Hashable & Sendable)?
    ) async throws -> Dependency? {
        let key = Self.key(of: type, named: name)
        switch effective.entries.withLock({ $0[key] }) {
        case nil: return nil
        case .value(let value): return value as? Dependency
        case .provider(let make):
            let value = try await make()
            set(.value(value), for: key)
            return value as? Dependency
        }
    }

    /// Returns true if a value or a provider is registered for a type.
    func contains<Dependency: Sendable>(_ type: Dependency.Type, named name: (any Hashable & Sendable)?) -> Bool {
        effective.entries.withLock { $0[Self.key(of: type, named: name)] != nil }
    }

    /// Returns the value that is registered for a type; nil if no value is registered or its provider has not been
    /// called yet.
    func readyValue<Dependency: Sendable>(
        of type: Dependency.Type,
        named name: (any Hashable & Sendable)?
    ) -> Dependency? {
        let key = Self.key(of: type, named: name)
        guard case .value(let value) = effective.entries.withLock({ $0[key] }) else { return nil }
        return value as? Dependency
    }

    private func set(_ entry: Entry, for key: Key) {
        effective.entries.withLock { $0[key] = entry }
    }

    /// The manager that stores the values. A test replaces the shared manager for its own tasks.
    private var effective: AppDependencyManager {
        self === Self.shared ? RunSurroundings.current?.dependencies ?? self : self
    }

    private static func key<Dependency>(of type: Dependency.Type, named name: (any Hashable & Sendable)?) -> Key {
        Key(type: ObjectIdentifier(type), name: name)
    }
}
