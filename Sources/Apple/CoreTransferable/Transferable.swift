public import AppIntents
import Foundation

/// A type with values that can be exported to other representations, such as a file, and imported from them.
///
/// If an intent returns a single entity of such a type, the caller also receives the file that ``intentFile(as:)``
/// returns.
///
/// Source: Apple's Transferable page.
public protocol Transferable: _FileExportable {
    /// The type of ``transferRepresentation``.
    associatedtype Representation: TransferRepresentation

    /// The representations of a value, in order of preference.
    @TransferRepresentationBuilder<Self>
    static var transferRepresentation: Representation { get }
}

extension Transferable {
    /// Returns the content types to which a value can be converted, in the order of the representations.
    public static func exportedContentTypes() -> [UTType] { exports.map(\.contentType) }

    /// Returns the content types from which a value can be created, in the order of the representations.
    public static func importedContentTypes() -> [UTType] { imports.map(\.contentType) }

    /// Returns the content types to which this value can be converted.
    public func exportedContentTypes() -> [UTType] {
        Self.exports.filter { $0.isPermitted(self) }.map(\.contentType)
    }

    /// Converts the value to bytes.
    ///
    /// - Throws: ``TransferError`` when the value cannot be converted to the type; the error that the representation
    ///   throws.
    public func exported(as contentType: UTType) async throws -> Data {
        try await export(contentType).data()
    }

    /// Converts the value to a file for an intent's result. Specific to Linux: on Apple's systems, the system converts
    /// an entity when a step in a shortcut takes a file.
    ///
    /// - Parameter contentType: The type of the file; nil for the first type to which the value can be converted.
    /// - Throws: ``TransferError`` when the value cannot be converted to the type; the error that the representation
    ///   throws.
    public func intentFile(as contentType: UTType? = nil) async throws -> IntentFile {
        let exported = try await export(contentType)
        let type = exported.contentType
        // As on Apple's systems, the type of a string has no extension of its own.
        let ending = type == .utf8PlainText ? "txt" : type.preferredFilenameExtension
        let suffix = ending.map { "." + $0 } ?? ""
        switch exported.content {
        case .data(let data, let name):
            return IntentFile(data: data, filename: name ?? "\(Self.self)\(suffix)", type: exported.contentType)
        case .file(let url, let name):
            return IntentFile(fileURL: url, filename: name ?? url.lastPathComponent, type: exported.contentType)
        }
    }

    /// Creates a value from bytes.
    ///
    /// - Throws: ``TransferError`` when no value can be created from the type; the error that the representation
    ///   throws.
    public init(importing data: Data, contentType: UTType) async throws {
        guard let found = Self.imports.first(where: { $0.accepts(contentType) }) else {
            throw TransferError(
                "cannot create a \(Self.self) from '\(contentType.identifier)': it declares no import of this type"
            )
        }
        self = try await found.make(data)
    }

    /// The export of an intent's result. Not for direct use by apps.
    public var _fileExport: (@Sendable () async throws -> IntentFile)? {
        guard Self.exports.contains(where: { $0.isPermitted(self) }) else { return nil }
        return { try await intentFile() }
    }

    // An app declares only `some TransferRepresentation`, so the compiler does not know the representation's item type.
    static var exports: [_TransferExport<Self>] { transferRepresentation._exports as? [_TransferExport<Self>] ?? [] }
    static var imports: [_TransferImport<Self>] { transferRepresentation._imports as? [_TransferImport<Self>] ?? [] }

    private func export(_ contentType: UTType?) async throws -> _Exported {
        for export in Self.exports where export.isPermitted(self) {
            guard let contentType else { return try await export.convert(self) }
            if export.contentType == contentType || export.contentType.conforms(to: contentType) {
                return try await export.convert(self)
            }
        }
        let type = contentType.map { " to '\($0.identifier)'" } ?? ""
        let known = exportedContentTypes().map(\.identifier).joined(separator: ", ")
        throw TransferError(
            "cannot convert a \(Self.self)\(type): it declares \(known.isEmpty ? "no export" : "only \(known)")"
        )
    }
}

/// An error from an export or import.
public struct TransferError: LocalizedError, Hashable, Sendable {
    /// A description of what failed and why.
    public let errorDescription: String?

    init(_ description: String) {
        errorDescription = description
    }
}

/// One or more representations of a value.
///
/// Source: Apple's TransferRepresentation page.
public protocol TransferRepresentation<Item>: Sendable {
    /// The type of the value.
    associatedtype Item: Transferable

    /// The exports that the representation declares. Not for direct use by apps.
    var _exports: [_TransferExport<Item>] { get }
    /// The imports that the representation declares. Not for direct use by apps.
    var _imports: [_TransferImport<Item>] { get }
}

/// An exported value. Not for direct use by apps.
public struct _Exported: Sendable {
    enum Content: Sendable {
        case data(Data, filename: String?)
        case file(URL, filename: String?)
    }

    let contentType: UTType
    var content: Content

    func data() throws -> Data {
        switch content {
        case .data(let data, _): data
        case .file(let url, _): try Data(contentsOf: url, options: .mappedIfSafe)
        }
    }
}

/// A conversion from a value to a content type. Not for direct use by apps.
public struct _TransferExport<Item: Sendable>: Sendable {
    let contentType: UTType
    var isPermitted: @Sendable (Item) -> Bool = { _ in true }
    var convert: @Sendable (Item) async throws -> _Exported
}

/// A conversion from bytes of a content type to a value. Not for direct use by apps.
public struct _TransferImport<Item: Sendable>: Sendable {
    let contentType: UTType
    var make: @Sendable (Data) async throws -> Item

    func accepts(_ type: UTType) -> Bool { type == contentType || type.conforms(to: contentType) }
}

/// A result builder that combines the representations of a type.
///
/// Source: Apple's TransferRepresentationBuilder page.
@resultBuilder
public enum TransferRepresentationBuilder<Item: Transferable> {
    /// Adds a representation.
    public static func buildExpression<Content: TransferRepresentation>(_ content: Content) -> Content
    where Content.Item == Item {
        content
    }

    /// Adds the first representation of a block.
    public static func buildPartialBlock<Content: TransferRepresentation>(first: Content) -> Content
    where Content.Item == Item {
        first
    }

    /// Adds a further representation of a block.
    public static func buildPartialBlock<Before: TransferRepresentation, Next: TransferRepresentation>(
        accumulated: Before,
        next: Next
    ) -> _TransferRepresentations<Item> where Before.Item == Item, Next.Item == Item {
        _TransferRepresentations(
            _exports: accumulated._exports + next._exports,
            _imports: accumulated._imports + next._imports
        )
    }
}

/// Several representations of a type, in declaration order.
public struct _TransferRepresentations<Item: Transferable>: TransferRepresentation {
    public let _exports: [_TransferExport<Item>]
    public let _imports: [_TransferImport<Item>]
}
