/// A tokeniser that splits Swift source into words, symbols and groups, without comments and whitespace.
///
/// The source is well-formed, because the compiler has already parsed it. This type distinguishes only the tokens that
/// macros need.
struct SourceTokens {
    enum Token: Equatable {
        /// An identifier or keyword, without backquotes.
        case word(String)
        case symbol(Unicode.Scalar)
        /// The text between parentheses, square brackets or braces, with the opening symbol.
        case group(Unicode.Scalar, String)
        case literal
    }

    private let source: [Unicode.Scalar]
    private var index = 0
    /// The nesting depth of string literals at `index`.
    private var nesting = 0

    /// The maximum nesting depth. Deeper source is ignored, because each level uses stack space.
    private static let nestingLimit = 100

    init(_ source: String) {
        self.source = Array(source.unicodeScalars)
    }

    static func all(_ source: String) -> [Token] {
        var tokens = SourceTokens(source)
        var all: [Token] = []
        while let token = tokens.next() { all.append(token) }
        return all
    }

    /// Returns source code that consists of the tokens, which must not include a literal.
    static func text(of tokens: some Sequence<Token>) -> String {
        var text = ""
        var previous: Token?
        for token in tokens {
            switch token {
            case .word(let word):
                if case .word? = previous { text += " " }
                if case .group? = previous { text += " " }
                // Quote every word, because a name can be a keyword. Keywords in types must not be quoted.
                text += typeWords.contains(word) ? word : "`\(word)`"
            case .symbol(let symbol): text.unicodeScalars.append(symbol)
            case .group(let opening, let inner):
                text.unicodeScalars.append(opening)
                text += inner
                text.append(opening == "(" ? ")" : opening == "[" ? "]" : "}")
            case .literal: break
            }
            previous = token
        }
        return text
    }

    private static let typeWords: Set<String> = [
        "any", "some", "Self", "Any", "inout", "throws", "async", "repeat", "each", "Type", "Protocol",
    ]

    mutating func next() -> Token? {
        skipTrivia()
        guard let first = peek() else { return nil }
        if first == "`" {
            index += 1
            let name = take { $0 != "`" }
            index += 1
            return .word(name)
        }
        if Self.isWord(first) { return .word(take(Self.isWord)) }
        if first == "\"" || first == "#" && isRawString {
            skipString()
            return .literal
        }
        if first == "#" {
            skipHashes()
            return .symbol("#")
        }
        index += 1
        if "([{".unicodeScalars.contains(first) { return .group(first, group()) }
        return .symbol(first)
    }

    /// Returns true for a name of letters, digits and underscores. Another name (SE-0451) can contain spaces and
    /// quotation marks, which would end a literal in the source of an expansion.
    static func isWord(_ name: String) -> Bool { !name.isEmpty && name.unicodeScalars.allSatisfy(isWord) }

    // MARK: Private

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isXIDContinue
    }

    private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        index + distance < source.count ? source[index + distance] : nil
    }

    private mutating func take(_ isIncluded: (Unicode.Scalar) -> Bool) -> String {
        let start = index
        while let scalar = peek(), isIncluded(scalar) { index += 1 }
        return text(from: start, to: index)
    }

    private func text(from start: Int, to end: Int) -> String {
        String(String.UnicodeScalarView(source[start..<end]))
    }

    private mutating func skipTrivia() {
        while let scalar = peek() {
            if scalar.properties.isWhitespace {
                index += 1
            } else if scalar == "/", peek(1) == "/" {
                while let next = peek(), next != "\n", next != "\r" { index += 1 }
            } else if scalar == "/", peek(1) == "*" {
                skipComment()
            } else {
                return
            }
        }
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            if peek() == "/", peek(1) == "*" {
                depth += 1
                index += 2
            } else if peek() == "*", peek(1) == "/" {
                depth -= 1
                index += 2
            } else {
                index += 1
            }
        } while depth > 0 && index < source.count
    }

    /// Consumes a group with its closing symbol, and returns the text before that symbol.
    private mutating func group() -> String {
        let start = index
        var depth = 1
        while let scalar = peek() {
            if scalar == "/", peek(1) == "/" || peek(1) == "*" {
                skipTrivia()
            } else if scalar == "\"" || scalar == "#" && isRawString {
                skipString()
            } else if scalar == "#" {
                skipHashes()
            } else {
                if "([{".unicodeScalars.contains(scalar) { depth += 1 }
                if ")]}".unicodeScalars.contains(scalar) { depth -= 1 }
                index += 1
                if depth == 0 { return text(from: start, to: index - 1) }
            }
        }
        return text(from: start, to: source.count)
    }

    /// Consumes all of a run, so that `isRawString` reads each run once.
    private mutating func skipHashes() { _ = take { $0 == "#" } }

    private var isRawString: Bool {
        var distance = 0
        while peek(distance) == "#" { distance += 1 }
        return distance > 0 && peek(distance) == "\""
    }

    private mutating func skipString() {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.nestingLimit else {
            index = source.count
            return
        }
        let hashes = take { $0 == "#" }.utf8.count
        let quotes = peek() == "\"" && peek(1) == "\"" && peek(2) == "\"" ? 3 : 1
        index += quotes
        while index < source.count {
            if peek() == "\\", hasHashes(hashes, at: 1) {
                index += 1 + hashes
                if peek() == "(" {
                    index += 1
                    _ = group()
                } else {
                    index += 1
                }
            } else if (0..<quotes).allSatisfy({ peek($0) == "\"" }), hasHashes(hashes, at: quotes) {
                index += quotes + hashes
                return
            } else {
                index += 1
            }
        }
    }

    private func hasHashes(_ count: Int, at distance: Int) -> Bool {
        (0..<count).allSatisfy { peek(distance + $0) == "#" }
    }
}
