/// Removes inline Markdown syntax: `**bold**`, `*italic*`, `_italic_`, `~~struck~~`, `` `code` `` and
/// `[label](address)`.
enum InlineMarkdown {
    /// Returns a string without its Markdown syntax. A delimiter without a counterpart remains.
    static func plainText(_ text: String) -> String {
        guard text.utf8.contains(where: { "*_~`[\\".utf8.contains($0) }) else { return text }
        return plain(Array(text)[...])
    }

    private static func plain(_ characters: ArraySlice<Character>) -> String {
        var result = ""
        var rest = characters
        while let first = rest.first {
            if first == "\\", let next = rest.dropFirst().first, next.isPunctuation || next.isSymbol {
                result.append(next)
                rest = rest.dropFirst(2)
            } else if let (inner, after) = marked(rest, precededBy: result.last) {
                result += inner
                rest = after
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    /// Parses delimited text at the beginning of the characters. Returns the text between the delimiters, and the
    /// characters after the closing delimiter; nil if the characters do not begin with delimited text.
    private static func marked(
        _ characters: ArraySlice<Character>,
        precededBy previous: Character?
    ) -> (String, ArraySlice<Character>)? {
        if characters.first == "[" { return link(characters) }
        for mark in ["**", "__", "~~", "*", "_", "`"] where characters.starts(with: mark) {
            let inside = characters.dropFirst(mark.count)
            // An underscore inside a word, such as `file_name`, is not a delimiter.
            if mark.first == "_", previous?.isLetter == true || previous?.isNumber == true { return nil }
            guard let first = inside.first, !first.isWhitespace, let end = inside.firstRange(of: Array(mark)),
                let last = inside[..<end.lowerBound].last, !last.isWhitespace
            else { continue }
            let after = inside[end.upperBound...]
            if mark.first == "_", after.first?.isLetter == true || after.first?.isNumber == true { continue }
            let content = inside[..<end.lowerBound]
            return (mark == "`" ? String(content) : plain(content), after)
        }
        return nil
    }

    private static func link(_ characters: ArraySlice<Character>) -> (String, ArraySlice<Character>)? {
        guard let end = characters.firstRange(of: Array("](")),
            let close = characters[end.upperBound...].firstIndex(of: ")")
        else { return nil }
        return (plain(characters[..<end.lowerBound].dropFirst()), characters[(close + 1)...])
    }
}
