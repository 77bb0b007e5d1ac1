package import IntentCommandLine
import IntentProtocol

/// A pointer to a value in a JSON document (RFC 6901).
package struct JSONPointer: Equatable, Sendable {
    private let parts: [String]

    /// Creates the pointer; nil for a text that is neither empty nor begins with a slash.
    package init?(_ text: String) {
        guard !text.isEmpty else {
            parts = []
            return
        }
        guard text.hasPrefix(utf8: "/") else { return nil }
        parts = text.split(scalar: "/", omittingEmptySubsequences: false).dropFirst().map { part in
            // ~1 is a slash and ~0 a tilde, in this order.
            Self.replacing("~0", "~", in: Self.replacing("~1", "/", in: String(part)))
        }
    }

    /// Returns the value; nil if the document has none there.
    package func value(in document: JSONValue) -> JSONValue? {
        var value = document
        for part in parts {
            switch value {
            case .object(let members):
                guard let member = members[part] else { return nil }
                value = member
            case .array(let elements):
                // An index has no leading zero.
                guard let index = Int(part), String(index) == part, elements.indices.contains(index) else { return nil }
                value = elements[index]
            case .null, .bool, .int, .double, .string: return nil
            }
        }
        return value
    }

    private static func replacing(_ escape: String, _ text: String, in part: String) -> String {
        var (result, rest) = ([UInt8](), Array(part.utf8)[...])
        while !rest.isEmpty {
            if rest.starts(with: escape.utf8) {
                result += Array(text.utf8)
                rest = rest.dropFirst(2)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return String(foreign: result)
    }
}
