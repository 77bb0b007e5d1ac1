public import Foundation
import IntentVocabulary

/// A colour in a snippet. Its value is nil for the client's default and for a transparent colour. Not for direct use by
/// apps.
public struct _SnippetColor: Sendable {
    let value: SnippetColor?
}

/// A colour, a gradient or a material. A snippet shows it as one colour.
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
    /// Returns a shadow behind a shape.
    public static func drop(color: Color = .black, radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0) -> ShadowStyle {
        ShadowStyle()
    }

    /// Returns a shadow inside a shape.
    public static func inner(color: Color = .black, radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0) -> ShadowStyle {
        ShadowStyle()
    }
}

extension _PrimitiveView where Self: ShapeStyle {
    /// Draws a rectangle in the color of the style.
    public func _draw(on canvas: _SnippetCanvas) throws {
        try canvas.add(shape: .rectangle, fill: _snippetColor.value)
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
    /// A transparent colour.
    public static var clear: Color { .clear }
}

/// A colour for a level of importance.
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

/// The foreground colour of the surrounding view.
///
/// Source: Apple's ForegroundStyle page.
public struct ForegroundStyle: ShapeStyle {
    /// Creates the style.
    public init() {}
}

extension ShapeStyle where Self == ForegroundStyle {
    /// The foreground colour of the surrounding view.
    public static var foreground: ForegroundStyle { ForegroundStyle() }
}

/// The background colour of the surrounding view.
///
/// Source: Apple's BackgroundStyle page.
public struct BackgroundStyle: ShapeStyle {
    /// Creates the style.
    public init() {}
}

extension ShapeStyle where Self == BackgroundStyle {
    /// The background colour of the surrounding view.
    public static var background: BackgroundStyle { BackgroundStyle() }
}

/// The colour of separators. A snippet shows it as gray.
///
/// Source: Apple's SeparatorShapeStyle page.
public struct SeparatorShapeStyle: ShapeStyle {
    /// Creates the style.
    public init() {}
    public var _snippetColor: _SnippetColor { _SnippetColor(value: .gray) }
}

extension ShapeStyle where Self == SeparatorShapeStyle {
    /// The colour of separators.
    public static var separator: SeparatorShapeStyle { SeparatorShapeStyle() }
}

/// The colour of filled areas. A snippet shows it as gray.
///
/// Source: Apple's FillShapeStyle page.
public struct FillShapeStyle: ShapeStyle {
    /// Creates the style.
    public init() {}
    public var _snippetColor: _SnippetColor { _SnippetColor(value: .gray) }
}

extension ShapeStyle where Self == FillShapeStyle {
    /// The colour of filled areas.
    public static var fill: FillShapeStyle { FillShapeStyle() }
}

/// A translucent background. A snippet shows it as gray.
///
/// Source: Apple's Material page.
public struct Material: ShapeStyle {
    public var _snippetColor: _SnippetColor { _SnippetColor(value: .gray) }

    /// A material of medium translucency.
    public static let regular = Material()
    /// A material that is less translucent than ``regular``.
    public static let thick = Material()
    /// A material that is more translucent than ``regular``.
    public static let thin = Material()
    /// The most translucent material.
    public static let ultraThin = Material()
    /// The least translucent material.
    public static let ultraThick = Material()
    /// The material of toolbars.
    public static let bar = Material()
}

extension ShapeStyle where Self == Material {
    /// A material of medium translucency.
    public static var regularMaterial: Material { .regular }
    /// A material that is less translucent than ``regularMaterial``.
    public static var thickMaterial: Material { .thick }
    /// A material that is more translucent than ``regularMaterial``.
    public static var thinMaterial: Material { .thin }
    /// The most translucent material.
    public static var ultraThinMaterial: Material { .ultraThin }
    /// The least translucent material.
    public static var ultraThickMaterial: Material { .ultraThick }
    /// The material of toolbars.
    public static var bar: Material { .bar }
}

/// A type-erased style.
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
