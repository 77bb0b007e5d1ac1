public import AppIntents

/// The conversion between an entity and a value of a system type, such as a person.
///
/// On Linux, no other app receives the value. If the value is an `IntentFile` or a `Transferable` value, such as a
/// string, it is also an export of the entity: if an intent returns the entity, its caller receives the value as a
/// file.
///
/// Source: Apple's IntentValueRepresentation page.
public struct IntentValueRepresentation<Item: Transferable, IntentValue: _IntentValue>: TransferRepresentation {
    private let exporting: (@Sendable (Item) async throws -> IntentValue)?
    private let importing: (@Sendable (IntentValue) async throws -> Item)?

    public var _exports: [_TransferExport<Item>] {
        guard let exporting else { return [] }
        if IntentValue.self == IntentFile.self {
            let export = _TransferExport<Item>(contentType: .data) { item in
                guard let file = try await exporting(item) as? IntentFile else { throw Self.mismatch }
                let type = file.type ?? .data
                if let url = file.fileURL {
                    return _Exported(contentType: type, content: .file(url, filename: file.filename))
                }
                return _Exported(contentType: type, content: .data(file.data, filename: file.filename))
            }
            return [export]
        }
        return (IntentValue.self as? any Transferable.Type).map { Self.exports(through: $0, exporting) } ?? []
    }
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

    /// Returns the exports of the value to which an entity is converted.
    private static func exports<Proxy: Transferable>(
        through _: Proxy.Type,
        _ exporting: @escaping @Sendable (Item) async throws -> IntentValue
    ) -> [_TransferExport<Item>] {
        let proxy = ProxyRepresentation<Item, Proxy> { item in
            guard let value = try await exporting(item) as? Proxy else { throw Self.mismatch }
            return value
        }
        return proxy._exports
    }

    private static var mismatch: TransferError {
        TransferError("cannot convert a \(Item.self): the conversion returned another type than \(IntentValue.self)")
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
