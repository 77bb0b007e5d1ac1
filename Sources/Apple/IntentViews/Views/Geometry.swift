public import Foundation

/// An edge of a rectangle.
///
/// Source: Apple's Edge page.
@frozen public enum Edge: Int8, CaseIterable, Sendable {
    /// One of the four edges. Text runs from the leading edge to the trailing edge.
    case top, leading, bottom, trailing

    /// A set of edges.
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8

        public init(rawValue: Int8) {
            self.rawValue = rawValue
        }

        /// The top edge.
        public static let top = Set(rawValue: 1)
        /// The edge at which a line of text begins.
        public static let leading = Set(rawValue: 2)
        /// The bottom edge.
        public static let bottom = Set(rawValue: 4)
        /// The edge at which a line of text ends.
        public static let trailing = Set(rawValue: 8)
        /// All four edges.
        public static let all: Set = [.top, .leading, .bottom, .trailing]
        /// The leading and trailing edges.
        public static let horizontal: Set = [.leading, .trailing]
        /// The top and bottom edges.
        public static let vertical: Set = [.top, .bottom]

        /// Creates a set with one edge.
        public init(_ edge: Edge) {
            rawValue = 1 << edge.rawValue
        }
    }
}

/// Distances from the edges of a rectangle, in points.
///
/// Source: Apple's EdgeInsets page.
public struct EdgeInsets: Equatable, Sendable {
    /// The distance from the top edge.
    public var top: CGFloat
    /// The distance from the leading edge.
    public var leading: CGFloat
    /// The distance from the bottom edge.
    public var bottom: CGFloat
    /// The distance from the trailing edge.
    public var trailing: CGFloat

    /// Creates insets from four distances.
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    /// Creates insets of zero.
    public init() {
        self.init(top: 0, leading: 0, bottom: 0, trailing: 0)
    }
}

/// The horizontal or the vertical axis.
///
/// Source: Apple's Axis page.
@frozen public enum Axis: Int8, CaseIterable, Sendable {
    /// The axis from left to right (`horizontal`) or from top to bottom (`vertical`).
    case horizontal, vertical
}

/// A position in a rectangle at which views are aligned.
///
/// Source: Apple's Alignment page.
public struct Alignment: Equatable, Sendable {
    /// The horizontal position.
    public var horizontal: HorizontalAlignment
    /// The vertical position.
    public var vertical: VerticalAlignment

    /// Creates an alignment from a horizontal and a vertical position.
    public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
        self.horizontal = horizontal
        self.vertical = vertical
    }
}

/// A point in a rectangle, as fractions of the rectangle's width and height.
///
/// Source: Apple's UnitPoint page.
public struct UnitPoint: Hashable, Sendable {
    /// The distance from the leading edge: 0 at the leading edge, 1 at the trailing edge.
    public var x: CGFloat
    /// The distance from the top edge: 0 at the top edge, 1 at the bottom edge.
    public var y: CGFloat

    /// Creates a point.
    public init(x: CGFloat, y: CGFloat) {
        self.x = x
        self.y = y
    }

    /// Creates the point at the top leading corner.
    public init() {
        self.init(x: 0, y: 0)
    }
}

/// An angle in radians or degrees.
///
/// Source: Apple's Angle page.
public struct Angle: Hashable, Sendable {
    /// The angle in radians.
    public var radians: Double

    /// The angle in degrees.
    public var degrees: Double {
        get { radians * 180 / .pi }
        set { radians = newValue * .pi / 180 }
    }

    /// Creates an angle of zero.
    public init() {
        radians = 0
    }

    /// Creates an angle from radians.
    public init(radians: Double) {
        self.radians = radians
    }

    /// Creates an angle from degrees.
    public init(degrees: Double) {
        radians = degrees * .pi / 180
    }

    /// An angle of zero.
    public static let zero = Angle()

    /// Returns an angle from radians.
    public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }

    /// Returns an angle from degrees.
    public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }
}
