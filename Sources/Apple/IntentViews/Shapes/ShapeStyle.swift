import IntentSharedTypes

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

extension _PrimitiveView where Self: ShapeStyle {
    /// Draws a rectangle in the color of the style.
    public func _draw(on canvas: _SnippetCanvas) throws {
        try canvas.add(shape: .rectangle, fill: _snippetColor.value)
    }
}

extension Color: ShapeStyle {
    public var _snippetColor: _SnippetColor { _SnippetColor(value: snippetColor) }
}

/// A colour for a level of importance.
///
/// Source: Apple's HierarchicalShapeStyle page.
public struct HierarchicalShapeStyle: ShapeStyle {
    let color: SnippetColor

    public var _snippetColor: _SnippetColor { _SnippetColor(value: color) }
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
