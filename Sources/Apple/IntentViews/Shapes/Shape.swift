public import Foundation
import IntentSharedTypes

/// A two-dimensional shape, such as a circle.
///
/// Source: Apple's Shape page. Custom shapes are not supported on Linux.
public protocol Shape: Sendable, View {
    /// The form of this shape in a snippet. Not for direct use by apps.
    nonisolated var _outline: _SnippetOutline { get }
}

/// The form of a shape in a snippet. Not for direct use by apps.
public struct _SnippetOutline: Sendable {
    let shape: SnippetShape
    var isRounded = false
    /// False for a stroked shape, which a snippet does not show.
    var isFilled = true
}

/// A shape that can be made smaller by the same distance on all sides.
///
/// Source: Apple's InsettableShape page.
public protocol InsettableShape: Shape {}

extension Shape {
    /// Fills the shape with a colour.
    nonisolated public func fill<Style: ShapeStyle>(_ style: Style, style fillStyle: FillStyle = FillStyle())
        -> some Shape
    {
        _FilledShape(outline: _outline, color: style._snippetColor.value)
    }

    /// Outlines the shape instead of filling it. A snippet cannot show outlines, so it does not show the shape.
    nonisolated public func stroke<Style: ShapeStyle>(_ style: Style, lineWidth: CGFloat = 1) -> some Shape {
        outlined(style)
    }

    /// Outlines the shape instead of filling it. A snippet cannot show outlines, so it does not show the shape.
    nonisolated public func stroke<Style: ShapeStyle>(_ style: Style, style strokeStyle: StrokeStyle) -> some Shape {
        outlined(style)
    }

    /// Outlines the shape instead of filling it. A snippet cannot show outlines, so it does not show the shape.
    nonisolated public func stroke(lineWidth: CGFloat = 1) -> some Shape { outlined(ForegroundStyle()) }

    nonisolated fileprivate func outlined(_ style: some ShapeStyle) -> _FilledShape {
        var outline = _outline
        outline.isFilled = false
        return _FilledShape(outline: outline, color: style._snippetColor.value)
    }

    public func _draw(on canvas: _SnippetCanvas) throws {
        try canvas.add(outline: _outline, fill: canvas.environment.textStyle.foreground ?? .primary)
    }
}

extension InsettableShape {
    /// Outlines the shape on its inside. A snippet cannot show outlines, so it does not show the shape.
    nonisolated public func strokeBorder<Style: ShapeStyle>(
        _ content: Style,
        lineWidth: CGFloat = 1,
        antialiased: Bool = true
    ) -> some View {
        outlined(content)
    }

    /// Outlines the shape on its inside. A snippet cannot show outlines, so it does not show the shape.
    nonisolated public func strokeBorder(lineWidth: CGFloat = 1, antialiased: Bool = true) -> some View {
        outlined(ForegroundStyle())
    }
}

/// How a shape is filled. Ignored on Linux.
///
/// Source: Apple's FillStyle page.
public struct FillStyle: Equatable, Sendable {
    /// Creates a style for filled shapes.
    public init(eoFill: Bool = false, antialiased: Bool = true) {}
}

/// The style of a shape's outline. Ignored on Linux.
///
/// Source: Apple's StrokeStyle page.
public struct StrokeStyle: Equatable, Sendable {
    /// The width of the line, in points.
    public var lineWidth: CGFloat
    /// The lengths of dashes and gaps, in points.
    public var dash: [CGFloat]

    /// Creates a style for outlines.
    public init(lineWidth: CGFloat = 1, dash: [CGFloat] = [], dashPhase: CGFloat = 0) {
        self.lineWidth = lineWidth
        self.dash = dash
    }
}

/// A shape that is filled with a colour.
struct _FilledShape: Shape {
    nonisolated let outline: _SnippetOutline
    nonisolated let color: SnippetColor?

    nonisolated var _outline: _SnippetOutline { outline }

    func _draw(on canvas: _SnippetCanvas) throws { try canvas.add(outline: outline, fill: color) }
}

extension _FilledShape: _PrimitiveView {}

/// A rectangle.
///
/// Source: Apple's Rectangle page.
public struct Rectangle: InsettableShape, _PrimitiveView {
    /// Creates a rectangle.
    nonisolated public init() {}
    nonisolated public var _outline: _SnippetOutline { _SnippetOutline(shape: .rectangle) }
}

/// A rectangle with rounded corners.
///
/// Source: Apple's RoundedRectangle page.
public struct RoundedRectangle: InsettableShape, _PrimitiveView {
    /// Creates a rectangle. The radius is ignored on Linux.
    nonisolated public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {}
    /// Creates a rectangle. The size is ignored on Linux.
    nonisolated public init(cornerSize: CGSize, style: RoundedCornerStyle = .continuous) {}
    nonisolated public var _outline: _SnippetOutline { _SnippetOutline(shape: .rectangle, isRounded: true) }
}

/// A rectangle with corners of different radii.
///
/// Source: Apple's UnevenRoundedRectangle page.
public struct UnevenRoundedRectangle: InsettableShape, _PrimitiveView {
    /// Creates a rectangle. The radii are ignored on Linux.
    nonisolated public init(
        topLeadingRadius: CGFloat = 0,
        bottomLeadingRadius: CGFloat = 0,
        bottomTrailingRadius: CGFloat = 0,
        topTrailingRadius: CGFloat = 0,
        style: RoundedCornerStyle = .continuous
    ) {}
    nonisolated public var _outline: _SnippetOutline { _SnippetOutline(shape: .rectangle, isRounded: true) }
}

/// The shape of the surrounding container. A snippet shows a rectangle with rounded corners.
///
/// Source: Apple's ContainerRelativeShape page.
public struct ContainerRelativeShape: InsettableShape, _PrimitiveView {
    /// Creates the shape.
    nonisolated public init() {}
    nonisolated public var _outline: _SnippetOutline { _SnippetOutline(shape: .rectangle, isRounded: true) }
}

/// A circle.
///
/// Source: Apple's Circle page.
public struct Circle: InsettableShape, _PrimitiveView {
    /// Creates a circle.
    nonisolated public init() {}
    nonisolated public var _outline: _SnippetOutline { _SnippetOutline(shape: .circle) }
}

/// An ellipse, which a snippet shows as a circle.
///
/// Source: Apple's Ellipse page.
public struct Ellipse: InsettableShape, _PrimitiveView {
    /// Creates an ellipse.
    nonisolated public init() {}
    nonisolated public var _outline: _SnippetOutline { _SnippetOutline(shape: .circle) }
}

/// A rectangle with semicircular ends. A snippet shows it as a circle.
///
/// Source: Apple's Capsule page.
public struct Capsule: InsettableShape, _PrimitiveView {
    /// Creates a capsule.
    nonisolated public init(style: RoundedCornerStyle = .continuous) {}
    nonisolated public var _outline: _SnippetOutline { _SnippetOutline(shape: .circle) }
}

extension Shape where Self == Rectangle {
    /// A rectangle.
    nonisolated public static var rect: Rectangle { Rectangle() }
}

extension Shape where Self == Circle {
    /// A circle.
    nonisolated public static var circle: Circle { Circle() }
}

extension Shape where Self == Ellipse {
    /// An ellipse.
    nonisolated public static var ellipse: Ellipse { Ellipse() }
}

extension Shape where Self == Capsule {
    /// A rectangle with semicircular ends.
    nonisolated public static var capsule: Capsule { Capsule() }
}

extension Shape where Self == ContainerRelativeShape {
    /// The shape of the surrounding container.
    nonisolated public static var containerRelative: ContainerRelativeShape { ContainerRelativeShape() }
}

extension Shape where Self == RoundedRectangle {
    /// Returns a rectangle with rounded corners. The radius is ignored on Linux.
    nonisolated public static func rect(
        cornerRadius: CGFloat,
        style: RoundedCornerStyle = .continuous
    ) -> RoundedRectangle {
        RoundedRectangle(cornerRadius: cornerRadius)
    }
}

extension _SnippetCanvas {
    /// Adds a filled shape. Does nothing if the fill is transparent (nil).
    func add(shape: SnippetShape, fill: SnippetColor?, isRounded: Bool = false) throws {
        guard let fill else { return }
        var style = SnippetStyle()
        style.foreground = fill
        style.isRounded = isRounded.trueOrNil
        try add(.shape(shape), style: style)
    }

    fileprivate func add(outline: _SnippetOutline, fill: SnippetColor?) throws {
        guard outline.isFilled else { return }
        try add(shape: outline.shape, fill: fill, isRounded: outline.isRounded)
    }
}
