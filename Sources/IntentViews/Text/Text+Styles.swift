public import Foundation
import IntentProtocol

extension Text {
    /// Sets the font.
    public func font(_ font: Font?) -> Text { styled { style in if let font { style = font.style } } }

    /// Sets the weight of the font.
    public func fontWeight(_ weight: Font.Weight?) -> Text { styled { $0.isBold = weight?.isBold } }

    /// Sets the design of the font.
    public func fontDesign(_ design: Font.Design?) -> Text {
        styled { $0.isMonospaced = design == .monospaced ? true : nil }
    }

    /// Sets the width of the font. Ignored on Linux.
    public func fontWidth(_ width: Font.Width?, _ ignored: _IgnoredUse = #_ignored("text:fontWidth")) -> Text { self }

    /// Shows the text in bold.
    public func bold() -> Text { styled { $0.isBold = true } }

    /// Shows the text in bold, or not.
    public func bold(_ isActive: Bool) -> Text { styled { $0.isBold = isActive ? true : nil } }

    /// Shows the text in italics.
    public func italic() -> Text { styled { $0.isItalic = true } }

    /// Shows the text in italics, or not.
    public func italic(_ isActive: Bool) -> Text { styled { $0.isItalic = isActive ? true : nil } }

    /// Shows characters of the same width, or not.
    public func monospaced(_ isActive: Bool = true) -> Text { styled { $0.isMonospaced = isActive ? true : nil } }

    /// Shows digits of the same width. Ignored on Linux.
    public func monospacedDigit(_ ignored: _IgnoredUse = #_ignored("text:monospacedDigit")) -> Text { self }

    /// Crosses the text out, or not. The colour is ignored on Linux.
    public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> Text {
        styled { $0.isStruckThrough = isActive ? true : nil }
    }

    /// Crosses the text out, or not. The pattern and the colour are ignored on Linux.
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

    /// Sets the colour.
    public func foregroundColor(_ color: Color?) -> Text { styled { $0.foreground = color?.snippetColor } }

    /// Sets the colour.
    public func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> Text {
        styled { $0.foreground = style._snippetColor.value }
    }

    /// Sets the space between characters. Ignored on Linux.
    public func kerning(_ kerning: CGFloat, _ ignored: _IgnoredUse = #_ignored("text:kerning")) -> Text { self }

    /// Sets the space between characters. Ignored on Linux.
    public func tracking(_ tracking: CGFloat, _ ignored: _IgnoredUse = #_ignored("text:tracking")) -> Text { self }

    /// Moves the text up or down. Ignored on Linux.
    public func baselineOffset(_ baselineOffset: CGFloat, _ ignored: _IgnoredUse = #_ignored("text:baselineOffset"))
        -> Text
    { self }

    /// The form of a line below or through a text.
    ///
    /// Source: Apple's Text.LineStyle page.
    public struct LineStyle: Hashable, Sendable {
        /// The pattern of a line. Ignored on Linux.
        public struct Pattern: Hashable, Sendable {
            private let name: String

            private init(_ name: String) {
                self.name = name
            }

            /// A pattern.
            public static let solid = Pattern("solid")
            /// A pattern.
            public static let dot = Pattern("dot")
            /// A pattern.
            public static let dash = Pattern("dash")
            /// A pattern.
            public static let dashDot = Pattern("dashDot")
            /// A pattern.
            public static let dashDotDot = Pattern("dashDotDot")
        }
    }

    /// The conversion of a text's letters.
    ///
    /// Source: Apple's Text.Case page.
    public enum Case: Hashable, Sendable {
        /// A conversion.
        case uppercase, lowercase
    }

    /// The part of a text that is left out if there is no space for it. Ignored on Linux.
    ///
    /// Source: Apple's Text.TruncationMode page.
    public enum TruncationMode: Hashable, Sendable {
        /// A part.
        case head, tail, middle
    }
}
