/// Converts the names in a catalogue to Swift identifiers. Apps choose the names, so any string is possible.
package enum SwiftName {
    /// Returns an identifier that consists of ASCII letters, digits and underscores, and does not begin with a digit.
    package static func identifier(_ text: String) -> String {
        let characters = text.unicodeScalars.map { scalar -> Character in
            switch scalar {
            case "A"..."Z", "a"..."z", "0"..."9", "_": Character(scalar)
            default: "_"
            }
        }
        let name = String(characters)
        guard let first = name.first, name.contains(where: { $0 != "_" }) else { return "unnamed" }
        return first.isNumber ? "_" + name : name
    }

    /// Returns an identifier for a type, which begins with an upper-case letter.
    package static func type(_ text: String) -> String {
        let words = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
        let joined = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return upperCased(identifier(joined))
    }

    /// Returns an identifier as it appears in a declaration: in backquotes if it is a keyword.
    package static func escaped(_ identifier: String) -> String {
        keywords.contains(identifier) ? "`\(identifier)`" : identifier
    }

    /// Returns a string literal.
    package static func literal(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            default: scalar.value < 0x20 || scalar.value > 0x7E ? "\\u{\(hexadecimal(scalar))}" : String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }

    /// Returns the text for one line of a comment. Line breaks and control characters become spaces.
    package static func comment(_ text: String) -> String {
        String(text.map { $0.isNewline || ($0.unicodeScalars.first?.value ?? 0) < 0x20 ? " " : $0 })
    }

    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String { String(scalar.value, radix: 16) }

    private static func upperCased(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "await", "break", "case", "catch", "class",
        "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
        "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
        "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
        "where", "while",
    ]
}
