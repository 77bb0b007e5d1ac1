public import Foundation

/// Text for people that names where its translations are, and is looked up when it is shown.
///
/// Source: Apple's LocalizedStringResource page (Foundation; absent from Foundation on Linux).
public struct LocalizedStringResource: Sendable, Hashable, Codable, ExpressibleByStringInterpolation {
    /// Where a table of translations lies.
    public enum BundleDescription: Sendable, Hashable, Codable {
        /// Beside the app.
        case main
        /// In the bundle at that place.
        case atURL(URL)

        /// With the class, which on Linux is beside the app.
        public static func forClass(_ anyClass: AnyClass) -> BundleDescription { .main }
    }

    /// The text's key in its table.
    public let key: String
    /// The text when the table has no translation.
    public let defaultValue: String.LocalizationValue
    /// The table's name; nil: `Localizable`.
    public let table: String?
    /// The bundle with the table.
    public let bundle: BundleDescription
    // Nil until set: the current locale is costly to ask for, and most texts are never translated.
    private var chosenLocale: Locale?

    /// The locale that the text is shown in; by default that of the one who asked for the run.
    public var locale: Locale {
        get { chosenLocale ?? RunLocale.current }
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
        self.init(key: keyAndValue.key, keyAndValue, table, locale, bundle)
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
        self.init(key: key.description, defaultValue, table, locale, bundle)
    }

    /// Text that is its own key, in a bundle.
    // Disfavoured: `.main` is a description of a bundle.
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

    /// Text with a key of its own, in a bundle.
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

    /// The text as it is shown.
    var text: String {
        let place: URL? =
            switch bundle {
            case .main: nil
            case .atURL(let url): url
            }
        return Localization.text(key, defaultValue, table: table, in: place, locale: chosenLocale)
    }
}
