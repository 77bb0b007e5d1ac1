public import Foundation

/// Text for people that names where its translations are, and is looked up when it is shown.
///
/// Source: Apple's LocalizedStringResource page (Foundation; absent from Foundation on Linux).
public struct LocalizedStringResource: Sendable, Hashable, Codable, ExpressibleByStringInterpolation {
    /// Where a table of translations lies.
    public enum BundleDescription: Sendable, Hashable, Codable {
        /// In the app's own bundle.
        case main
        /// In the bundle at that place.
        case atURL(URL)
    }

    /// The text's key in its table.
    public let key: String
    /// The text when the table has no translation.
    public let defaultValue: String.LocalizationValue
    /// The table's name; nil: the bundle's default one.
    public let table: String?
    /// The bundle with the table.
    public let bundle: BundleDescription
    // Nil until set: the current locale is costly to ask for, and most texts are never translated.
    private var chosenLocale: Locale?

    /// The locale that the text is shown in.
    public var locale: Locale {
        get { chosenLocale ?? .current }
        set { chosenLocale = newValue }
    }

    /// Text that is its own key.
    public init(
        _ keyAndValue: String.LocalizationValue,
        table: String? = nil,
        locale: Locale? = nil,
        bundle: BundleDescription = .main,
        comment: StaticString? = nil
    ) {
        key = keyAndValue.key
        defaultValue = keyAndValue
        self.table = table
        self.bundle = bundle
        chosenLocale = locale
    }

    /// Text with a key of its own.
    public init(
        _ key: StaticString,
        defaultValue: String.LocalizationValue,
        table: String? = nil,
        locale: Locale? = nil,
        bundle: BundleDescription = .main,
        comment: StaticString? = nil
    ) {
        self.key = key.description
        self.defaultValue = defaultValue
        self.table = table
        self.bundle = bundle
        chosenLocale = locale
    }

    public init(stringLiteral value: String) {
        self.init(String.LocalizationValue(value))
    }

    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(String.LocalizationValue(stringInterpolation: stringInterpolation))
    }

    /// The text as it is shown.
    var text: String { defaultValue.text }
}
