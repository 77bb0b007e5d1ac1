import FoundationEssentials
import IntentCommandLine
import IntentProtocol

/// A snippet's pictures for the MCP Apps view, which has no network access and receives them in the result.
package enum SnippetPicture {
    /// The maximum total size of the pictures in a result, in bytes. Further pictures are shown as their labels.
    package static let byteLimit = 256 << 10

    /// Returns the pictures as URLs (`data:image/png;base64,…`), keyed by the index of their file.
    static func addresses(of pictures: [ToolResultFile]) -> [String: JSONValue] {
        var rest = byteLimit
        var addresses: [String: JSONValue] = [:]
        for picture in pictures {
            guard let contents = picture.contents, contents.count <= rest, let type = mediaType(of: contents) else {
                continue
            }
            rest -= contents.count
            let address = "data:\(type);base64,\(Data(contents).base64EncodedString())"
            addresses["\(picture.reference.index)"] = .string(address)
        }
        return addresses
    }

    /// Returns the media type that the first bytes of a picture identify, regardless of the type that the app declares.
    /// Returns nil for SVG, because it is a document, and for unknown formats.
    package static func mediaType(of contents: [UInt8]) -> String? {
        if contents.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if contents.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if contents.starts(with: "GIF8".utf8) { return "image/gif" }
        let isWebP = contents.starts(with: "RIFF".utf8) && contents.dropFirst(8).starts(with: "WEBP".utf8)
        return isWebP ? "image/webp" : nil
    }
}
