import Foundation

/// Parses a search query string.
///
/// Source: Apple's Core Spotlight documentation, "Searching for information in your app", and the format of file
/// metadata queries.
struct SearchExpressionParser {
    /// Parses a query.
    ///
    /// - Throws: ``CSSearchQueryError`` with the position of the first unexpected character.
    static func expression(in text: String) throws -> SearchExpression {
        var parser = SearchExpressionParser(text)
        let expression = try parser.disjunction()
        guard parser.peek() == nil else { throw parser.unexpected("'&&', '||' or the end") }
        return expression
    }

    private let text: [Character]
    private var position = 0
    private var depth = 0
    /// The maximum nesting depth of conditions. Each level uses stack space.
    private static let depthLimit = 64

    private init(_ text: String) {
        self.text = Array(text)
    }

    // MARK: Conditions

    private mutating func disjunction() throws -> SearchExpression {
        var parts = [try conjunction()]
        while accept("||") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func conjunction() throws -> SearchExpression {
        var parts = [try condition()]
        while accept("&&") { parts.append(try condition()) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func condition() throws -> SearchExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw unexpected("at most \(Self.depthLimit) nested conditions") }
        if accept("(") {
            let inner = try disjunction()
            try require(")")
            return inner
        }
        if accept("!") { return .not(try condition()) }
        let name = try self.name()
        if name == "InRange", accept("(") {
            let attribute = try self.name()
            try require(",")
            let lower = try operand()
            try require(",")
            let upper = try operand()
            try require(")")
            return .all([
                .compare(attribute: Self.attribute(attribute), .greaterOrEqual, lower),
                .compare(attribute: Self.attribute(attribute), .lessOrEqual, upper),
            ])
        }
        let attribute = Self.attribute(name)
        if accept("==") { return .compare(attribute: attribute, .equal, try operand()) }
        if accept("!=") { return .not(.compare(attribute: attribute, .equal, try operand())) }
        if accept("<=") { return .compare(attribute: attribute, .lessOrEqual, try operand()) }
        if accept(">=") { return .compare(attribute: attribute, .greaterOrEqual, try operand()) }
        if accept("<") { return .compare(attribute: attribute, .less, try operand()) }
        if accept(">") { return .compare(attribute: attribute, .greater, try operand()) }
        if accept("=") { return .compare(attribute: attribute, .equal, try operand()) }
        throw unexpected("'==', '!=', '<', '<=', '>' or '>='")
    }

    /// Returns the name of an attribute without the file metadata prefix: `title` for `kMDItemTitle`.
    private static func attribute(_ name: String) -> String {
        guard name.hasPrefix("kMDItem"), let first = name.dropFirst(7).first else { return name }
        return first.lowercased() + name.dropFirst(8)
    }

    private mutating func name() throws -> String {
        skipSpaces()
        let start = position
        while let character = current, character.isLetter || character.isNumber || "_*.:".contains(character) {
            position += 1
        }
        guard position > start else { throw unexpected("the name of an attribute") }
        return String(text[start..<position])
    }

    // MARK: Values

    private mutating func operand() throws -> SearchExpression.Operand {
        skipSpaces()
        switch current {
        case "\"", "'": return .text(try pattern())
        case "$": return .date(try date())
        default:
            let start = position
            while let character = current, character.isNumber || "+-.eE".contains(character) { position += 1 }
            guard let number = Double(String(text[start..<position])) else {
                position = start
                throw unexpected("a string in quotation marks, a number or a date such as $time.now")
            }
            return .number(number)
        }
    }

    private mutating func pattern() throws -> SearchPattern {
        var pattern = SearchPattern(parts: try string())
        while let option = current, "cdwt".contains(option) {
            position += 1
            switch option {
            case "c": pattern.ignoresCase = true
            case "d": pattern.ignoresDiacritics = true
            default: pattern.comparesWords = true
            }
        }
        return pattern
    }

    /// Reads a string in quotation marks. Returns the parts between its asterisks. A backslash precedes a literal
    /// character.
    private mutating func string() throws -> [String] {
        let mark = current
        position += 1
        var parts = [""]
        while let character = current {
            position += 1
            if character == mark { return parts }
            if character == "*" {
                parts.append("")
            } else if character == "\\", let escaped = current {
                position += 1
                parts[parts.count - 1].append(escaped)
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        throw unexpected("a quotation mark at the end of the string")
    }

    /// Reads `$time.now`, `$time.today` or `$time.iso(…)`, the first two with an optional offset in seconds or days.
    private mutating func date() throws -> Date {
        position += 1
        let start = position - 1
        let name = try self.name()
        var argument: String?
        if accept("(") {
            let begin = position
            while let character = current, character != ")" { position += 1 }
            argument = String(text[begin..<position]).trimmingCharacters(in: CharacterSet(charactersIn: " \"'"))
            try require(")")
        }
        let offset = argument.map { Int($0) } ?? 0
        switch (name, argument, offset) {
        case ("time.now", _, let seconds?): return Date(timeIntervalSinceNow: TimeInterval(seconds))
        case ("time.today", _, let days?):
            let today = Calendar.current.startOfDay(for: Date())
            if let date = Calendar.current.date(byAdding: .day, value: days, to: today) { return date }
        case ("time.iso", let text?, _):
            if let date = try? Date(text, strategy: .iso8601) { return date }
        default: break
        }
        position = start
        throw unexpected("$time.now, $time.today(DAYS) or $time.iso(2026-01-31T12:00:00Z)")
    }

    // MARK: Characters

    private var current: Character? { position < text.count ? text[position] : nil }

    private mutating func peek() -> Character? {
        skipSpaces()
        return current
    }

    private mutating func skipSpaces() {
        while let character = current, character.isWhitespace { position += 1 }
    }

    private mutating func accept(_ token: String) -> Bool {
        skipSpaces()
        guard text[position...].starts(with: token) else { return false }
        position += token.count
        return true
    }

    private mutating func require(_ token: String) throws {
        guard accept(token) else { throw unexpected("'\(token)'") }
    }

    private func unexpected(_ expected: String) -> CSSearchQueryError {
        let rest = String(text[position...].prefix(20))
        return CSSearchQueryError(
            .invalidQuery,
            "invalid query at character \(position + 1): expected \(expected), got '\(rest)'"
        )
    }
}
