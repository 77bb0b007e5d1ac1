public import AppIntents
import Foundation

/// The bytes of a value.
///
/// Source: Apple's DataRepresentation page.
public struct DataRepresentation<Item: Transferable>: TransferRepresentation {
    public let _exports: [_TransferExport<Item>]
    public let _imports: [_TransferImport<Item>]

    private init(_ exports: [_TransferExport<Item>], _ imports: [_TransferImport<Item>]) {
        _exports = exports
        _imports = imports
    }

    /// Creates a representation in both directions.
    public init(
        contentType: UTType,
        exporting: @escaping @Sendable (Item) async throws -> Data,
        importing: @escaping @Sendable (Data) async throws -> Item
    ) {
        self.init(
            Self(exportedContentType: contentType, exporting: exporting)._exports,
            [_TransferImport(contentType: contentType, make: importing)]
        )
    }

    /// Creates a representation to which values are converted.
    public init(
        exportedContentType: UTType,
        exporting: @escaping @Sendable (Item) async throws -> Data
    ) {
        let export = _TransferExport<Item>(contentType: exportedContentType) { item in
            _Exported(contentType: exportedContentType, content: .data(try await exporting(item), filename: nil))
        }
        self.init([export], [])
    }

    /// Creates a representation from which values are created.
    public init(
        importedContentType: UTType,
        importing: @escaping @Sendable (Data) async throws -> Item
    ) {
        self.init([], [_TransferImport(contentType: importedContentType, make: importing)])
    }
}

/// The JSON of a value, or another form that an encoder writes.
///
/// Source: Apple's CodableRepresentation page.
public struct CodableRepresentation<Item: Transferable & Codable>: TransferRepresentation {
    public let _exports: [_TransferExport<Item>]
    public let _imports: [_TransferImport<Item>]

    /// Creates a representation as JSON.
    public init(for itemType: Item.Type = Item.self, contentType: UTType) {
        let data = DataRepresentation<Item>(contentType: contentType) { item in
            try JSONEncoder().encode(item)
        } importing: { data in
            try JSONDecoder().decode(Item.self, from: data)
        }
        _exports = data._exports
        _imports = data._imports
    }
}

/// The file of a value.
///
/// Source: Apple's FileRepresentation page.
public struct FileRepresentation<Item: Transferable>: TransferRepresentation {
    public let _exports: [_TransferExport<Item>]
    public let _imports: [_TransferImport<Item>]

    private init(_ exports: [_TransferExport<Item>], _ imports: [_TransferImport<Item>]) {
        _exports = exports
        _imports = imports
    }

    /// Creates a representation in both directions.
    public init(
        contentType: UTType,
        shouldAttemptToOpenInPlace: Bool = false,
        exporting: @escaping @Sendable (Item) async throws -> SentTransferredFile,
        importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item
    ) {
        self.init(
            Self(exportedContentType: contentType, exporting: exporting)._exports,
            Self(importedContentType: contentType, importing: importing)._imports
        )
    }

    /// Creates a representation to which values are converted.
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
        self.init([export], [])
    }

    /// Creates a representation from which values are created. The file is removed when the closure returns.
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
            // An error is ignored: the folder of the run is removed with it.
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "file" + suffix)
            try data.write(to: file)
            return try await importing(ReceivedTransferredFile(file: file, isOriginalFile: false))
        }
        self.init([], [_TransferImport(contentType: importedContentType, make: make)])
    }
}

/// A file to which a value has been converted.
///
/// Source: Apple's SentTransferredFile page.
public struct SentTransferredFile: Sendable {
    /// The file.
    public let file: URL
    /// Ignored on Linux.
    public let allowAccessingOriginalFile: Bool

    /// Creates a description of a file.
    public init(_ file: URL, allowAccessingOriginalFile: Bool = false) {
        self.file = file
        self.allowAccessingOriginalFile = allowAccessingOriginalFile
    }
}

/// A file from which a value is created.
///
/// Source: Apple's ReceivedTransferredFile page.
public struct ReceivedTransferredFile: Sendable {
    /// The file.
    public let file: URL
    /// False, because callers send copies.
    public let isOriginalFile: Bool
}

/// The forms of another value, such as the text of a note.
///
/// Source: Apple's ProxyRepresentation page.
public struct ProxyRepresentation<Item: Transferable, ProxyItem: Transferable>: TransferRepresentation {
    public let _exports: [_TransferExport<Item>]
    public let _imports: [_TransferImport<Item>]

    private init(_ exports: [_TransferExport<Item>], _ imports: [_TransferImport<Item>]) {
        _exports = exports
        _imports = imports
    }

    /// Creates a representation in both directions.
    public init(
        exporting: @escaping @Sendable (Item) async throws -> ProxyItem,
        importing: @escaping @Sendable (ProxyItem) async throws -> Item
    ) {
        self.init(Self(exporting: exporting)._exports, Self(importing: importing)._imports)
    }

    /// Creates a representation to which values are converted.
    public init(exporting: @escaping @Sendable (Item) async throws -> ProxyItem) {
        let exports = ProxyItem.exports.map { proxy in
            _TransferExport<Item>(contentType: proxy.contentType) { item in
                try await proxy.convert(try await exporting(item))
            }
        }
        self.init(exports, [])
    }

    /// Creates a representation from which values are created.
    public init(importing: @escaping @Sendable (ProxyItem) async throws -> Item) {
        let imports = ProxyItem.imports.map { proxy in
            _TransferImport<Item>(contentType: proxy.contentType) { data in
                try await importing(try await proxy.make(data))
            }
        }
        self.init([], imports)
    }
}
