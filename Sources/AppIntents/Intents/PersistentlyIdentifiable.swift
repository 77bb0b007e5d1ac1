/// A type with a public name that stays the same when the type is renamed in the source.
///
/// Source: Apple's PersistentlyIdentifiable page.
public protocol PersistentlyIdentifiable {
    /// The public name. By default, the type's name in the source.
    static var persistentIdentifier: String { get }
}

extension PersistentlyIdentifiable {
    public static var persistentIdentifier: String { plainName(of: Self.self) }
}

/// Returns the type's name in the source, which is the same in every build.
///
/// Never inlined: if the optimiser knows the type, it inserts a different name for a private type, such as
/// `(Fry in _2EAB5CB7)`.
// Not String(reflecting:): for a private type, its result contains an address, which differs from process to process.
@inline(never)
private func plainName(of type: Any.Type) -> String { _typeName(type, qualified: false) }
