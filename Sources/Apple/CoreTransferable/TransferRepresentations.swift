public import AppIntents
import Foundation

/// A representation of a value as bytes.
///
/// Source: Apple's DataRepresentation page.
public struct DataRepresentation<Item: Transferable>: TransferRepresentation {
    public let _exports: [_TransferExport<Item>]
    public let _imports: [_TransferImport<Item>]
}

extension DataRepresentation {
    /// Creates a representation that exports and imports values.
    public init(
        contentType: UTType,
        exporting: @escaping @Sendable (Item) async throws -> Data,
        importing: @escaping @Sendable (Data) async throws -> Item
    ) {
        self.init(
            _exports: Self(exportedContentType: contentType, exporting: exporting)._exports,
            _imports: [_TransferImport(contentType: contentType, make: importing)]
        )
    }

    /// Creates a representation that only exports values.
    public init(
        exportedContentType: UTType,
        exporting: @escaping @Sendable (Item) async throws -> Data
    ) {
        let export = _TransferExport<Item>(contentType: exportedContentType) { item in
            _Exported(contentType: exportedContentType, content: .data(try await exporting(item), filename: nil))
        }
        self.init(_exports: [export], _imports: [])
    }

    /// Creates a representation that only imports values.
    public init(
        importedContentType: UTType,
        importing: @escaping @Sendable (Data) async throws -> Item
    ) {
        self.init(_exports: [], _imports: [_TransferImport(contentType: importedContentType, make: importing)])
    }
}

/// A representation of a `Codable` value as JSON.
///
/// Source: Apple's CodableRepresentation page.
public struct CodableRepresentation<Item: Transferable & Codable>: TransferRepresentation {
    public let _exports: [_TransferExport<Item>]
    public let _imports: [_TransferImport<Item>]

    /// Creates a representation with the given content type. The bytes are JSON for every content type.
    ///
    /// An import refuses JSON in which an object contains a key twice, or more than 30 combining marks follow each other,
    /// because the time to decode such a string grows with the square of its length.
    public init(for itemType: Item.Type = Item.self, contentType: UTType) {
        let data = DataRepresentation<Item>(contentType: contentType) { item in
            try JSONEncoder().encode(item)
        } importing: { data in
            try Item(_foreignJSON: data)
        }
        _exports = data._exports
        _imports = data._imports
    }
}

/// A representation of a value as a file.
///
/// Source: Apple's FileRepresentation page.
public struct FileRepresentation<Item: Transferable>: TransferRepresentation {
    public let _exports: [_TransferExport<Item>]
    public let _imports: [_TransferImport<Item>]
}

extension FileRepresentation {
    /// Creates a representation that exports and imports values.
    public init(
        contentType: UTType,
        shouldAttemptToOpenInPlace: Bool = false,
        exporting: @escaping @Sendable (Item) async throws -> SentTransferredFile,
        importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item
    ) {
        self.init(
            _exports: Self(exportedContentType: contentType, exporting: exporting)._exports,
            _imports: Self(importedContentType: contentType, importing: importing)._imports
        )
    }

    /// Creates a representation that only exports values.
    ///
    /// - Parameter shouldAllowToOpenInPlace: Ignored on Linux, where callers receive a copy.
    public init(
        exportedContentType: UTType,
        shouldAllowToOpenInPlace: Bool = false,
        exporting: @escaping @Sendable (Item) async throws -> SentTransferredFile
    ) {
        let export = _TransferExport<Item>(contentType: exportedContentType) { item in
            _Exported(contentType: exportedContentType, content: .file(try await exporting(item).file, filename: nil))
        }
        self.init(_exports: [export], _imports: [])
    }

    /// Creates a representation that only imports values. The file is removed when the closure returns.
    ///
    /// - Parameter shouldAttemptToOpenInPlace: Ignored on Linux, where the closure receives a copy.
    public init(
        importedContentType: UTType,
        shouldAttemptToOpenInPlace: Bool = false,
        importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item
    ) {
        let make: @Sendable (Data) async throws -> Item = { data in
            let suffix = importedContentType.preferredFilenameExtension.map { "." + $0 } ?? ""
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            // If the removal fails, the folder is removed together with the run folder.
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "file" + suffix)
            try data.write(to: file)
            return try await importing(ReceivedTransferredFile(file: file, isOriginalFile: false))
        }
        self.init(_exports: [], _imports: [_TransferImport(contentType: importedContentType, make: make)])
    }
}

/// A file to which a value has been exported.
///
/// Source: Apple's SentTransferredFile page.
public struct SentTransferredFile: Sendable {
    /// The URL of the file.
    public let file: URL
    /// True if the receiver may access the original file. Ignored on Linux.
    public let allowAccessingOriginalFile: Bool

    /// Creates a reference to the exported file.
    public init(_ file: URL, allowAccessingOriginalFile: Bool = false) {
        self.file = file
        self.allowAccessingOriginalFile = allowAccessingOriginalFile
    }
}

/// A file from which a value is imported.
///
/// Source: Apple's ReceivedTransferredFile page.
public struct ReceivedTransferredFile: Sendable {
    /// The URL of the file.
    public let file: URL
    /// True if the file is the sender's original. On Linux, it is always false, because callers send copies.
    public let isOriginalFile: Bool
}

/// A representation that replaces a value with another value, such as a note with its text.
///
/// Source: Apple's ProxyRepresentation page.
public struct ProxyRepresentation<Item: Transferable, ProxyItem: Transferable>: TransferRepresentation {
    public let _exports: [_TransferExport<Item>]
    public let _imports: [_TransferImport<Item>]
}

extension ProxyRepresentation {
    /// Creates a representation that exports and imports values.
    public init(
        exporting: @escaping @Sendable (Item) async throws -> ProxyItem,
        importing: @escaping @Sendable (ProxyItem) async throws -> Item
    ) {
        self.init(_exports: Self(exporting: exporting)._exports, _imports: Self(importing: importing)._imports)
    }

    /// Creates a representation that only exports values.
    public init(exporting: @escaping @Sendable (Item) async throws -> ProxyItem) {
        let exports = ProxyItem.exports.map { proxy in
            _TransferExport<Item>(contentType: proxy.contentType) { item in
                try await proxy.convert(try await exporting(item))
            }
        }
        self.init(_exports: exports, _imports: [])
    }

    /// Creates a representation that only imports values.
    public init(importing: @escaping @Sendable (ProxyItem) async throws -> Item) {
        let imports = ProxyItem.imports.map { proxy in
            _TransferImport<Item>(contentType: proxy.contentType) { data in
                try await importing(try await proxy.make(data))
            }
        }
        self.init(_exports: [], _imports: imports)
    }
}
