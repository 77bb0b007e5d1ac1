public import Foundation

/// A string to show to people, with the location of its translations. The translation is looked up when the string is
/// displayed.
///
/// Source: Apple's LocalizedStringResource page (Foundation, which lacks this type on Linux).
public struct LocalizedStringResource: Sendable, Hashable, Codable, ExpressibleByStringInterpolation {
    /// The location of a translation table.
    public enum BundleDescription: Sendable, Hashable, Codable {
        /// A table next to the app's executable.
        case main
        /// A table in the bundle with the given URL.
        case atURL(URL)

        /// Returns the location of the bundle that contains a class. On Linux, this is always ``main``.
        public static func forClass(_ anyClass: AnyClass) -> BundleDescription { .main }
    }

    /// The key of the string in its table.
    public let key: String
    /// The string to use when there is no translation.
    public let defaultValue: String.LocalizationValue
    /// The name of the table; nil for `Localizable`.
    public let table: String?
    /// The bundle that contains the table.
    public let bundle: BundleDescription
    // The explicit locale; nil for the caller's locale. The caller's locale is read on demand, because reading it is
    // slow and most strings are never translated.
    private var chosenLocale: Locale?

    /// The locale that determines the language of the translation. The default is the caller's locale.
    public var locale: Locale {
        get { chosenLocale ?? RunLocale.current }
        set { chosenLocale = newValue }
    }

    /// Creates a resource with a string that is also its key.
    public init(
        _ keyAndValue: String.LocalizationValue,
        table: String? = nil,
        locale: Locale? = nil,
        bundle: BundleDescription = .main,
        comment: StaticString? = nil
    ) {
        self.init(key: keyAndValue.key, keyAndValue, table, locale, bundle)
    }

    /// Creates a resource with an explicit key.
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

    /// Creates a resource in a bundle, with a string that is also its key.
    // Disfavoured so that `bundle: .main` is not ambiguous: `Bundle` and `BundleDescription` both have a `main`.
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

    /// Creates a resource in a bundle, with an explicit key.
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

    /// The string, translated into the language of its locale.
    var text: String {
        let bundleURL: URL? =
            switch bundle {
            case .main: nil
            case .atURL(let url): url
            }
        return Localization.text(key, defaultValue, table: table, in: bundleURL, locale: chosenLocale)
    }
}
