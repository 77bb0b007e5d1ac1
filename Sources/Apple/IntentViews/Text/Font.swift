public import Foundation
import IntentVocabulary

/// The font of text. A snippet contains only its role, and whether it is bold, italic or monospaced.
///
/// Source: Apple's Font page.
public struct Font: Hashable, Sendable {
    var style = SnippetStyle()

    private init(_ role: SnippetFont) {
        style.font = role
    }

    private init(size: CGFloat) {
        // The sizes of Apple's text styles: 22 points and more are titles, and less than 14 points are captions.
        style.font = size >= 22 ? .title : size < 14 ? .caption : .body
    }

    /// The font of large titles.
    public static let largeTitle = Font(.title)
    /// The font of titles.
    public static let title = Font(.title)
    /// The font of second-level titles.
    public static let title2 = Font(.title)
    /// The font of third-level titles.
    public static let title3 = Font(.headline)
    /// The font of headings.
    public static let headline = Font(.headline)
    /// The font of subheadings.
    public static let subheadline = Font(.caption)
    /// The font of ordinary text.
    public static let body = Font(.body)
    /// The font of callouts.
    public static let callout = Font(.body)
    /// The font of footnotes.
    public static let footnote = Font(.caption)
    /// The font of captions.
    public static let caption = Font(.caption)
    /// The font of second-level captions.
    public static let caption2 = Font(.caption)

    /// The weight of a font. A snippet shows ``semibold`` and heavier weights as bold.
    public struct Weight: Hashable, Sendable {
        let value: Int

        /// The lightest weight.
        public static let ultraLight = Weight(value: 100)
        /// The second lightest weight.
        public static let thin = Weight(value: 200)
        /// A weight that is lighter than ordinary text.
        public static let light = Weight(value: 300)
        /// The weight of ordinary text.
        public static let regular = Weight(value: 400)
        /// A weight between ordinary and bold text, which is not shown as bold.
        public static let medium = Weight(value: 500)
        /// A weight between ordinary and bold text, which is shown as bold.
        public static let semibold = Weight(value: 600)
        /// The weight of bold text.
        public static let bold = Weight(value: 700)
        /// A weight that is heavier than bold text, and is shown as bold.
        public static let heavy = Weight(value: 800)
        /// The heaviest weight, which is shown as bold.
        public static let black = Weight(value: 900)

        var isBold: Bool { value >= 600 }
    }

    /// The design of a font. Linux ignores every design except ``monospaced``.
    public enum Design: Hashable, Sendable {
        /// A design that is ignored on Linux.
        case `default`, serif, rounded
        /// All characters have the same width.
        case monospaced
    }

    /// The width of a font. Ignored on Linux.
    public struct Width: Hashable, Sendable {
        /// The width relative to the standard width, which is 0.
        public var value: CGFloat

        /// Creates a width relative to the standard width, which is 0.
        public init(_ value: CGFloat) {
            self.value = value
        }

        /// The narrowest width.
        public static let compressed = Width(-0.3)
        /// A width between the narrowest and the standard width.
        public static let condensed = Width(-0.2)
        /// The standard width.
        public static let standard = Width(0)
        /// A width greater than the standard width.
        public static let expanded = Width(0.2)
    }

    /// The role of text, such as a title or a caption.
    public enum TextStyle: CaseIterable, Hashable, Sendable {
        /// A role, which a snippet maps to a title, a headline, a body or a caption.
        case largeTitle, title, title2, title3, headline, subheadline, body, callout, footnote, caption, caption2

        var font: Font {
            switch self {
            case .largeTitle, .title, .title2: .title
            case .title3, .headline: .headline
            case .body, .callout: .body
            case .subheadline, .footnote, .caption, .caption2: .caption
            }
        }
    }

    /// The space between lines. Ignored on Linux.
    public enum Leading: Hashable, Sendable {
        /// The standard space, less space, or more space.
        case standard, tight, loose
    }

    /// Returns the system font with the given size, in points. On Linux, the size only determines the role.
    public static func system(size: CGFloat, weight: Weight? = nil, design: Design? = nil) -> Font {
        Font(size: size).described(weight, design)
    }

    /// Returns the system font for a role.
    public static func system(_ style: TextStyle, design: Design? = nil, weight: Weight? = nil) -> Font {
        style.font.described(weight, design)
    }

    /// Returns a font with the given size, in points. Linux ignores the name, and derives only the role from the size.
    public static func custom(_ name: String, size: CGFloat) -> Font { Font(size: size) }

    /// Returns a font for a role. The name and the size are ignored on Linux.
    public static func custom(_ name: String, size: CGFloat, relativeTo textStyle: TextStyle) -> Font {
        textStyle.font
    }

    /// Returns a font with the given size, in points. Linux ignores the name, and derives only the role from the size.
    public static func custom(_ name: String, fixedSize: CGFloat) -> Font { Font(size: fixedSize) }

    private func described(_ weight: Weight?, _ design: Design?) -> Font {
        var font = self
        if weight?.isBold == true { font.style.isBold = true }
        if design == .monospaced { font.style.isMonospaced = true }
        return font
    }

    private func with(_ change: (inout SnippetStyle) -> Void) -> Font {
        var font = self
        change(&font.style)
        return font
    }

    /// Returns this font in bold.
    public func bold() -> Font { with { $0.isBold = true } }

    /// Returns this font in italics.
    public func italic() -> Font { with { $0.isItalic = true } }

    /// Returns this font in a monospaced design.
    public func monospaced() -> Font { with { $0.isMonospaced = true } }

    /// Returns this font with monospaced digits. Ignored on Linux.
    public func monospacedDigit(_ ignored: _IgnoredUse = #_ignored("text:monospacedDigit")) -> Font { self }

    /// Returns this font with small capitals. Ignored on Linux.
    public func smallCaps(_ ignored: _IgnoredUse = #_ignored("text:smallCaps")) -> Font { self }

    /// Returns this font with more or less space between lines. Ignored on Linux.
    public func leading(_ leading: Leading, _ ignored: _IgnoredUse = #_ignored("text:leading")) -> Font { self }

    /// Returns this font with the given width. Ignored on Linux.
    public func width(_ width: Width, _ ignored: _IgnoredUse = #_ignored("text:width")) -> Font { self }

    /// Returns this font with the given weight. On Linux, a weight only determines whether the font is bold.
    public func weight(_ weight: Weight) -> Font { with { $0.isBold = weight.isBold } }
}
