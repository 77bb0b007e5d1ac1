public import Foundation

/// Joins the names of values as a language does: "Salt, pepper, and oil".
///
/// `"Copy \(rows, format: .list(type: .and))"` takes entities and enumerations with it, as the code does that Xcode writes
/// when it converts an intent definition file. Foundation's own style takes text alone.
public struct NameListFormatStyle<Base: Sequence>: FormatStyle
where Base.Element: CustomLocalizedStringResourceConvertible {
    /// Whether the last is one more or another possibility.
    public enum ListType: Int, Codable, Sendable, Hashable {
        case and
        case or
    }

    /// How much is said between two.
    public enum Width: Int, Codable, Sendable, Hashable {
        case standard
        case short
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
    /// The names of the values in a list.
    public static func list<Base>(
        type: NameListFormatStyle<Base>.ListType,
        width: NameListFormatStyle<Base>.Width = .standard
    ) -> Self where Self == NameListFormatStyle<Base> {
        NameListFormatStyle(type: type, width: width)
    }
}
