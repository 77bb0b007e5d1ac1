public import Foundation

/// Support for `$0.title.localizedStandardContains(text)` in a `#Predicate`. Foundation on Linux lacks this support.
///
/// Source: Apple's PredicateExpressions.StringLocalizedStandardContains page.
extension PredicateExpressions {
    /// An expression that tests whether a string contains another string, ignoring case and diacritics.
    public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The type of the result.
        public typealias Output = Bool

        /// The string in which to search.
        public let root: Root
        /// The string to search for.
        public let other: Other

        /// Creates an expression that searches for one string in another.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Performs the search and returns true if the string was found.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try root.evaluate(bindings).localizedStandardContains(try other.evaluate(bindings))
        }
    }

    /// Returns the expression for a call to `localizedStandardContains` in a `#Predicate`.
    // Disfavoured so that Swift prefers Foundation's own function as soon as it exists.
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
