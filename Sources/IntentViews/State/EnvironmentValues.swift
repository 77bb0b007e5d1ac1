public import Foundation
import IntentProtocol

/// Values that a view hands to the views inside it.
///
/// Source: Apple's EnvironmentValues page.
public struct EnvironmentValues: Sendable {
    /// The values of the view that is being evaluated.
    @TaskLocal static var current = EnvironmentValues()

    /// The style that texts and symbols inherit.
    var textStyle = SnippetStyle()
    /// The colour of controls; nil for the client's.
    var tint: SnippetColor?
    /// The parts of labels that are shown.
    var labelStyle = _LabelParts.titleAndIcon
    /// True for the views of a ``Grid``, outside its rows.
    var isInGrid = false
    /// The conversion of texts' letters.
    var textCase: Text.Case?
    private var values: [ObjectIdentifier: any Sendable] = [:]
    private var chosenLocale: Locale?

    /// Creates default values.
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

    /// The caller's locale.
    public var locale: Locale {
        get { chosenLocale ?? .ofRun }
        set { chosenLocale = newValue }
    }

    /// The calendar.
    public var calendar: Calendar = .current
    /// The time zone.
    public var timeZone: TimeZone = .current
    /// The appearance. On Linux, clients choose it, and a view is told that it is light.
    public var colorScheme: ColorScheme = .light
    /// The contrast. On Linux, clients choose it.
    public var colorSchemeContrast: ColorSchemeContrast = .standard
    /// The size of texts. On Linux, clients choose it.
    public var dynamicTypeSize: DynamicTypeSize = .large
    /// The direction of reading, by the language of the locale.
    public var layoutDirection: LayoutDirection {
        locale.language.characterDirection == .rightToLeft ? .rightToLeft : .leftToRight
    }
    /// The number of pixels in a point.
    public var displayScale: CGFloat = 2
    /// False for controls that cannot be used.
    public var isEnabled = true
    /// The reasons for which texts are hidden.
    public var redactionReasons: RedactionReasons = []
    /// The maximum number of lines of a text; nil for no limit.
    public var lineLimit: Int? {
        get { textStyle.lineLimit }
        set { textStyle.lineLimit = newValue.map { max(1, $0) } }
    }
    /// The alignment of the lines of texts.
    public var multilineTextAlignment: TextAlignment = .leading
    /// The font of texts; nil for the client's.
    public var font: Font?
    /// An action that opens an address. A snippet contains no code, so that it has no effect.
    public var openURL: OpenURLAction { OpenURLAction() }
    /// An action that closes the view. A snippet contains no code, so that it has no effect.
    public var dismiss: DismissAction { DismissAction() }
}

/// A key of a value that an app declares.
///
/// Source: Apple's EnvironmentKey page.
public protocol EnvironmentKey {
    /// The type of the value.
    associatedtype Value: Sendable
    /// The value outside views that set it.
    static var defaultValue: Value { get }
}

/// The appearance of a client.
///
/// Source: Apple's ColorScheme page.
public enum ColorScheme: CaseIterable, Sendable {
    /// An appearance.
    case light, dark
}

/// The contrast of a client.
///
/// Source: Apple's ColorSchemeContrast page.
public enum ColorSchemeContrast: CaseIterable, Sendable {
    /// A contrast.
    case standard, increased
}

/// The direction of reading.
///
/// Source: Apple's LayoutDirection page.
public enum LayoutDirection: CaseIterable, Hashable, Sendable {
    /// A direction.
    case leftToRight, rightToLeft
}

/// The size of texts.
///
/// Source: Apple's DynamicTypeSize page.
public enum DynamicTypeSize: Int, CaseIterable, Comparable, Hashable, Sendable {
    /// A size.
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
    /// A size for people who need large texts.
    case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5

    public static func < (lhs: DynamicTypeSize, rhs: DynamicTypeSize) -> Bool { lhs.rawValue < rhs.rawValue }

    /// True for a size for people who need large texts.
    public var isAccessibilitySize: Bool { self >= .accessibility1 }
}

/// The reasons for which texts are hidden.
///
/// Source: Apple's RedactionReasons page.
public struct RedactionReasons: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The content is not known yet.
    public static let placeholder = RedactionReasons(rawValue: 1)
    /// The content is private.
    public static let privacy = RedactionReasons(rawValue: 2)
    /// The content is out of date.
    public static let invalidated = RedactionReasons(rawValue: 4)
}

/// An action that opens an address. Ignored on Linux: use ``Link``.
///
/// Source: Apple's OpenURLAction page.
public struct OpenURLAction: Sendable {
    /// Has no effect on Linux.
    public func callAsFunction(_ url: URL) {}
}

/// An action that closes a view. Ignored on Linux.
///
/// Source: Apple's DismissAction page.
public struct DismissAction: Sendable {
    /// Has no effect on Linux.
    public func callAsFunction() {}
}
