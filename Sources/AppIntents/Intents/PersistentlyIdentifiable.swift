/// A type with a public name that stays the same when the type is renamed in the source.
///
/// Source: Apple's PersistentlyIdentifiable page.
public protocol PersistentlyIdentifiable {
    /// The name that clients, history and schedules use. By default, the type's own name.
    static var persistentIdentifier: String { get }
}

extension PersistentlyIdentifiable {
    public static var persistentIdentifier: String { plainName(of: Self.self) }
}

/// The type's name in the source, which is the same in every build.
///
/// The function is never inlined: where the optimiser knows the type, it inserts a name of its own, which differs for a
/// private type: `(Fry in _2EAB5CB7)`.
// String(reflecting:) is no alternative: for private types it contains an address, which differs from run to run.
@inline(never)
private func plainName(of type: Any.Type) -> String { _typeName(type, qualified: false) }
