import FoundationEssentials
import IntentLinux

/// A file with its contents in the URI: `data:text/plain;name=a.txt;base64,aGVsbG8=` (RFC 2397).
package struct DataURI: Hashable, Sendable {
    package var type: String
    /// The parameter `name`, which many programs write; nil without one.
    package var name: String?
    package var contents: [UInt8]

    /// The maximum size of the contents, in bytes.
    package static let byteLimit = 1 << 20

    /// Returns nil for another URI, and for one with invalid or too many bytes.
    package init?(_ text: String) {
        guard text.hasPrefix(utf8: "data:") else { return nil }
        let rest = Substring(text.utf8.dropFirst("data:".utf8.count))
        guard let comma = rest.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let words = Substring(rest.utf8[..<comma]).split(scalar: ";", omittingEmptySubsequences: false).map {
            String($0)
        }
        let data = rest.utf8[rest.utf8.index(after: comma)...]
        guard data.count <= 3 * Self.byteLimit, let bytes = PercentEncoding.bytes(data) else { return nil }
        if words.last?.lowercased() == "base64" {
            guard let decoded = Data(base64Encoded: Data(bytes)) else { return nil }
            contents = Array(decoded)
        } else {
            contents = bytes
        }
        guard contents.count <= Self.byteLimit else { return nil }
        type = words[0].isEmpty ? "text/plain" : words[0].lowercased()
        name = words.dropFirst().first { $0.hasPrefix(utf8: "name=") }
            .flatMap { PercentEncoding.decoded($0.dropFirst(scalars: 5)) }
    }
}
