public import Foundation

/// A format style that joins the names of values according to the rules of the language: "Salt, pepper, and oil".
///
/// It accepts entities and enumerations in `"Copy \(rows, format: .list(type: .and))"`, which Xcode generates when it
/// converts an intent definition file. Foundation's style accepts only strings.
public struct NameListFormatStyle<Base: Sequence>: FormatStyle
where Base.Element: CustomLocalizedStringResourceConvertible {
    /// The kind of conjunction that joins the last two names.
    public enum ListType: Int, Codable, Sendable, Hashable {
        /// The conjunction "and".
        case and
        /// The conjunction "or".
        case or
    }

    /// The length of the conjunction.
    public enum Width: Int, Codable, Sendable, Hashable {
        /// The full conjunction.
        case standard
        /// An abbreviated conjunction.
        case short
        /// The shortest form of the conjunction.
        case narrow
    }

    private let type: ListType
    private let width: Width
    private var locale: Locale

    init(type: ListType, width: Width, locale: Locale = RunLocale.current) {
        self.type = type
        self.width = width
        self.locale = locale
    }

    public func format(_ value: Base) -> String {
        let names = value.map {
            var name = $0.localizedStringResource
            name.locale = locale
            return String(localized: name)
        }
        let style: ListFormatStyle<StringStyle, [String]> =
            switch (type, width) {
            case (.and, .standard): .list(type: .and, width: .standard)
            case (.and, .short): .list(type: .and, width: .short)
            case (.and, .narrow): .list(type: .and, width: .narrow)
            case (.or, .standard): .list(type: .or, width: .standard)
            case (.or, .short): .list(type: .or, width: .short)
            case (.or, .narrow): .list(type: .or, width: .narrow)
            }
        return style.locale(locale).format(names)
    }

    public func locale(_ locale: Locale) -> Self {
        var style = self
        style.locale = locale
        return style
    }
}

extension FormatStyle {
    /// Returns a style that lists the names of values.
    public static func list<Base>(
        type: NameListFormatStyle<Base>.ListType,
        width: NameListFormatStyle<Base>.Width = .standard
    ) -> Self where Self == NameListFormatStyle<Base> {
        NameListFormatStyle(type: type, width: width)
    }
}
