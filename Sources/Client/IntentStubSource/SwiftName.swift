import IntentSharedTypes

/// Converts the names in a catalogue to Swift identifiers. Apps choose the names, so any string is possible.
package enum SwiftName {
    /// Returns an identifier that consists of ASCII letters, digits and underscores, and does not begin with a digit.
    package static func identifier(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { isPart($0) ? $0 : "_" }
        guard let first = scalars.first, scalars.contains(where: { $0 != "_" }) else { return "unnamed" }
        return (("0"..."9").contains(first) ? "_" : "") + String(String.UnicodeScalarView(scalars))
    }

    /// Returns an identifier for a type, which begins with an upper-case letter.
    package static func type(_ text: String) -> String {
        let words = text.unicodeScalars.split { !isPart($0) && $0 != "." }
        return upperCased(identifier(words.map(upperCased).joined()))
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

    /// Returns the text for one line of a comment, in which every character is visible. Otherwise a text of an app could
    /// change how an editor displays the line.
    package static func comment(_ text: String) -> String { SafeText.line(text) }

    /// True for a scalar that an identifier may contain.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "A"..."Z", "a"..."z", "0"..."9", "_": true
        default: false
        }
    }

    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String { String(scalar.value, radix: 16) }

    private static func upperCased(_ name: String) -> String { upperCased(name.unicodeScalars[...]) }

    private static func upperCased(_ name: Substring.UnicodeScalarView) -> String {
        (name.first?.properties.uppercaseMapping ?? "") + String(name.dropFirst())
    }

    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "await", "break", "case", "catch", "class",
        "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
        "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
        "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
        "where", "while",
    ]
}
