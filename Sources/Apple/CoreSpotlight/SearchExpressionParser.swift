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

    private let text: [Unicode.Scalar]
    private var position = 0
    private var depth = 0
    /// The maximum nesting depth of conditions. Each level uses stack space.
    private static let depthLimit = 64

    private init(_ text: String) {
        self.text = Array(text.unicodeScalars)
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
        guard name.utf8.starts(with: "kMDItem".utf8) else { return name }
        let rest = name.unicodeScalars.dropFirst(7)
        return rest.first.map { $0.properties.lowercaseMapping + String(rest.dropFirst()) } ?? name
    }

    private mutating func name() throws -> String {
        skipSpaces()
        let start = position
        while let scalar = current, scalar.properties.isXIDContinue || "*.:".unicodeScalars.contains(scalar) {
            position += 1
        }
        guard position > start else { throw unexpected("the name of an attribute") }
        return Self.text(text[start..<position])
    }

    // MARK: Values

    private mutating func operand() throws -> SearchExpression.Operand {
        skipSpaces()
        switch current {
        case "\"", "'": return .text(try pattern())
        case "$": return .date(try date())
        default:
            let start = position
            while let scalar = current, "0123456789+-.eE".unicodeScalars.contains(scalar) { position += 1 }
            guard let number = Double(Self.text(text[start..<position])) else {
                position = start
                throw unexpected("a string in quotation marks, a number or a date such as $time.now")
            }
            return .number(number)
        }
    }

    private mutating func pattern() throws -> SearchPattern {
        var pattern = SearchPattern(parts: try string())
        while let option = current, "cdwt".unicodeScalars.contains(option) {
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
    /// scalar.
    private mutating func string() throws -> [String] {
        let mark = current
        position += 1
        var parts = [""]
        while let scalar = current {
            position += 1
            if scalar == mark { return parts }
            if scalar == "*" {
                parts.append("")
            } else if scalar == "\\", let escaped = current {
                position += 1
                parts[parts.count - 1].unicodeScalars.append(escaped)
            } else {
                parts[parts.count - 1].unicodeScalars.append(scalar)
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
            while let scalar = current, scalar != ")" { position += 1 }
            let isOutside = { (scalar: Unicode.Scalar) in " \"'".unicodeScalars.contains(scalar) }
            let inside = text[begin..<position].drop(while: isOutside)
            argument = Self.text(inside[..<(inside.lastIndex { !isOutside($0) }.map { $0 + 1 } ?? inside.startIndex)])
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

    // MARK: Scalars

    private var current: Unicode.Scalar? { position < text.count ? text[position] : nil }

    private mutating func peek() -> Unicode.Scalar? {
        skipSpaces()
        return current
    }

    private mutating func skipSpaces() {
        while current?.properties.isWhitespace == true { position += 1 }
    }

    private mutating func accept(_ token: String) -> Bool {
        skipSpaces()
        guard text[position...].starts(with: token.unicodeScalars) else { return false }
        position += token.unicodeScalars.count
        return true
    }

    private mutating func require(_ token: String) throws {
        guard accept(token) else { throw unexpected("'\(token)'") }
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }

    private func unexpected(_ expected: String) -> CSSearchQueryError {
        let rest = Self.text(text[position...].prefix(20))
        return CSSearchQueryError(
            .invalidQuery,
            "invalid query at character \(position + 1): expected \(expected), got '\(rest)'"
        )
    }
}
