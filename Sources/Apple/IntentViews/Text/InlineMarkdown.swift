/// Removes inline Markdown syntax: `**bold**`, `*italic*`, `_italic_`, `~~struck~~`, `` `code` `` and
/// `[label](address)`.
enum InlineMarkdown {
    /// Returns a string without its Markdown syntax. A delimiter without a counterpart remains.
    static func plainText(_ text: String) -> String {
        guard text.utf8.contains(where: { "*_~`[\\".utf8.contains($0) }) else { return text }
        var level = Level(text.unicodeScalars[...])
        return level.plain()
    }

    fileprivate static func isPartOfWord(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map { $0.properties.isXIDContinue && $0 != "_" } ?? false
    }

    /// True for the ASCII punctuation marks, which a backslash can precede.
    fileprivate static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "!"..."/", ":"..."@", "["..."`", "{"..."~": true
        default: false
        }
    }
}

/// A whole text, or the text between two delimiters. The text between them does not contain the closing delimiter, so
/// that there are only a few levels.
private struct Level {
    typealias Scalars = Substring.UnicodeScalarView

    private let scalars: Scalars
    /// For each delimiter, where the last search began and what it found. Without it, each of many delimiters without a
    /// counterpart would search the whole text.
    private var searches: [String: (start: String.Index, found: String.Index?)] = [:]

    init(_ scalars: Scalars) {
        self.scalars = scalars
    }

    mutating func plain() -> String {
        var result = String.UnicodeScalarView()
        var rest = scalars
        while let first = rest.first {
            if first == "\\", let next = rest.dropFirst().first, InlineMarkdown.isPunctuation(next) {
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
    private mutating func marked(_ rest: Scalars, precededBy previous: Unicode.Scalar?) -> (String, Scalars)? {
        if rest.first == "[" { return link(rest) }
        for mark in ["**", "__", "~~", "*", "_", "`"] where rest.starts(with: mark.unicodeScalars) {
            let inside = rest.dropFirst(mark.utf8.count)
            // An underscore inside a word, such as `file_name`, is not a delimiter.
            let isUnderscore = mark.utf8.first == UInt8(ascii: "_")
            if isUnderscore, InlineMarkdown.isPartOfWord(previous) { return nil }
            guard let first = inside.first, !first.properties.isWhitespace,
                let end = place(of: mark, from: inside.startIndex),
                let last = inside[..<end].last, !last.properties.isWhitespace
            else { continue }
            let after = inside[end...].dropFirst(mark.utf8.count)
            if isUnderscore, InlineMarkdown.isPartOfWord(after.first) { continue }
            return (mark == "`" ? String(inside[..<end]) : Self.plain(inside[..<end]), after)
        }
        return nil
    }

    private mutating func link(_ rest: Scalars) -> (String, Scalars)? {
        guard let end = place(of: "](", from: rest.startIndex), let close = place(of: ")", from: end) else {
            return nil
        }
        return (Self.plain(rest[..<end].dropFirst()), rest[close...].dropFirst())
    }

    private static func plain(_ scalars: Scalars) -> String {
        var level = Level(scalars)
        return level.plain()
    }

    /// Returns the first place of a delimiter that is not before `start`.
    private mutating func place(of mark: String, from start: String.Index) -> String.Index? {
        if let search = searches[mark], search.start <= start, search.found.map({ start <= $0 }) ?? true {
            return search.found
        }
        let rest = scalars[start...]
        let found = rest.indices.first { rest[$0...].starts(with: mark.unicodeScalars) }
        searches[mark] = (start, found)
        return found
    }
}
