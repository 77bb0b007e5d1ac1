public import Foundation

/// A side of a rectangle.
///
/// Source: Apple's Edge page.
@frozen public enum Edge: Int8, CaseIterable, Sendable {
    /// A side of a rectangle.
    case top, leading, bottom, trailing

    /// Several sides of a rectangle.
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8

        public init(rawValue: Int8) {
            self.rawValue = rawValue
        }

        /// The upper side.
        public static let top = Set(rawValue: 1)
        /// The side where reading begins.
        public static let leading = Set(rawValue: 2)
        /// The lower side.
        public static let bottom = Set(rawValue: 4)
        /// The side where reading ends.
        public static let trailing = Set(rawValue: 8)
        /// All sides.
        public static let all: Set = [.top, .leading, .bottom, .trailing]
        /// The leading and the trailing side.
        public static let horizontal: Set = [.leading, .trailing]
        /// The upper and the lower side.
        public static let vertical: Set = [.top, .bottom]

        /// Creates a set with one side.
        public init(_ edge: Edge) {
            rawValue = 1 << edge.rawValue
        }
    }
}

/// A leading or a trailing side.
///
/// Source: Apple's HorizontalEdge page.
public enum HorizontalEdge: Int8, CaseIterable, Sendable {
    /// A side of a line of text.
    case leading, trailing
}

/// An upper or a lower side.
///
/// Source: Apple's VerticalEdge page.
public enum VerticalEdge: Int8, CaseIterable, Sendable {
    /// A side of a page.
    case top, bottom
}

/// The distances from the sides of a rectangle.
///
/// Source: Apple's EdgeInsets page.
public struct EdgeInsets: Equatable, Sendable {
    /// The distance from the upper side.
    public var top: CGFloat
    /// The distance from the side where reading begins.
    public var leading: CGFloat
    /// The distance from the lower side.
    public var bottom: CGFloat
    /// The distance from the side where reading ends.
    public var trailing: CGFloat

    /// Creates distances.
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    /// Creates distances of zero.
    public init() {
        self.init(top: 0, leading: 0, bottom: 0, trailing: 0)
    }
}

/// A direction: from left to right, or from top to bottom.
///
/// Source: Apple's Axis page.
@frozen public enum Axis: Int8, CaseIterable, Sendable {
    /// A direction.
    case horizontal, vertical

    /// Several directions.
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8

        public init(rawValue: Int8) {
            self.rawValue = rawValue
        }

        /// From left to right.
        public static let horizontal = Set(rawValue: 1)
        /// From top to bottom.
        public static let vertical = Set(rawValue: 2)
    }
}

/// A position along a line of text.
///
/// Source: Apple's HorizontalAlignment page.
public enum HorizontalAlignment: Equatable, Sendable {
    /// A position.
    case leading, center, trailing, listRowSeparatorLeading, listRowSeparatorTrailing
}

/// A position along the height of a view.
///
/// Source: Apple's VerticalAlignment page.
public enum VerticalAlignment: Equatable, Sendable {
    /// A position.
    case top, center, bottom, firstTextBaseline, lastTextBaseline
}

/// The alignment of the lines of a text.
///
/// Source: Apple's TextAlignment page.
public enum TextAlignment: CaseIterable, Hashable, Sendable {
    /// A position.
    case leading, center, trailing
}

/// A position in a rectangle.
///
/// Source: Apple's Alignment page.
public struct Alignment: Equatable, Sendable {
    /// The position along a line of text.
    public var horizontal: HorizontalAlignment
    /// The position along the height.
    public var vertical: VerticalAlignment

    /// Creates a position.
    public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// The middle.
    public static let center = Alignment(horizontal: .center, vertical: .center)
    /// The middle of the leading side.
    public static let leading = Alignment(horizontal: .leading, vertical: .center)
    /// The middle of the trailing side.
    public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
    /// The middle of the upper side.
    public static let top = Alignment(horizontal: .center, vertical: .top)
    /// The middle of the lower side.
    public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
    /// The upper leading corner.
    public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
    /// The upper trailing corner.
    public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
    /// The lower leading corner.
    public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
    /// The lower trailing corner.
    public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)
    /// The baseline of the first text, at its leading side.
    public static let leadingFirstTextBaseline = Alignment(horizontal: .leading, vertical: .firstTextBaseline)
    /// The baseline of the first text, in its middle.
    public static let centerFirstTextBaseline = Alignment(horizontal: .center, vertical: .firstTextBaseline)
    /// The baseline of the first text, at its trailing side.
    public static let trailingFirstTextBaseline = Alignment(horizontal: .trailing, vertical: .firstTextBaseline)
}

/// A point in a rectangle with sides of the length 1.
///
/// Source: Apple's UnitPoint page.
public struct UnitPoint: Hashable, Sendable {
    /// The distance from the leading side.
    public var x: CGFloat
    /// The distance from the upper side.
    public var y: CGFloat

    /// Creates a point.
    public init(x: CGFloat, y: CGFloat) {
        self.x = x
        self.y = y
    }

    /// Creates the upper leading corner.
    public init() {
        self.init(x: 0, y: 0)
    }

    /// The upper leading corner.
    public static let zero = UnitPoint(x: 0, y: 0)
    /// The middle.
    public static let center = UnitPoint(x: 0.5, y: 0.5)
    /// The middle of the leading side.
    public static let leading = UnitPoint(x: 0, y: 0.5)
    /// The middle of the trailing side.
    public static let trailing = UnitPoint(x: 1, y: 0.5)
    /// The middle of the upper side.
    public static let top = UnitPoint(x: 0.5, y: 0)
    /// The middle of the lower side.
    public static let bottom = UnitPoint(x: 0.5, y: 1)
    /// The upper leading corner.
    public static let topLeading = UnitPoint(x: 0, y: 0)
    /// The upper trailing corner.
    public static let topTrailing = UnitPoint(x: 1, y: 0)
    /// The lower leading corner.
    public static let bottomLeading = UnitPoint(x: 0, y: 1)
    /// The lower trailing corner.
    public static let bottomTrailing = UnitPoint(x: 1, y: 1)
}

/// An angle.
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
