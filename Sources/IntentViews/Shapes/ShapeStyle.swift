public import Foundation
import IntentProtocol

/// A colour of a snippet; nil for the client's default. Not for direct use by apps.
public struct _SnippetColor: Sendable {
    let value: SnippetColor?
}

/// A colour, a gradient or a material, of which a snippet shows one colour.
///
/// Source: Apple's ShapeStyle page.
public protocol ShapeStyle: Sendable {
    /// The colour in a snippet. Not for direct use by apps.
    var _snippetColor: _SnippetColor { get }
}

extension ShapeStyle {
    public var _snippetColor: _SnippetColor { _SnippetColor(value: nil) }

    /// Returns this style with an opacity, which is ignored on Linux.
    @_disfavoredOverload
    public func opacity(_ opacity: Double) -> some ShapeStyle { self }

    /// Returns this style with a shadow, which is ignored on Linux.
    @_disfavoredOverload
    public func shadow(_ style: ShadowStyle) -> some ShapeStyle { self }
}

/// A shadow. Ignored on Linux.
///
/// Source: Apple's ShadowStyle page.
public struct ShadowStyle: Equatable, Sendable {
    /// Returns a shadow below a shape.
    public static func drop(color: Color = .black, radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0) -> ShadowStyle {
        ShadowStyle()
    }

    /// Returns a shadow inside a shape.
    public static func inner(color: Color = .black, radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0) -> ShadowStyle {
        ShadowStyle()
    }
}

extension Color: ShapeStyle {
    public var _snippetColor: _SnippetColor { _SnippetColor(value: snippetColor) }
}

extension ShapeStyle where Self == Color {
    /// Black.
    public static var black: Color { .black }
    /// White.
    public static var white: Color { .white }
    /// Gray.
    public static var gray: Color { .gray }
    /// Red.
    public static var red: Color { .red }
    /// Orange.
    public static var orange: Color { .orange }
    /// Yellow.
    public static var yellow: Color { .yellow }
    /// Green.
    public static var green: Color { .green }
    /// Mint.
    public static var mint: Color { .mint }
    /// Teal.
    public static var teal: Color { .teal }
    /// Cyan.
    public static var cyan: Color { .cyan }
    /// Blue.
    public static var blue: Color { .blue }
    /// Indigo.
    public static var indigo: Color { .indigo }
    /// Purple.
    public static var purple: Color { .purple }
    /// Pink.
    public static var pink: Color { .pink }
    /// Brown.
    public static var brown: Color { .brown }
    /// No colour.
    public static var clear: Color { .clear }
}

/// A level of importance.
///
/// Source: Apple's HierarchicalShapeStyle page.
public struct HierarchicalShapeStyle: ShapeStyle {
    fileprivate let color: SnippetColor

    public var _snippetColor: _SnippetColor { _SnippetColor(value: color) }
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    /// The colour of ordinary text.
    public static var primary: HierarchicalShapeStyle { HierarchicalShapeStyle(color: .primary) }
    /// The colour of less important text.
    public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle(color: .secondary) }
    /// The colour of text that is still less important, which a snippet shows as ``secondary``.
    public static var tertiary: HierarchicalShapeStyle { HierarchicalShapeStyle(color: .secondary) }
    /// The colour of the least important text, which a snippet shows as ``secondary``.
    public static var quaternary: HierarchicalShapeStyle { HierarchicalShapeStyle(color: .secondary) }
}

/// The colour of controls.
///
/// Source: Apple's TintShapeStyle page.
public struct TintShapeStyle: ShapeStyle {
    /// Creates the style.
    public init() {}
    public var _snippetColor: _SnippetColor { _SnippetColor(value: .accent) }
}

extension ShapeStyle where Self == TintShapeStyle {
    /// The colour of controls.
    public static var tint: TintShapeStyle { TintShapeStyle() }
}

/// The colour of the foreground.
///
/// Source: Apple's ForegroundStyle page.
public struct ForegroundStyle: ShapeStyle {
    /// Creates the style.
    public init() {}
}

extension ShapeStyle where Self == ForegroundStyle {
    /// The colour of the foreground.
    public static var foreground: ForegroundStyle { ForegroundStyle() }
}

/// The colour of the background.
///
/// Source: Apple's BackgroundStyle page.
public struct BackgroundStyle: ShapeStyle {
    /// Creates the style.
    public init() {}
}

extension ShapeStyle where Self == BackgroundStyle {
    /// The colour of the background.
    public static var background: BackgroundStyle { BackgroundStyle() }
}

/// The colour of lines between views.
///
/// Source: Apple's SeparatorShapeStyle page.
public struct SeparatorShapeStyle: ShapeStyle {
    /// Creates the style.
    public init() {}
    public var _snippetColor: _SnippetColor { _SnippetColor(value: .gray) }
}

extension ShapeStyle where Self == SeparatorShapeStyle {
    /// The colour of lines between views.
    public static var separator: SeparatorShapeStyle { SeparatorShapeStyle() }
}

/// The colour of areas.
///
/// Source: Apple's FillShapeStyle page.
public struct FillShapeStyle: ShapeStyle {
    /// Creates the style.
    public init() {}
    public var _snippetColor: _SnippetColor { _SnippetColor(value: .gray) }
}

extension ShapeStyle where Self == FillShapeStyle {
    /// The colour of areas.
    public static var fill: FillShapeStyle { FillShapeStyle() }
}

/// A material, through which the background shines. A snippet has no materials, and shows it as a gray background.
///
/// Source: Apple's Material page.
public struct Material: ShapeStyle {
    public var _snippetColor: _SnippetColor { _SnippetColor(value: .gray) }

    /// A material.
    public static let regular = Material()
    /// A material.
    public static let thick = Material()
    /// A material.
    public static let thin = Material()
    /// A material.
    public static let ultraThin = Material()
    /// A material.
    public static let ultraThick = Material()
    /// A material.
    public static let bar = Material()
}

extension ShapeStyle where Self == Material {
    /// A material.
    public static var regularMaterial: Material { .regular }
    /// A material.
    public static var thickMaterial: Material { .thick }
    /// A material.
    public static var thinMaterial: Material { .thin }
    /// A material.
    public static var ultraThinMaterial: Material { .ultraThin }
    /// A material.
    public static var ultraThickMaterial: Material { .ultraThick }
    /// A material.
    public static var bar: Material { .bar }
}

/// A style of any type.
///
/// Source: Apple's AnyShapeStyle page.
public struct AnyShapeStyle: ShapeStyle {
    private let style: any ShapeStyle

    /// Creates a type-erased style.
    public init<Style: ShapeStyle>(_ style: Style) {
        self.style = style
    }

    public var _snippetColor: _SnippetColor { style._snippetColor }
}
