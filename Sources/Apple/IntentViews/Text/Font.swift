public import Foundation
import IntentSharedTypes

/// The font of text. A snippet contains only its role, and whether it is bold, italic or monospaced.
///
/// Source: Apple's Font page.
public struct Font: Hashable, Sendable {
    var style = SnippetStyle()

    init(_ role: SnippetFont) {
        style.font = role
    }

    private init(size: CGFloat) {
        // The sizes of Apple's text styles: 22 points and more are titles, and less than 14 points are captions.
        style.font = size >= 22 ? .title : size < 14 ? .caption : .body
    }

    /// The weight of a font. A snippet shows ``semibold`` and heavier weights as bold.
    public struct Weight: Hashable, Sendable {
        let value: Int

        var isBold: Bool { value >= 600 }
    }

    /// The width of a font. Ignored on Linux.
    public struct Width: Hashable, Sendable {
        /// The width relative to the standard width, which is 0.
        public var value: CGFloat

        /// Creates a width relative to the standard width, which is 0.
        public init(_ value: CGFloat) {
            self.value = value
        }
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

    /// Returns this font with the given weight. On Linux, a weight only determines whether the font is bold.
    public func weight(_ weight: Weight) -> Font { with { $0.isBold = weight.isBold } }
}
