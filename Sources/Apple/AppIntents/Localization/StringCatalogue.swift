import Foundation
import IntentCommandLine
import IntentSharedTypes

/// A parser for string catalogues (`.xcstrings`), the JSON files in which Xcode keeps translations.
///
/// If a string varies by device, the variant `other` is used.
struct StringCatalogue {
    private static let sizeLimit = 8 << 20

    /// A string, with the forms that numbers need.
    struct Entry: Sendable {
        /// The string, in the form `other`.
        var text: String
        /// The forms by ``PluralCategory``; empty for a string that does not vary by number.
        var forms: [String: String] = [:]
        /// The position of the number among the values, starting at 1; nil for the first number.
        var number: Int?

        /// Returns the form for values.
        func text(for arguments: [String.LocalizationValue.Argument], in language: String) -> String {
            guard !forms.isEmpty else { return text }
            let chosen = number.map { $0 - 1 } ?? arguments.firstIndex { $0.number != nil } ?? -1
            guard arguments.indices.contains(chosen), let count = arguments[chosen].number else { return text }
            // Xcode offers the form `zero` for every language.
            if count == 0, let zero = forms["zero"] { return zero }
            return forms[PluralCategory(of: count, in: language).rawValue] ?? text
        }
    }

    /// The language of the source code.
    let source: String?
    /// The strings by language and key.
    private(set) var languages: [String: [String: Entry]] = [:]

    /// Returns nil if the data is too large or has another form.
    init?(_ data: Data) {
        guard data.count <= Self.sizeLimit, let document = JSONValue(parsing: Array(data)),
            let strings = document.member("strings")?.members
        else { return nil }
        source = if case .string(let language)? = document.member("sourceLanguage") { language } else { nil }
        for (key, entry) in strings {
            for (language, localization) in entry.member("localizations")?.members ?? [:] {
                languages[language, default: [:]][key] = Self.entry(of: localization)
            }
        }
    }

    private static func entry(of localization: JSONValue) -> Entry? {
        let variations = localization.member("variations")
        if let device = variations?.member("device")?.member("other") { return entry(of: device) }
        if let plural = variations?.member("plural")?.members {
            let forms = plural.compactMapValues(text)
            return forms["other"].map { Entry(text: $0, forms: forms) }
        }
        guard var text = text(of: localization) else { return nil }
        // A string with several values has a part that varies by one of them: "%@ has %#@photos@".
        let parts = localization.member("substitutions")?.members ?? [:]
        guard let (name, part) = parts.min(by: { $0.key < $1.key }) else { return Entry(text: text) }
        for (other, part) in parts where other != name { text = inserting(part, "other", as: other, into: text) }
        let categories = part.member("variations")?.member("plural")?.members?.keys.map { $0 } ?? []
        let forms = Dictionary(categories.map { ($0, inserting(part, $0, as: name, into: text)) }) { first, _ in first }
        let number: Int? = if case .int(let number)? = part.member("argNum") { Int(exactly: number) } else { nil }
        return Entry(text: inserting(part, "other", as: name, into: text), forms: forms, number: number)
    }

    /// Inserts a form of a part, in which `%arg` stands for its value.
    private static func inserting(_ part: JSONValue, _ category: String, as name: String, into text: String) -> String {
        let plural = part.member("variations")?.member("plural")
        let form = (plural?.member(category) ?? plural?.member("other")).flatMap(self.text) ?? ""
        let position = if case .int(let number)? = part.member("argNum") { "\(number)$" } else { "" }
        let format = if case .string(let format)? = part.member("formatSpecifier") { format } else { "@" }
        return text.replacing(utf8: "%#@\(name)@", with: form.replacing(utf8: "%arg", with: "%\(position)\(format)"))
    }

    private static func text(of localization: JSONValue) -> String? {
        if case .string(let text)? = localization.member("stringUnit")?.member("value") { text } else { nil }
    }
}

extension String.LocalizationValue.Argument {
    /// The value as a whole number; nil for another value.
    fileprivate var number: Int64? {
        switch self {
        case .text(let text): Int64(text)
        case .localized, .placeholder: nil
        }
    }
}

extension JSONValue {
    fileprivate var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    fileprivate func member(_ name: String) -> JSONValue? { members?[name] }
}
