/// Decides which scalars of a text are shown as they are. Pass it the scalars in order. All others are escaped.
///
/// A joiner or a selector is shown where it has a visible effect: in an emoji, and in a script with letters that it changes
/// (RFC 5892, appendix A; UTS #39, section 3.1.1).
package struct ShownScalars {
    /// The kind of the scalar before; ``ScalarKind/hidden`` after a scalar that is not shown.
    private var previous: ScalarKind?
    /// True if the last letter joins the next one.
    private var joins = false

    package init() {}

    package mutating func shows(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
        let kind = ScalarKind.of(scalar)
        let isShown = shows(kind, before: next)
        switch kind {
        case .cursiveMark: break
        case .dualJoining, .mongolian: joins = true
        case .hidden, .nonJoiner, .joiner, .emojiSelector, .ideographSelector, .mongolianSelector, .emoji, .keycapBase,
            .keycap, .ideograph, .rightJoining, .virama, nil:
            joins = false
        }
        previous = isShown ? kind : .hidden
        return isShown
    }

    private func shows(_ kind: ScalarKind?, before next: Unicode.Scalar?) -> Bool {
        switch kind {
        case .hidden: false
        case .nonJoiner: previous == .virama || joins && Self.joins(next)
        case .joiner:
            previous == .virama || (previous == .emoji || previous == .emojiSelector) && Self.kind(next) == .emoji
        case .emojiSelector: previous == .emoji || previous == .keycapBase && Self.kind(next) == .keycap
        case .ideographSelector: previous == .ideograph
        case .mongolianSelector: previous == .mongolian
        case .emoji, .keycapBase, .keycap, .ideograph, .mongolian, .dualJoining, .rightJoining, .cursiveMark, .virama,
            nil:
            true
        }
    }

    private static func joins(_ scalar: Unicode.Scalar?) -> Bool {
        let kind = kind(scalar)
        return kind == .dualJoining || kind == .rightJoining || kind == .mongolian
    }

    private static func kind(_ scalar: Unicode.Scalar?) -> ScalarKind? { scalar.flatMap(ScalarKind.of) }
}
