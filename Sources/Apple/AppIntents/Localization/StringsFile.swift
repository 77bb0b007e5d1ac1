import Foundation
import IntentSharedTypes

/// A parser for translation tables. A table contains comments and lines of the form `"key" = "text";`, in UTF-8
/// or UTF-16.
///
/// Source: Apple's Resource Programming Guide, "Strings Resources".
enum StringsFile {
    /// The maximum size of a table, in bytes.
    private static let sizeLimit = 8 << 20

    /// Parses a table. Returns nil if the data is too large or is not valid text. If there is a syntax error, returns
    /// the entries before the error.
    static func read(_ data: Data) -> [String: String]? {
        guard data.count <= sizeLimit else { return nil }
        let isWide = data.starts(with: [0xff, 0xfe]) || data.starts(with: [0xfe, 0xff])
        guard let text = isWide ? String(data: data, encoding: .utf16) : String(validForeign: data) else { return nil }
        return parse(text)
    }

    static func parse(_ text: String) -> [String: String] {
        var scanner = StringsScanner(text)
        var strings: [String: String] = [:]
        while let key = scanner.word() {
            guard scanner.accept("=") else {
                // If an entry has no value, the key is also the value.
                guard scanner.accept(";") else { return strings }
                strings[key] = key
                continue
            }
            guard let value = scanner.word(), scanner.accept(";") else { return strings }
            strings[key] = value
        }
        return strings
    }
}

/// A scanner that reads keys, values and punctuation marks, and skips comments.
private struct StringsScanner {
    private let scalars: [Unicode.Scalar]
    private var index = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        if scalars.first == "\u{feff}" { index = 1 }
    }

    private var current: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }
    private var following: Unicode.Scalar? { index + 1 < scalars.count ? scalars[index + 1] : nil }

    mutating func accept(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        guard current == sign else { return false }
        index += 1
        return true
    }

    /// Reads a quoted string or a word without quotes. Returns nil if neither follows.
    mutating func word() -> String? {
        skipSpace()
        if current == "\"" { return quoted() }
        var word = String.UnicodeScalarView()
        while let scalar = current,
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "_.-".unicodeScalars.contains(scalar)
        {
            word.append(scalar)
            index += 1
        }
        return word.isEmpty ? nil : String(word)
    }

    private mutating func quoted() -> String? {
        index += 1
        var text = String.UnicodeScalarView()
        while let scalar = current {
            index += 1
            switch scalar {
            case "\"": return String(text)
            case "\\": appendEscape(to: &text)
            default: text.append(scalar)
            }
        }
        return nil
    }

    private mutating func appendEscape(to text: inout String.UnicodeScalarView) {
        guard let scalar = current else { return }
        index += 1
        switch scalar {
        case "n": text.append("\n")
        case "t": text.append("\t")
        case "r": text.append("\r")
        case "U", "u":
            let digits = scalars[index...].prefix(4).prefix { $0.properties.isASCIIHexDigit }
            index += digits.count
            if let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16), let made = Unicode.Scalar(value)
            {
                text.append(made)
            }
        default: text.append(scalar)
        }
    }

    private mutating func skipSpace() {
        while let scalar = current {
            if scalar.properties.isWhitespace {
                index += 1
            } else if scalar == "/", following == "/" {
                while let scalar = current, scalar != "\n", scalar != "\r" { index += 1 }
            } else if scalar == "/", following == "*" {
                index += 2
                while current != nil, !(current == "*" && following == "/") { index += 1 }
                index = min(index + 2, scalars.count)
            } else {
                return
            }
        }
    }
}
