import IntentProtocol

/// Splits the value of a key such as `Exec=` into words, and each word into pieces.
///
/// Quotes and escapes are those of systemd.syntax(7): single and double quotes, and C-style escapes. `%{…}` is a
/// placeholder anywhere in a word, and `%%` is a percent sign.
package struct TemplateText {
    private let scalars: [Unicode.Scalar]
    private var position = 0

    private init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    /// - Throws: ``TemplateError`` for an invalid quote, escape or placeholder.
    package static func words(of text: String) throws(TemplateError) -> [TemplateWord] {
        var parser = TemplateText(text)
        var words: [TemplateWord] = []
        while let word = try parser.nextWord() { words.append(word) }
        return words
    }

    /// Parses the whole string as one word. Blanks, quotes and backslashes have no special meaning.
    ///
    /// - Throws: ``TemplateError`` for an invalid placeholder.
    static func sentence(_ text: String) throws(TemplateError) -> TemplateWord {
        var parser = TemplateText(text)
        var word = TemplateWord()
        while let scalar = parser.peek {
            parser.position += 1
            if scalar == "%" { try parser.readPercent(into: &word) } else { word.append(scalar) }
        }
        return word
    }

    /// Quotes a word so that it has no special meaning in a template, except for placeholders.
    package static func quote(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy { !" '\"\\".unicodeScalars.contains($0) && !isControl($0) }
        if isPlain, !word.isEmpty { return word }
        return "\"" + word.unicodeScalars.map(escaped).joined() + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\", "\"": return "\\\(scalar)"
        case "\t": return "\\t"
        case "\n": return "\\n"
        default: break
        }
        guard isControl(scalar) else { return String(scalar) }
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }

    /// Returns true for the characters that are not permitted in a configuration file.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isLineBreak || scalar.properties.generalCategory == .control
    }

    private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

    private mutating func nextWord() throws(TemplateError) -> TemplateWord? {
        while let scalar = peek, Self.isBlank(scalar) { position += 1 }
        guard peek != nil else { return nil }
        var word = TemplateWord()
        var quote: Unicode.Scalar?
        while let scalar = peek {
            if quote == nil, Self.isBlank(scalar) { break }
            position += 1
            switch scalar {
            case "'", "\"":
                if quote == nil { quote = scalar } else if quote == scalar { quote = nil } else { word.append(scalar) }
            case "\\": word.append(try readEscape())
            case "%": try readPercent(into: &word)
            default: word.append(scalar)
            }
        }
        guard quote == nil else { throw TemplateError("missing closing quotation mark") }
        // The file is stream-safe, but escapes can also stand for combining marks.
        for case .text(let text) in word.pieces where !StreamSafeText.isStreamSafe(text) {
            throw TemplateError("more than \(StreamSafeText.markLimit) combining marks follow each other; remove them")
        }
        return word
    }

    /// Reads a systemd.syntax(7) escape, starting after the backslash.
    private mutating func readEscape() throws(TemplateError) -> Unicode.Scalar {
        guard let scalar = peek else { throw TemplateError("incomplete escape; write '\\\\' for a backslash") }
        position += 1
        switch scalar {
        case "a": return "\u{07}"
        case "b": return "\u{08}"
        case "f": return "\u{0C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "v": return "\u{0B}"
        case "s": return " "
        case "\\", "\"", "'": return scalar
        case "x": return try readCode(digits: 2, radix: 16, atMost: 0x7F)
        case "u": return try readCode(digits: 4, radix: 16, atMost: 0xFFFF)
        case "U": return try readCode(digits: 8, radix: 16, atMost: 0x10FFFF)
        case "0"..."7":
            position -= 1
            return try readCode(digits: 3, radix: 8, atMost: 0x7F)
        default: throw TemplateError("unknown escape '\\\(scalar)'; write '\\\\' for a backslash")
        }
    }

    private mutating func readCode(digits: Int, radix: Int, atMost limit: UInt32) throws(TemplateError)
        -> Unicode.Scalar
    {
        let text = String(String.UnicodeScalarView(scalars[position...].prefix(digits)))
        guard text.unicodeScalars.count == digits, let code = UInt32(text, radix: radix), code > 0, code <= limit,
            let scalar = Unicode.Scalar(code)
        else {
            throw TemplateError("the escape '\\…\(text)' is not a valid character")
        }
        position += digits
        return scalar
    }

    /// Reads a placeholder or a percent sign, starting after the first `%`.
    private mutating func readPercent(into word: inout TemplateWord) throws(TemplateError) {
        guard let scalar = peek else { throw TemplateError("nothing follows '%'; write '%%' for a percent sign") }
        position += 1
        if scalar == "%" { return word.append("%") }
        guard scalar == "{" else {
            throw TemplateError("unknown specifier '%\(scalar)'; write '%%' for a percent sign, '%{name}' for a value")
        }
        guard let end = scalars[position...].firstIndex(of: "}") else {
            throw TemplateError("missing '}' after '%{'")
        }
        let body = String(String.UnicodeScalarView(scalars[position..<end]))
        position = end + 1
        word.append(try Placeholder(body))
    }
}

/// The reason why a template is invalid.
package struct TemplateError: Error, Equatable, Sendable {
    package let message: String

    init(_ message: String) {
        self.message = message
    }
}
