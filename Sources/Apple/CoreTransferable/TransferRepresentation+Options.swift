public import AppIntents
import Foundation

extension TransferRepresentation {
    /// Sets the name of exported files.
    public func suggestedFileName(_ fileName: String) -> some TransferRepresentation<Item> {
        suggestedFileName { _ in fileName }
    }

    /// Sets a closure that returns the name of an exported file; nil keeps the default name.
    public func suggestedFileName(
        _ fileName: @escaping @Sendable (Item) -> String?
    ) -> some TransferRepresentation<Item> {
        changed { export in
            let convert = export.convert
            export.convert = { item in
                var exported = try await convert(item)
                if let name = fileName(item) {
                    exported.content =
                        switch exported.content {
                        case .data(let data, _): .data(data, filename: name)
                        case .file(let url, _): .file(url, filename: name)
                        }
                }
                return exported
            }
        }
    }

    /// Exports only values that meet a condition.
    public func exportingCondition(
        _ condition: @escaping @Sendable (Item) -> Bool
    ) -> some TransferRepresentation<Item> {
        changed { export in
            let isPermitted = export.isPermitted
            export.isPermitted = { isPermitted($0) && condition($0) }
        }
    }

    /// Limits which programs receive the representation. Ignored on Linux, where only the app's own code converts
    /// values.
    public func visibility(_ visibility: TransferRepresentationVisibility) -> some TransferRepresentation<Item> {
        changed { _ in }
    }

    private func changed(_ change: (inout _TransferExport<Item>) -> Void) -> some TransferRepresentation<Item> {
        var exports = _exports
        for index in exports.indices { change(&exports[index]) }
        return _TransferRepresentations(_exports: exports, _imports: _imports)
    }
}

/// The programs that receive a representation of a value. Ignored on Linux.
///
/// Source: Apple's TransferRepresentationVisibility page.
public enum TransferRepresentationVisibility: Sendable, Hashable {
    /// All programs.
    case all
    /// Programs from the same developer.
    case team
    /// Programs in the same app group.
    case group
    /// The program itself.
    case ownProcess
}

// Names with their modules permit conformances to a protocol of another package, which an author's build compiles.
extension Swift.String: AppIntents._FileExportable, Transferable {
    public static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(contentType: .utf8PlainText) { text in
            Data(text.utf8)
        } importing: { data in
            guard let text = String(_validText: data) else {
                throw TransferError("cannot create a string: the bytes are not valid UTF-8 text")
            }
            return text
        }
    }
}

extension Foundation.Data: AppIntents._FileExportable, Transferable {
    public static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(contentType: .data) {
            $0
        } importing: {
            $0
        }
    }
}

extension Foundation.URL: AppIntents._FileExportable, Transferable {
    public static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(contentType: .url) { url in
            Data(url.absoluteString.utf8)
        } importing: { data in
            guard let text = String(_validText: data), let url = URL(string: text) else {
                throw TransferError("cannot create a URL: the bytes are not a valid URL")
            }
            return url
        }
    }
}
