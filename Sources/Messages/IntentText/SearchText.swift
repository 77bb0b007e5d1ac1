// The standard library has no public normalization of text, and Foundation's is too large for most programs.
@_spi(_Unicode) import Swift

/// Text in the form in which a user's search compares it: without differences of case and of canonical equivalence.
///
/// A user can type a letter with a mark as one scalar or as two, and expects to find either.
package struct SearchText: Sendable {
    private let folded: String

    package init(_ text: some StringProtocol) {
        folded = String(String.UnicodeScalarView(text.lowercased()._nfc))
    }

    /// Returns whether the text contains another one. Every text contains the empty text.
    package func contains(_ text: SearchText) -> Bool { folded.contains(utf8: text.folded) }
}
