/// A type whose name for the outside stays when its name in the source changes.
///
/// Source: Apple's PersistentlyIdentifiable page.
public protocol PersistentlyIdentifiable {
    /// The name that clients, histories and schedules keep; by default the type's own name.
    static var persistentIdentifier: String { get }
}

extension PersistentlyIdentifiable {
    // Not String(reflecting:): for private types it holds an address that differs from run to run.
    public static var persistentIdentifier: String { _typeName(Self.self, qualified: false) }
}
