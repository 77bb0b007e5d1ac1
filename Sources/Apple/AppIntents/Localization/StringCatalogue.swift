import Foundation
import IntentCommandLine

/// A parser for string catalogues (`.xcstrings`), the JSON files in which Xcode keeps translations.
///
/// If a string varies by number or by device, the variant `other` is used.
enum StringCatalogue {
    private static let sizeLimit = 8 << 20

    /// Returns the strings by language and key; nil if the data is too large or has another form.
    static func read(_ data: Data) -> [String: [String: String]]? {
        guard data.count <= sizeLimit, let entries = JSONValue(parsing: Array(data))?.member("strings")?.members else {
            return nil
        }
        var languages: [String: [String: String]] = [:]
        for (key, entry) in entries {
            for (language, localization) in entry.member("localizations")?.members ?? [:] {
                languages[language, default: [:]][key] = text(of: localization)
            }
        }
        return languages
    }

    private static func text(of localization: JSONValue) -> String? {
        if case .string(let text)? = localization.member("stringUnit")?.member("value") { return text }
        let variations = localization.member("variations")
        return ["plural", "device"].lazy.compactMap { kind in
            variations?.member(kind)?.member("other").flatMap(text)
        }.first
    }
}

extension JSONValue {
    fileprivate var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    fileprivate func member(_ name: String) -> JSONValue? { members?[name] }
}
