/// A type with a public name, which stays the same when the Swift type is renamed.
///
/// Source: Apple's PersistentlyIdentifiable page.
public protocol PersistentlyIdentifiable {
    /// The public name. By default, it is the name of the Swift type.
    static var persistentIdentifier: String { get }
}

extension PersistentlyIdentifiable {
    public static var persistentIdentifier: String { plainName(of: Self.self) }
}

/// Returns the name of the Swift type, which is the same in every build.
///
/// This function must not be inlined. If the optimiser knows the type, it inserts a different name for a private type,
/// such as `(Fry in _2EAB5CB7)`.
// String(reflecting:) is unsuitable. For a private type, its result contains an address, which differs between
// processes.
@inline(never)
private func plainName(of type: Any.Type) -> String { _typeName(type, qualified: false) }
