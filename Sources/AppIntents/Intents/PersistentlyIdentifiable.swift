/// A type whose name for the outside stays when its name in the source changes.
///
/// Source: Apple's PersistentlyIdentifiable page.
public protocol PersistentlyIdentifiable {
    /// The name that clients, histories and schedules keep; by default the type's own name.
    static var persistentIdentifier: String { get }
}

extension PersistentlyIdentifiable {
    public static var persistentIdentifier: String { plainName(of: Self.self) }
}

/// The type's name in the source, the same in every build.
///
/// Never inlined: where the optimiser knows the type it puts in the name itself, and for a private type another one,
/// `(Fry in _2EAB5CB7)`.
// Not String(reflecting:): for private types it holds an address that differs from run to run.
@inline(never)
private func plainName(of type: Any.Type) -> String { _typeName(type, qualified: false) }
