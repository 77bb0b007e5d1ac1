import AppIntents
import Foundation

/// A condition of a search query, such as `title == "*soup*"c && rating > 3`.
indirect enum SearchExpression: Sendable, Equatable {
    case all([SearchExpression])
    case any([SearchExpression])
    case not(SearchExpression)
    case compare(attribute: String, Comparison, Operand)

    enum Comparison: Sendable {
        case equal, less, lessOrEqual, greater, greaterOrEqual
    }

    enum Operand: Sendable, Equatable {
        case text(SearchPattern)
        case number(Double)
        case date(Date)
    }

    func matches(_ id: String, _ item: StoredItem) -> Bool {
        switch self {
        case .all(let parts): parts.allSatisfy { $0.matches(id, item) }
        case .any(let parts): parts.contains { $0.matches(id, item) }
        case .not(let part): !part.matches(id, item)
        case .compare(let attribute, let comparison, let operand):
            item.values(of: attribute, id: id).contains { Self.holds($0, comparison, operand) }
        }
    }

    private static func holds(
        _ value: CSSearchableItemAttributeSet.Value,
        _ comparison: Comparison,
        _ operand: Operand
    ) -> Bool {
        switch (value, operand) {
        case (.text, .text(let pattern)), (.texts, .text(let pattern)):
            value.texts.contains { text in
                comparison == .equal ? pattern.matches(text) : holds(pattern.order(of: text), comparison)
            }
        case (.url(let url), .text(let pattern)): comparison == .equal && pattern.matches(url.absoluteString)
        case (.number(let number), .number(let other)): holds(order(number, other), comparison)
        case (.date(let date), .date(let other)): holds(order(date, other), comparison)
        // A number stands for a date, in seconds since 2001, as in Apple's queries.
        case (.date(let date), .number(let other)):
            holds(order(date.timeIntervalSinceReferenceDate, other), comparison)
        case (.text, _), (.texts, _), (.number, _), (.date, _), (.url, _), (.data, _): false
        }
    }

    private static func order<Value: Comparable>(_ first: Value, _ second: Value) -> ComparisonResult {
        first < second ? .orderedAscending : first > second ? .orderedDescending : .orderedSame
    }

    private static func holds(_ order: ComparisonResult, _ comparison: Comparison) -> Bool {
        switch comparison {
        case .equal: order == .orderedSame
        case .less: order == .orderedAscending
        case .lessOrEqual: order != .orderedDescending
        case .greater: order == .orderedDescending
        case .greaterOrEqual: order != .orderedAscending
        }
    }
}

/// A string in a query: `*` stands for any characters, and letters after the quotation mark set options.
struct SearchPattern: Sendable, Equatable {
    /// The parts of the string between its asterisks.
    var parts: [String]
    var ignoresCase = false
    var ignoresDiacritics = false
    /// True if the string is compared with whole words, or with the beginnings of words if an asterisk follows.
    var comparesWords = false

    func matches(_ text: String) -> Bool {
        if comparesWords { return matchesWords(text) }
        let text = Data(folded(text).utf8)
        let parts = parts.map { Data(folded($0).utf8) }
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return parts.first == text }
        guard text.starts(with: first) else { return false }
        var rest = text.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.range(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.suffix(last.count) == last
    }

    /// Compares a text with the string, without its asterisks.
    func order(of text: String) -> ComparisonResult {
        let (own, other) = (folded(text), folded(parts.joined()))
        return own < other ? .orderedAscending : own > other ? .orderedDescending : .orderedSame
    }

    private func matchesWords(_ text: String) -> Bool {
        let words = Self.words(folded(text))
        let wanted = Self.words(folded(parts.joined(separator: " ")))
        guard let last = wanted.last, words.count >= wanted.count else { return wanted.isEmpty }
        let isPrefix = parts.count > 1 && parts.last?.isEmpty == true
        return (0...(words.count - wanted.count)).contains { start in
            let found = words[start..<(start + wanted.count)]
            guard found.dropLast().elementsEqual(wanted.dropLast()), let end = found.last else { return false }
            return isPrefix ? end.utf8.starts(with: last.utf8) : end == last
        }
    }

    /// Returns the words of a text, which consist of letters, their combining marks and numbers.
    private static func words(_ text: String) -> [String] {
        text.unicodeScalars.split { scalar in
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark: false
            default: !scalar.properties.isAlphabetic && scalar.properties.numericType == nil
            }
        }.map { String($0) }
    }

    private func folded(_ text: String) -> String {
        var options: String.CompareOptions = []
        if ignoresCase { options.insert(.caseInsensitive) }
        if ignoresDiacritics { options.insert(.diacriticInsensitive) }
        return Self.normalized(options.isEmpty ? text : (text as NSString).folding(options: options, locale: nil))
    }

    /// Returns a text with precomposed letters, so that equivalent texts have equal bytes.
    static func normalized(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : (text as NSString).precomposedStringWithCanonicalMapping
    }
}

extension StoredItem {
    /// The values of an attribute. The attribute `*` or `**` stands for all attributes.
    fileprivate func values(of attribute: String, id: String) -> [CSSearchableItemAttributeSet.Value] {
        switch attribute {
        case "*", "**": Array(attributes.values)
        case "contentType": [.text(contentType)]
        case "domainIdentifier": (attributes[attribute].map { [$0] } ?? []) + (domain.map { [.text($0)] } ?? [])
        case "uniqueIdentifier": [.text(publicIdentifier(id))]
        default: (attributes[attribute] ?? attributes["custom." + attribute]).map { [$0] } ?? []
        }
    }
}
