public import AppIntents

/// The conversion between an entity and a value of the system, such as a person.
///
/// Linux has no other apps that receive such a value, so that only the app's own code converts with it.
///
/// Source: Apple's IntentValueRepresentation page.
public struct IntentValueRepresentation<Item: Transferable, IntentValue: _IntentValue>: TransferRepresentation {
    private let exporting: (@Sendable (Item) async throws -> IntentValue)?
    private let importing: (@Sendable (IntentValue) async throws -> Item)?

    public var _exports: [_TransferExport<Item>] { [] }
    public var _imports: [_TransferImport<Item>] { [] }

    /// Creates a conversion to a value of the system.
    public init(exporting: @escaping @Sendable (Item) async throws -> IntentValue) {
        self.exporting = exporting
        importing = nil
    }

    /// Creates a conversion from a value of the system.
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

    /// Converts an entity; nil if only the other direction is declared. Specific to Linux.
    ///
    /// - Throws: The error of the closure.
    public func value(of item: Item) async throws -> IntentValue? { try await exporting?(item) }

    /// Converts a value; nil if only the other direction is declared. Specific to Linux.
    ///
    /// - Throws: The error of the closure.
    public func item(from value: IntentValue) async throws -> Item? { try await importing?(value) }
}

extension AppEntity {
    /// The conversion between the entity and a value of the system.
    public typealias ValueRepresentation = IntentValueRepresentation
}
