public import Foundation

/// Support for `$0.title.localizedStandardContains(text)` in a `#Predicate`, which Foundation on Linux lacks.
///
/// Source: Apple's PredicateExpressions.StringLocalizedStandardContains page.
extension PredicateExpressions {
    /// An expression that tests whether a text contains another text, ignoring case and diacritics.
    public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The type of the result.
        public typealias Output = Bool

        /// The text to search in.
        public let root: Root
        /// The text to search for.
        public let other: Other

        /// Creates a search for one text in another.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Performs the search and returns whether the text was found.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try root.evaluate(bindings).localizedStandardContains(try other.evaluate(bindings))
        }
    }

    /// Returns the expression for a call of `localizedStandardContains` in a `#Predicate`.
    // Disfavoured, so that Swift prefers Foundation's own function once it exists.
    @_disfavoredOverload
    public static func build_localizedStandardContains<Root, Other>(
        _ root: Root,
        _ other: Other
    ) -> StringLocalizedStandardContains<Root, Other> {
        StringLocalizedStandardContains(root: root, other: other)
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedStandardContains: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
