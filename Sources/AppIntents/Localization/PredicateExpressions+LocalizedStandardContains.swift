public import Foundation

/// `$0.title.localizedStandardContains(text)` in a `#Predicate`, which Foundation on Linux lacks.
///
/// Source: Apple's PredicateExpressions.StringLocalizedStandardContains page.
extension PredicateExpressions {
    /// Whether a text contains another, ignoring case and diacritics.
    public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The result of the search.
        public typealias Output = Bool

        /// The text that is searched.
        public let root: Root
        /// The text that is searched for.
        public let other: Other

        /// A search for one text in another.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Searches the text.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try root.evaluate(bindings).localizedStandardContains(try other.evaluate(bindings))
        }
    }

    /// The expression that `#Predicate` makes from `localizedStandardContains`.
    // Disfavoured, so that Foundation's own function is used if it appears.
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
