/// Removes inline Markdown syntax: `**bold**`, `*italic*`, `_italic_`, `~~struck~~`, `` `code` `` and
/// `[label](address)`.
enum InlineMarkdown {
    /// Returns a string without its Markdown syntax. A delimiter without a counterpart remains.
    static func plainText(_ text: String) -> String {
        guard text.utf8.contains(where: { "*_~`[\\".utf8.contains($0) }) else { return text }
        return plain(text.unicodeScalars[...])
    }

    private typealias Scalars = Substring.UnicodeScalarView

    private static func plain(_ scalars: Scalars) -> String {
        var result = String.UnicodeScalarView()
        var rest = scalars
        while let first = rest.first {
            if first == "\\", let next = rest.dropFirst().first, isPunctuation(next) {
                result.append(next)
                rest = rest.dropFirst(2)
            } else if let (inner, after) = marked(rest, precededBy: result.last) {
                result += inner.unicodeScalars
                rest = after
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return String(result)
    }

    /// Parses delimited text at the beginning of the scalars. Returns the text between the delimiters, and the scalars
    /// after the closing delimiter; nil if the scalars do not begin with delimited text.
    private static func marked(_ scalars: Scalars, precededBy previous: Unicode.Scalar?) -> (String, Scalars)? {
        if scalars.first == "[" { return link(scalars) }
        for mark in ["**", "__", "~~", "*", "_", "`"] where scalars.starts(with: mark.unicodeScalars) {
            let inside = scalars.dropFirst(mark.utf8.count)
            // An underscore inside a word, such as `file_name`, is not a delimiter.
            let isUnderscore = mark.utf8.first == UInt8(ascii: "_")
            if isUnderscore, isPartOfWord(previous) { return nil }
            guard let first = inside.first, !first.properties.isWhitespace, let end = start(of: mark, in: inside),
                let last = inside[..<end].last, !last.properties.isWhitespace
            else { continue }
            let after = inside[end...].dropFirst(mark.utf8.count)
            if isUnderscore, isPartOfWord(after.first) { continue }
            return (mark == "`" ? String(inside[..<end]) : plain(inside[..<end]), after)
        }
        return nil
    }

    private static func link(_ scalars: Scalars) -> (String, Scalars)? {
        guard let end = start(of: "](", in: scalars), let close = scalars[end...].firstIndex(of: ")")
        else { return nil }
        return (plain(scalars[..<end].dropFirst()), scalars[close...].dropFirst())
    }

    private static func start(of mark: String, in scalars: Scalars) -> String.Index? {
        scalars.indices.first { scalars[$0...].starts(with: mark.unicodeScalars) }
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map { $0.properties.isXIDContinue && $0 != "_" } ?? false
    }

    /// True for the ASCII punctuation marks, which a backslash can precede.
    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "!"..."/", ":"..."@", "["..."`", "{"..."~": true
        default: false
        }
    }
}
