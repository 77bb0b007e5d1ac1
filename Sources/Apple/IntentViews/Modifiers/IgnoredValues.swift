public import Foundation

// The argument types of modifiers that a snippet ignores.

/// How a picture with a fixed aspect ratio is scaled to the available space.
///
/// Source: Apple's ContentMode page.
public enum ContentMode: CaseIterable, Hashable, Sendable {
    /// The picture is completely visible (`fit`), or it covers the whole space (`fill`).
    case fit, fill
}

/// Whether a part of a view is shown.
///
/// Source: Apple's Visibility page.
public enum Visibility: CaseIterable, Hashable, Sendable {
    /// The client decides (`automatic`), or the part is always or never shown.
    case automatic, visible, hidden
}

/// Whether the scroll bars of scrolled content are shown.
///
/// Source: Apple's ScrollIndicatorVisibility page.
public enum ScrollIndicatorVisibility: Hashable, Sendable {
    /// The client decides (`automatic`), or the scroll bars are shown during scrolling or never.
    case automatic, visible, hidden, never
}

/// The parts of a screen that bars or a keyboard may cover.
///
/// Source: Apple's SafeAreaRegions page.
public struct SafeAreaRegions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// All parts.
    public static let all = SafeAreaRegions(rawValue: .max)
    /// The parts that the bars of a container cover.
    public static let container = SafeAreaRegions(rawValue: 1)
    /// The part that a keyboard covers.
    public static let keyboard = SafeAreaRegions(rawValue: 2)
}

/// The content to which margins apply.
///
/// Source: Apple's ContentMarginPlacement page.
public enum ContentMarginPlacement: Hashable, Sendable {
    /// All content, only the scrolled content, or only the scroll bars.
    case automatic, scrollContent, scrollIndicators
}

/// The kind of container to which a background applies.
///
/// Source: Apple's ContainerBackgroundPlacement page.
public enum ContainerBackgroundPlacement: Hashable, Sendable {
    /// A container on Apple's platforms. Linux has no such containers.
    case widget, tabView, navigation, navigationSplitView, window
}

/// The size of a view, from which a closure computes an alignment.
///
/// Source: Apple's ViewDimensions page.
public struct ViewDimensions: Equatable, Sendable {
    /// The width, in points.
    public let width: CGFloat
    /// The height, in points.
    public let height: CGFloat

    /// Returns the horizontal position of an alignment, in points. On Linux, it is always 0.
    public subscript(guide: HorizontalAlignment) -> CGFloat { 0 }
    /// Returns the vertical position of an alignment, in points. On Linux, it is always 0.
    public subscript(guide: VerticalAlignment) -> CGFloat { 0 }
}

extension VerticalEdge {
    /// A set of vertical edges.
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8

        public init(rawValue: Int8) {
            self.rawValue = rawValue
        }

        /// The top edge.
        public static let top = Set(rawValue: 1)
        /// The bottom edge.
        public static let bottom = Set(rawValue: 2)
        /// The top and bottom edges.
        public static let all: Set = [.top, .bottom]
    }
}

/// The function that mixes the colours of a view with the colours behind it.
///
/// Source: Apple's BlendMode page.
public enum BlendMode: Hashable, Sendable {
    /// A blend mode from Apple's Core Graphics.
    case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight, difference
    /// A blend mode from Apple's Core Graphics.
    case exclusion, hue, saturation, color, luminosity, sourceAtop, destinationOver, destinationOut, plusDarker
    /// The sum of both colours, limited to white.
    case plusLighter
}

/// The timing of an animated change. Ignored on Linux.
///
/// Source: Apple's Animation page.
public struct Animation: Hashable, Sendable {
    /// The default timing.
    public static let `default` = Animation()
    /// An animation at a constant speed.
    public static let linear = Animation()
    /// An animation that starts slowly.
    public static let easeIn = Animation()
    /// An animation that ends slowly.
    public static let easeOut = Animation()
    /// An animation that starts and ends slowly.
    public static let easeInOut = Animation()
    /// A spring animation.
    public static let spring = Animation()
    /// A spring animation without bounce.
    public static let smooth = Animation()
    /// A spring animation with a small bounce.
    public static let snappy = Animation()
    /// A spring animation with a large bounce.
    public static let bouncy = Animation()

    /// Returns an animation at a constant speed, with a duration in seconds.
    public static func linear(duration: TimeInterval) -> Animation { Animation() }
    /// Returns an animation that starts slowly, with a duration in seconds.
    public static func easeIn(duration: TimeInterval) -> Animation { Animation() }
    /// Returns an animation that ends slowly, with a duration in seconds.
    public static func easeOut(duration: TimeInterval) -> Animation { Animation() }
    /// Returns an animation that starts and ends slowly, with a duration in seconds.
    public static func easeInOut(duration: TimeInterval) -> Animation { Animation() }
    /// Returns a spring animation.
    public static func spring(
        response: Double = 0.5,
        dampingFraction: Double = 0.8,
        blendDuration: TimeInterval = 0
    ) -> Animation {
        Animation()
    }
}

/// Calls a closure that changes values. Linux does not animate the changes.
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
    try body()
}

/// How the appearance and disappearance of a view are animated. Ignored on Linux.
///
/// Source: Apple's AnyTransition page.
public struct AnyTransition: Sendable {
    /// The view appears and disappears immediately.
    public static let identity = AnyTransition()
    /// The view fades in and out.
    public static let opacity = AnyTransition()
    /// The view grows and shrinks.
    public static let scale = AnyTransition()
    /// The view moves in from the leading edge, and out towards the trailing edge.
    public static let slide = AnyTransition()

    /// Returns a transition that moves the view in from an edge, and out towards that edge.
    public static func move(edge: Edge) -> AnyTransition { AnyTransition() }
    /// Returns a transition that applies this transition and another at the same time.
    public func combined(with other: AnyTransition) -> AnyTransition { self }
}

/// How a change to a view's content is animated. Ignored on Linux.
///
/// Source: Apple's ContentTransition page.
public struct ContentTransition: Equatable, Sendable {
    /// The change is not animated.
    public static let identity = ContentTransition()
    /// The old content fades out, and the new content fades in.
    public static let opacity = ContentTransition()
    /// The content passes through intermediate states.
    public static let interpolate = ContentTransition()
    /// A symbol is replaced with the default symbol effect.
    public static let symbolEffect = ContentTransition()

    /// Returns the transition of a number that counts up or down.
    public static func numericText(countsDown: Bool = false) -> ContentTransition { ContentTransition() }
    /// Returns a transition for a number that counts up or down to a new value.
    public static func numericText(value: Double) -> ContentTransition { ContentTransition() }
}

/// The shape of a button's border. Ignored on Linux.
///
/// Source: Apple's ButtonBorderShape page.
public struct ButtonBorderShape: Hashable, Sendable {
    /// The shape that the client chooses.
    public static let automatic = ButtonBorderShape()
    /// A rectangle with semicircular ends.
    public static let capsule = ButtonBorderShape()
    /// A circle.
    public static let circle = ButtonBorderShape()
    /// A rectangle with rounded corners.
    public static let roundedRectangle = ButtonBorderShape()

    /// Returns a rectangle with rounded corners of the given radius, in points.
    public static func roundedRectangle(radius: CGFloat) -> ButtonBorderShape { ButtonBorderShape() }
}

/// The size of controls. Ignored on Linux.
///
/// Source: Apple's ControlSize page.
public enum ControlSize: CaseIterable, Hashable, Sendable {
    /// A size, from the smallest to the largest.
    case mini, small, regular, large, extraLarge
}

/// How screen readers treat the views of a container. Ignored on Linux.
///
/// Source: Apple's AccessibilityChildBehavior page.
public struct AccessibilityChildBehavior: Hashable, Sendable {
    /// Screen readers do not read the views.
    public static let ignore = AccessibilityChildBehavior()
    /// Screen readers read the views separately.
    public static let contain = AccessibilityChildBehavior()
    /// Screen readers read the views as one element.
    public static let combine = AccessibilityChildBehavior()
}

/// The traits by which screen readers describe a view. Ignored on Linux.
///
/// Source: Apple's AccessibilityTraits page.
public struct AccessibilityTraits: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The view is a button.
    public static let isButton = AccessibilityTraits(rawValue: 1 << 0)
    /// The view is a heading.
    public static let isHeader = AccessibilityTraits(rawValue: 1 << 1)
    /// The view is selected.
    public static let isSelected = AccessibilityTraits(rawValue: 1 << 2)
    /// The view is a link.
    public static let isLink = AccessibilityTraits(rawValue: 1 << 3)
    /// The view is a picture.
    public static let isImage = AccessibilityTraits(rawValue: 1 << 4)
    /// The view is text that cannot be edited.
    public static let isStaticText = AccessibilityTraits(rawValue: 1 << 5)
    /// The view contains a summary that is read when the app starts.
    public static let isSummaryElement = AccessibilityTraits(rawValue: 1 << 6)
    /// The content of the view changes often.
    public static let updatesFrequently = AccessibilityTraits(rawValue: 1 << 7)
    /// The view is a toggle.
    public static let isToggle = AccessibilityTraits(rawValue: 1 << 8)
}
