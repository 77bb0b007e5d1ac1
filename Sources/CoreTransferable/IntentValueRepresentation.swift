public import AppIntents

/// The conversion between an entity and a value of a system type, such as a person.
///
/// On Linux, no other app receives the value, so only the app's own code calls the conversion.
///
/// Source: Apple's IntentValueRepresentation page.
public struct IntentValueRepresentation<Item: Transferable, IntentValue: _IntentValue>: TransferRepresentation {
    private let exporting: (@Sendable (Item) async throws -> IntentValue)?
    private let importing: (@Sendable (IntentValue) async throws -> Item)?

    public var _exports: [_TransferExport<Item>] { [] }
    public var _imports: [_TransferImport<Item>] { [] }

    /// Creates a conversion to a value of a system type.
    public init(exporting: @escaping @Sendable (Item) async throws -> IntentValue) {
        self.exporting = exporting
        importing = nil
    }

    /// Creates a conversion from a value of a system type.
    public init(importing: @escaping @Sendable (IntentValue) async throws -> Item) {
        exporting = nil
        self.importing = importing
    }

    /// Creates a conversion in both directions.
    public init(
        exporting: @escaping @Sendable (Item) async throws -> IntentValue,
        importing: @escaping @Sendable (IntentValue) async throws -> Item
    ) {
        self.exporting = exporting
        self.importing = importing
    }

    /// Converts an entity to a value. Returns nil if the representation only imports values. Specific to Linux.
    ///
    /// - Throws: The error that the closure throws.
    public func value(of item: Item) async throws -> IntentValue? { try await exporting?(item) }

    /// Converts a value to an entity. Returns nil if the representation only exports values. Specific to Linux.
    ///
    /// - Throws: The error that the closure throws.
    public func item(from value: IntentValue) async throws -> Item? { try await importing?(value) }
}

extension AppEntity {
    /// The conversion between the entity and a value of a system type.
    public typealias ValueRepresentation = IntentValueRepresentation
}
