public import Foundation
import IntentVocabulary

extension Text {
    /// Sets the font.
    public func font(_ font: Font?) -> Text { styled { style in if let font { style = font.style } } }

    /// Sets the weight of the font. On Linux, a weight only determines whether the text is bold.
    public func fontWeight(_ weight: Font.Weight?) -> Text { styled { $0.isBold = weight?.isBold } }

    /// Sets the design of the font. On Linux, a design only determines whether the text is monospaced.
    public func fontDesign(_ design: Font.Design?) -> Text {
        styled { $0.isMonospaced = (design == .monospaced).trueOrNil }
    }

    /// Sets the width of the font. Ignored on Linux.
    public func fontWidth(_ width: Font.Width?, _ ignored: _IgnoredUse = #_ignored("text:fontWidth")) -> Text { self }

    /// Shows the text in bold.
    public func bold() -> Text { styled { $0.isBold = true } }

    /// Shows the text in bold if `isActive` is true.
    public func bold(_ isActive: Bool) -> Text { styled { $0.isBold = isActive.trueOrNil } }

    /// Shows the text in italics.
    public func italic() -> Text { styled { $0.isItalic = true } }

    /// Shows the text in italics if `isActive` is true.
    public func italic(_ isActive: Bool) -> Text { styled { $0.isItalic = isActive.trueOrNil } }

    /// Shows the text in a monospaced font if `isActive` is true.
    public func monospaced(_ isActive: Bool = true) -> Text { styled { $0.isMonospaced = isActive.trueOrNil } }

    /// Shows all digits with the same width. Ignored on Linux.
    public func monospacedDigit(_ ignored: _IgnoredUse = #_ignored("text:monospacedDigit")) -> Text { self }

    /// Strikes the text through if `isActive` is true. The colour is ignored on Linux.
    public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> Text {
        styled { $0.isStruckThrough = isActive.trueOrNil }
    }

    /// Strikes the text through if `isActive` is true. The pattern and the colour are ignored on Linux.
    public func strikethrough(_ isActive: Bool = true, pattern: LineStyle.Pattern, color: Color? = nil) -> Text {
        strikethrough(isActive)
    }

    /// Underlines the text. Ignored on Linux.
    public func underline(
        _ isActive: Bool = true,
        color: Color? = nil,
        _ ignored: _IgnoredUse = #_ignored("text:underline")
    ) -> Text { self }

    /// Underlines the text. Ignored on Linux.
    public func underline(
        _ isActive: Bool = true,
        pattern: LineStyle.Pattern,
        color: Color? = nil,
        _ ignored: _IgnoredUse = #_ignored("text:underline")
    ) -> Text { self }

    /// Sets the colour of the text.
    public func foregroundColor(_ color: Color?) -> Text { styled { $0.foreground = color?.snippetColor } }

    /// Sets the colour of the text.
    public func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> Text {
        styled { $0.foreground = style._snippetColor.value }
    }

    /// Sets additional space between characters. Ignored on Linux.
    public func kerning(_ kerning: CGFloat, _ ignored: _IgnoredUse = #_ignored("text:kerning")) -> Text { self }

    /// Sets additional space between characters, and disables ligatures. Ignored on Linux.
    public func tracking(_ tracking: CGFloat, _ ignored: _IgnoredUse = #_ignored("text:tracking")) -> Text { self }

    /// Moves the text above or below its baseline. Ignored on Linux.
    public func baselineOffset(_ baselineOffset: CGFloat, _ ignored: _IgnoredUse = #_ignored("text:baselineOffset"))
        -> Text
    { self }

    /// The style of an underline or strikethrough.
    ///
    /// Source: Apple's Text.LineStyle page.
    public struct LineStyle: Hashable, Sendable {
        /// The pattern of a line. Ignored on Linux.
        public struct Pattern: Hashable, Sendable {
            private let name: String

            /// A solid line.
            public static let solid = Pattern(name: "solid")
            /// A line of dots.
            public static let dot = Pattern(name: "dot")
            /// A line of dashes.
            public static let dash = Pattern(name: "dash")
            /// A line of alternating dashes and dots.
            public static let dashDot = Pattern(name: "dashDot")
            /// A line of dashes, each followed by two dots.
            public static let dashDotDot = Pattern(name: "dashDotDot")
        }
    }

    /// The case to which text is converted.
    ///
    /// Source: Apple's Text.Case page.
    public enum Case: Hashable, Sendable {
        /// Upper or lower case.
        case uppercase, lowercase
    }

    /// The position at which text is truncated if it does not fit. Ignored on Linux.
    ///
    /// Source: Apple's Text.TruncationMode page.
    public enum TruncationMode: Hashable, Sendable {
        /// The beginning, the end, or the middle of the text.
        case head, tail, middle
    }
}
