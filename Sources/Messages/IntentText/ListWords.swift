/// The words in the value of a key with a list.
///
/// As in systemd.syntax(7), blanks separate words, and single or double quotes include blanks in a word. A backslash
/// is literal, as in `DOMAIN\user`, except before a backslash or a quotation mark, and in `\xHH` for a printable ASCII
/// character.
package enum ListWords {
    /// Returns the words; nil if a closing quotation mark is missing.
    package static func split(_ text: String) -> [String]? {
        var words: [String] = []
        var word: String.UnicodeScalarView?
        var quote: Unicode.Scalar?
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case " " where quote == nil, "\t" where quote == nil:
                if let word { words.append(String(word)) }
                word = nil
            case "\"" where quote != "'", "'" where quote != "\"":
                quote = quote == nil ? scalar : nil
                word = word ?? String.UnicodeScalarView()
            case "\\": word = (word ?? String.UnicodeScalarView()) + [escaped(&rest)]
            default: word = (word ?? String.UnicodeScalarView()) + [scalar]
            }
        }
        if let word { words.append(String(word)) }
        return quote == nil ? words : nil
    }

    /// Returns the character that follows a backslash and removes it, or a backslash.
    private static func escaped(_ rest: inout Substring.UnicodeScalarView) -> Unicode.Scalar {
        if let next = rest.first, "\\\"'".unicodeScalars.contains(next) { return rest.removeFirst() }
        guard rest.first == "x", let code = UInt8(String(rest.dropFirst().prefix(2)), radix: 16), code >= 0x20,
            code < 0x7F
        else { return "\\" }
        rest.removeFirst(3)
        return Unicode.Scalar(code)
    }

    /// Returns the text that stands for the word in a list.
    package static func quote(_ word: String) -> String {
        guard word.isEmpty || word.unicodeScalars.contains(where: { " \t\"'\\".unicodeScalars.contains($0) }) else {
            return word
        }
        let escaped = word.unicodeScalars.flatMap { $0 == "\\" || $0 == "\"" ? ["\\", $0] : [$0] }
        return "\"" + String(String.UnicodeScalarView(escaped)) + "\""
    }
}
