import Synchronization

/// Where an app puts what its intents share: a database, a client of a service, a kitchen.
///
/// ```swift
/// init() {
///     AppDependencyManager.shared.add(dependency: Kitchen())
/// }
/// ```
/// The place is the `init()` of the app: it runs before an intent does, and not when only the catalogue is asked for.
///
/// Source: Apple's AppDependencyManager page.
public final class AppDependencyManager: Sendable {
    /// What a dependency is found by: its type, and a name when the app gave one.
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

    /// What was registered under a key.
    enum Entry: Sendable {
        case value(any Sendable)
        /// Makes the value when an intent first needs it.
        case provider(@Sendable () async throws -> any Sendable)
    }

    /// The one that `@Dependency` looks into.
    public static let shared = AppDependencyManager()

    private let entries = Mutex<[Key: Entry]>([:])

    /// A manager of one's own, for a test.
    public init() {}

    /// Registers a value. Whatever was there under the type, or the key, is replaced.
    // Disfavoured: a closure is a provider, and not a value of a closure's type.
    @_disfavoredOverload
    public func add<Dependency: Sendable>(
        key: (any Hashable & Sendable)? = nil,
        dependency: @autoclosure () throws -> Dependency
    ) rethrows {
        set(.value(try dependency()), for: Self.key(of: Dependency.self, named: key))
    }

    /// Registers how a value is made: once, when the first intent that needs it is about to run.
    ///
    /// What it throws is the failure of that run.
    public func add<Dependency: Sendable>(
        key: (any Hashable & Sendable)? = nil,
        dependency dependencyProvider: @escaping @Sendable () async throws -> Dependency
    ) {
        set(.provider { try await dependencyProvider() }, for: Self.key(of: Dependency.self, named: key))
    }

    /// The same for a provider that does not wait.
    // Without it Swift takes such a closure for a value of a closure's type.
    public func add<Dependency: Sendable>(
        key: (any Hashable & Sendable)? = nil,
        dependency dependencyProvider: @escaping @Sendable () throws -> Dependency
    ) {
        set(.provider { try dependencyProvider() }, for: Self.key(of: Dependency.self, named: key))
    }

    /// The value of that type, made now if it has to be; nil when nothing is registered.
    ///
    /// - Throws: What the provider throws.
    func value<Dependency: Sendable>(
        of type: Dependency.Type,
        named name: (any Hashable & Sendable)?
    ) async throws -> Dependency? {
        let key = Self.key(of: type, named: name)
        switch entries.withLock({ $0[key] }) {
        case nil: return nil
        case .value(let value): return value as? Dependency
        case .provider(let make):
            let value = try await make()
            set(.value(value), for: key)
            return value as? Dependency
        }
    }

    /// The value of that type if it is there already.
    func readyValue<Dependency: Sendable>(
        of type: Dependency.Type,
        named name: (any Hashable & Sendable)?
    ) -> Dependency? {
        let key = Self.key(of: type, named: name)
        guard case .value(let value) = entries.withLock({ $0[key] }) else { return nil }
        return value as? Dependency
    }

    private func set(_ entry: Entry, for key: Key) {
        entries.withLock { $0[key] = entry }
    }

    private static func key<Dependency>(of type: Dependency.Type, named name: (any Hashable & Sendable)?) -> Key {
        Key(type: ObjectIdentifier(type), name: name)
    }
}
