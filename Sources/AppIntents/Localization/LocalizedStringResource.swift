public import Foundation

/// A text to show to people, with the location of its translations. The translation is looked up when the text is
/// shown.
///
/// Source: Apple's LocalizedStringResource page (Foundation; absent from Foundation on Linux).
public struct LocalizedStringResource: Sendable, Hashable, Codable, ExpressibleByStringInterpolation {
    /// The location of a table of translations.
    public enum BundleDescription: Sendable, Hashable, Codable {
        /// A table beside the app.
        case main
        /// A table in the bundle at a URL.
        case atURL(URL)

        /// Returns the location of a class's bundle. On Linux it is always beside the app.
        public static func forClass(_ anyClass: AnyClass) -> BundleDescription { .main }
    }

    /// The text's key in its table.
    public let key: String
    /// The text to show if there is no translation.
    public let defaultValue: String.LocalizationValue
    /// The table's name; nil means `Localizable`.
    public let table: String?
    /// The bundle that contains the table.
    public let bundle: BundleDescription
    // Nil until set: reading the current locale is slow, and most texts are never translated.
    private var chosenLocale: Locale?

    /// The locale in which to show the text. By default, the caller's locale.
    public var locale: Locale {
        get { chosenLocale ?? RunLocale.current }
        set { chosenLocale = newValue }
    }

    /// Creates a text that is its own key.
    public init(
        _ keyAndValue: String.LocalizationValue,
        table: String? = nil,
        locale: Locale? = nil,
        bundle: BundleDescription = .main,
        comment: StaticString? = nil
    ) {
        self.init(key: keyAndValue.key, keyAndValue, table, locale, bundle)
    }

    /// Creates a text with an explicit key.
    public init(
        _ key: StaticString,
        defaultValue: String.LocalizationValue,
        table: String? = nil,
        locale: Locale? = nil,
        bundle: BundleDescription = .main,
        comment: StaticString? = nil
    ) {
        self.init(key: key.description, defaultValue, table, locale, bundle)
    }

    /// Creates a text that is its own key, in a bundle.
    // Disfavoured, because `.main` is also a bundle description.
    @_disfavoredOverload
    public init(
        _ keyAndValue: String.LocalizationValue,
        table: String? = nil,
        locale: Locale? = nil,
        bundle: Bundle,
        comment: StaticString? = nil
    ) {
        self.init(key: keyAndValue.key, keyAndValue, table, locale, .atURL(bundle.bundleURL))
    }

    /// Creates a text with an explicit key, in a bundle.
    @_disfavoredOverload
    public init(
        _ key: StaticString,
        defaultValue: String.LocalizationValue,
        table: String? = nil,
        locale: Locale? = nil,
        bundle: Bundle,
        comment: StaticString? = nil
    ) {
        self.init(key: key.description, defaultValue, table, locale, .atURL(bundle.bundleURL))
    }

    public init(stringLiteral value: String) {
        self.init(String.LocalizationValue(value))
    }

    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(String.LocalizationValue(stringInterpolation: stringInterpolation))
    }

    init(
        key: String,
        _ defaultValue: String.LocalizationValue,
        _ table: String?,
        _ locale: Locale?,
        _ bundle: BundleDescription
    ) {
        self.key = key
        self.defaultValue = defaultValue
        self.table = table
        self.bundle = bundle
        chosenLocale = locale
    }

    /// The text in its locale.
    var text: String {
        let bundleURL: URL? =
            switch bundle {
            case .main: nil
            case .atURL(let url): url
            }
        return Localization.text(key, defaultValue, table: table, in: bundleURL, locale: chosenLocale)
    }
}
