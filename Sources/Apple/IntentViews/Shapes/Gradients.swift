public import Foundation
import IntentSharedTypes

/// A gradient between colours. A snippet shows the first colour that is not transparent.
///
/// Source: Apple's Gradient page.
public struct Gradient: Hashable, Sendable {
    /// A colour at a position in a gradient.
    public struct Stop: Hashable, Sendable {
        /// The colour at the position.
        public var color: Color
        /// The position between 0 and 1.
        public var location: CGFloat

        /// Creates a colour at a position.
        public init(color: Color, location: CGFloat) {
            self.color = color
            self.location = location
        }
    }

    /// The colours and their positions.
    public var stops: [Stop]

    /// Creates a gradient.
    public init(stops: [Stop]) {
        self.stops = stops
    }

    /// Creates a gradient with equally spaced colours.
    public init(colors: [Color]) {
        stops = colors.enumerated().map { index, color in
            Stop(color: color, location: CGFloat(index) / CGFloat(max(1, colors.count - 1)))
        }
    }

    fileprivate var color: SnippetColor? { stops.lazy.compactMap(\.color.snippetColor).first }
}

/// A gradient from the top to the bottom of a view. A snippet shows it as one colour.
///
/// Source: Apple's AnyGradient page.
public struct AnyGradient: ShapeStyle, Hashable {
    private let color: SnippetColor?

    init(_ color: Color) {
        self.color = color.snippetColor
    }

    /// Creates a gradient.
    public init(_ gradient: Gradient) {
        color = gradient.color
    }

    public var _snippetColor: _SnippetColor { _SnippetColor(value: color) }
}

/// A gradient along a line.
///
/// Source: Apple's LinearGradient page.
public struct LinearGradient: ShapeStyle {
    private let gradient: Gradient

    /// Creates a gradient. The points are ignored on Linux.
    public init(gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint) {
        self.gradient = gradient
    }

    /// Creates a gradient. The points are ignored on Linux.
    public init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {
        gradient = Gradient(colors: colors)
    }

    /// Creates a gradient. The points are ignored on Linux.
    public init(stops: [Gradient.Stop], startPoint: UnitPoint, endPoint: UnitPoint) {
        gradient = Gradient(stops: stops)
    }

    public var _snippetColor: _SnippetColor { _SnippetColor(value: gradient.color) }
}

/// A gradient that extends outwards from a point.
///
/// Source: Apple's RadialGradient page.
public struct RadialGradient: ShapeStyle {
    private let gradient: Gradient

    /// Creates a gradient. The point and the radii are ignored on Linux.
    public init(gradient: Gradient, center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        self.gradient = gradient
    }

    /// Creates a gradient. The point and the radii are ignored on Linux.
    public init(colors: [Color], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        gradient = Gradient(colors: colors)
    }

    public var _snippetColor: _SnippetColor { _SnippetColor(value: gradient.color) }
}

/// A gradient around a point.
///
/// Source: Apple's AngularGradient page.
public struct AngularGradient: ShapeStyle {
    private let gradient: Gradient

    /// Creates a gradient. The point and the angles are ignored on Linux.
    public init(gradient: Gradient, center: UnitPoint, startAngle: Angle = .zero, endAngle: Angle = .zero) {
        self.gradient = gradient
    }

    /// Creates a gradient. The point and the angles are ignored on Linux.
    public init(colors: [Color], center: UnitPoint, startAngle: Angle = .zero, endAngle: Angle = .zero) {
        gradient = Gradient(colors: colors)
    }

    public var _snippetColor: _SnippetColor { _SnippetColor(value: gradient.color) }
}

extension LinearGradient: View, _PrimitiveView {}

extension RadialGradient: View, _PrimitiveView {}

extension AngularGradient: View, _PrimitiveView {}
