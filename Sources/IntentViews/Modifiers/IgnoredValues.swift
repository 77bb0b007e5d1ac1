public import Foundation

// The values of modifiers that a snippet ignores.

/// How a picture fills its space.
///
/// Source: Apple's ContentMode page.
public enum ContentMode: CaseIterable, Hashable, Sendable {
    /// A way.
    case fit, fill
}

/// Whether something is shown.
///
/// Source: Apple's Visibility page.
public enum Visibility: CaseIterable, Hashable, Sendable {
    /// A choice.
    case automatic, visible, hidden
}

/// Whether the indicators of scrolled content are shown.
///
/// Source: Apple's ScrollIndicatorVisibility page.
public enum ScrollIndicatorVisibility: Hashable, Sendable {
    /// A choice.
    case automatic, visible, hidden, never
}

/// The parts of a screen that something else may cover.
///
/// Source: Apple's SafeAreaRegions page.
public struct SafeAreaRegions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// All parts.
    public static let all = SafeAreaRegions(rawValue: .max)
    /// The parts around a container.
    public static let container = SafeAreaRegions(rawValue: 1)
    /// The part below a keyboard.
    public static let keyboard = SafeAreaRegions(rawValue: 2)
}

/// The content to which margins apply.
///
/// Source: Apple's ContentMarginPlacement page.
public enum ContentMarginPlacement: Hashable, Sendable {
    /// A choice.
    case automatic, scrollContent, scrollIndicators
}

/// The container of a background.
///
/// Source: Apple's ContainerBackgroundPlacement page.
public enum ContainerBackgroundPlacement: Hashable, Sendable {
    /// A container.
    case widget, tabView, navigation, navigationSplitView, window
}

/// The size of a view for its alignment.
///
/// Source: Apple's ViewDimensions page.
public struct ViewDimensions: Equatable, Sendable {
    /// The width, in points.
    public let width: CGFloat
    /// The height, in points.
    public let height: CGFloat

    /// Returns the position of an alignment, in points.
    public subscript(guide: HorizontalAlignment) -> CGFloat { 0 }
    /// Returns the position of an alignment, in points.
    public subscript(guide: VerticalAlignment) -> CGFloat { 0 }
}

extension VerticalEdge {
    /// Several sides of a page.
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8

        public init(rawValue: Int8) {
            self.rawValue = rawValue
        }

        /// The upper side.
        public static let top = Set(rawValue: 1)
        /// The lower side.
        public static let bottom = Set(rawValue: 2)
        /// Both sides.
        public static let all: Set = [.top, .bottom]
    }
}

/// How colours are mixed with those behind.
///
/// Source: Apple's BlendMode page.
public enum BlendMode: Hashable, Sendable {
    /// A way.
    case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight, difference
    /// A way.
    case exclusion, hue, saturation, color, luminosity, sourceAtop, destinationOver, destinationOut, plusDarker
    /// A way.
    case plusLighter
}

/// The course of a change.
///
/// Source: Apple's Animation page.
public struct Animation: Hashable, Sendable {
    /// A course.
    public static let `default` = Animation()
    /// A course.
    public static let linear = Animation()
    /// A course.
    public static let easeIn = Animation()
    /// A course.
    public static let easeOut = Animation()
    /// A course.
    public static let easeInOut = Animation()
    /// A course.
    public static let spring = Animation()
    /// A course.
    public static let smooth = Animation()
    /// A course.
    public static let snappy = Animation()
    /// A course.
    public static let bouncy = Animation()

    /// Returns a course with a duration, in seconds.
    public static func linear(duration: TimeInterval) -> Animation { Animation() }
    /// Returns a course with a duration, in seconds.
    public static func easeIn(duration: TimeInterval) -> Animation { Animation() }
    /// Returns a course with a duration, in seconds.
    public static func easeOut(duration: TimeInterval) -> Animation { Animation() }
    /// Returns a course with a duration, in seconds.
    public static func easeInOut(duration: TimeInterval) -> Animation { Animation() }
    /// Returns the course of a spring.
    public static func spring(
        response: Double = 0.5,
        dampingFraction: Double = 0.8,
        blendDuration: TimeInterval = 0
    ) -> Animation {
        Animation()
    }
}

/// Changes values. On Linux, it calls the closure.
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
    try body()
}

/// How a view appears and disappears.
///
/// Source: Apple's AnyTransition page.
public struct AnyTransition: Sendable {
    /// A way.
    public static let identity = AnyTransition()
    /// A way.
    public static let opacity = AnyTransition()
    /// A way.
    public static let scale = AnyTransition()
    /// A way.
    public static let slide = AnyTransition()

    /// Returns a way over a side.
    public static func move(edge: Edge) -> AnyTransition { AnyTransition() }
    /// Returns both ways at once.
    public func combined(with other: AnyTransition) -> AnyTransition { self }
}

/// How a change of content is shown.
///
/// Source: Apple's ContentTransition page.
public struct ContentTransition: Equatable, Sendable {
    /// A way.
    public static let identity = ContentTransition()
    /// A way.
    public static let opacity = ContentTransition()
    /// A way.
    public static let interpolate = ContentTransition()
    /// A way.
    public static let symbolEffect = ContentTransition()

    /// Returns a way for numbers.
    public static func numericText(countsDown: Bool = false) -> ContentTransition { ContentTransition() }
    /// Returns a way for numbers.
    public static func numericText(value: Double) -> ContentTransition { ContentTransition() }
}

/// The shape of buttons.
///
/// Source: Apple's ButtonBorderShape page.
public struct ButtonBorderShape: Hashable, Sendable {
    /// A shape.
    public static let automatic = ButtonBorderShape()
    /// A shape.
    public static let capsule = ButtonBorderShape()
    /// A shape.
    public static let circle = ButtonBorderShape()
    /// A shape.
    public static let roundedRectangle = ButtonBorderShape()

    /// Returns a shape with a radius, in points.
    public static func roundedRectangle(radius: CGFloat) -> ButtonBorderShape { ButtonBorderShape() }
}

/// The size of controls.
///
/// Source: Apple's ControlSize page.
public enum ControlSize: CaseIterable, Hashable, Sendable {
    /// A size.
    case mini, small, regular, large, extraLarge
}

/// How screen readers treat the views of a container.
///
/// Source: Apple's AccessibilityChildBehavior page.
public struct AccessibilityChildBehavior: Hashable, Sendable {
    /// A way.
    public static let ignore = AccessibilityChildBehavior()
    /// A way.
    public static let contain = AccessibilityChildBehavior()
    /// A way.
    public static let combine = AccessibilityChildBehavior()
}

/// What screen readers say about the kind of a view.
///
/// Source: Apple's AccessibilityTraits page.
public struct AccessibilityTraits: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A kind.
    public static let isButton = AccessibilityTraits(rawValue: 1 << 0)
    /// A kind.
    public static let isHeader = AccessibilityTraits(rawValue: 1 << 1)
    /// A kind.
    public static let isSelected = AccessibilityTraits(rawValue: 1 << 2)
    /// A kind.
    public static let isLink = AccessibilityTraits(rawValue: 1 << 3)
    /// A kind.
    public static let isImage = AccessibilityTraits(rawValue: 1 << 4)
    /// A kind.
    public static let isStaticText = AccessibilityTraits(rawValue: 1 << 5)
    /// A kind.
    public static let isSummaryElement = AccessibilityTraits(rawValue: 1 << 6)
    /// A kind.
    public static let updatesFrequently = AccessibilityTraits(rawValue: 1 << 7)
    /// A kind.
    public static let isToggle = AccessibilityTraits(rawValue: 1 << 8)
}
