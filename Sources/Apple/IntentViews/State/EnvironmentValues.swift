public import Foundation
import IntentSharedTypes

/// The environment of a view: values that surrounding views set.
///
/// Source: Apple's EnvironmentValues page.
public struct EnvironmentValues: Sendable {
    /// The environment of the view that is being evaluated.
    @TaskLocal static var current = EnvironmentValues()

    /// The style that text and symbols inherit.
    var textStyle = SnippetStyle()
    /// The colour of controls; nil for the client's default.
    var tint: SnippetColor?
    /// The parts that labels show.
    var labelStyle = _LabelParts.titleAndIcon
    /// True for the views in a ``Grid`` that are not in one of its rows.
    var isInGrid = false
    /// The case to which text is converted; nil for no conversion.
    var textCase: Text.Case?
    private var values: [ObjectIdentifier: any Sendable] = [:]
    private var chosenLocale: Locale?

    /// Creates an environment with default values.
    public init() {}

    /// The value for a key that an app declares.
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value where Key.Value: Sendable {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    subscript(object type: ObjectIdentifier) -> (any Sendable)? {
        get { values[type] }
        set { values[type] = newValue }
    }

    /// The locale of text. The default is the caller's locale.
    public var locale: Locale {
        get { chosenLocale ?? .ofRun }
        set { chosenLocale = newValue }
    }

    /// The calendar. The default is the calendar of the worker's process.
    public var calendar: Calendar = .current
    /// The time zone. The default is the time zone of the worker's process.
    public var timeZone: TimeZone = .current
    /// The light or dark appearance. Clients choose the appearance on Linux, so the default is always light.
    public var colorScheme: ColorScheme = .light
    /// The contrast. Clients choose the contrast on Linux, so the default is always the standard contrast.
    public var colorSchemeContrast: ColorSchemeContrast = .standard
    /// The size of text. Clients choose the size on Linux, so the default is always large.
    public var dynamicTypeSize: DynamicTypeSize = .large
    /// The reading direction of the locale's language.
    public var layoutDirection: LayoutDirection {
        locale.language.characterDirection == .rightToLeft ? .rightToLeft : .leftToRight
    }
    /// The number of pixels in a point.
    public var displayScale: CGFloat = 2
    /// False if controls are disabled.
    public var isEnabled = true
    /// The reasons why text is redacted; empty if text is shown.
    public var redactionReasons: RedactionReasons = []
    /// The maximum number of lines of a text view; nil for no limit.
    public var lineLimit: Int? {
        get { textStyle.lineLimit }
        set { textStyle.lineLimit = newValue.map { max(1, $0) } }
    }
    /// The alignment of the lines of text.
    public var multilineTextAlignment: TextAlignment = .leading
    /// The font of text; nil for the client's default.
    public var font: Font?
    /// An action that opens a URL. It has no effect on Linux, because a snippet contains no code.
    public var openURL: OpenURLAction { OpenURLAction() }
    /// An action that closes the view. It has no effect on Linux, because a snippet contains no code.
    public var dismiss: DismissAction { DismissAction() }
}

/// A key for an environment value that an app declares.
///
/// Source: Apple's EnvironmentKey page.
public protocol EnvironmentKey {
    /// The type of the value.
    associatedtype Value: Sendable
    /// The value that applies if no surrounding view sets a value.
    static var defaultValue: Value { get }
}

/// The size of text.
///
/// Source: Apple's DynamicTypeSize page.
public enum DynamicTypeSize: Int, CaseIterable, Comparable, Hashable, Sendable {
    /// An ordinary size, from the smallest to the largest.
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
    /// A size for people who need large text.
    case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5

    public static func < (lhs: DynamicTypeSize, rhs: DynamicTypeSize) -> Bool { lhs.rawValue < rhs.rawValue }

    /// True for a size that is meant for people who need large text.
    public var isAccessibilitySize: Bool { self >= .accessibility1 }
}

/// An action that opens a URL. It has no effect on Linux. Use ``Link`` instead.
///
/// Source: Apple's OpenURLAction page.
public struct OpenURLAction: Sendable {
    /// Has no effect on Linux.
    public func callAsFunction(_ url: URL) {}
}

/// An action that closes a view. It has no effect on Linux.
///
/// Source: Apple's DismissAction page.
public struct DismissAction: Sendable {
    /// Has no effect on Linux.
    public func callAsFunction() {}
}
