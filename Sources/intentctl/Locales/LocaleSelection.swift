import IntentClient

/// The languages that an app keeps, and the items of ICU's data that belong to them.
package struct LocaleSelection: Equatable, Sendable {
    /// Includes English, and the languages to which the data of these refers.
    package let languages: Set<String>

    /// Languages of which one has the data of another: a former code, or a fallback.
    private static let related: [Set<String>] = [
        ["ar", "ars"], ["fil", "tl"], ["he", "iw"], ["id", "in"], ["mo", "ro"], ["nb", "nn", "no"], ["sh", "sr"],
        ["wuu", "yue", "zh"],
    ]

    /// Dictionaries by which words are found in text without spaces.
    private static let dictionaries: [String: Set<String>] = [
        "brkitr/burmesedict.dict": ["my"], "brkitr/cjdict.dict": ["ja", "ko", "wuu", "yue", "zh"],
        "brkitr/khmerdict.dict": ["km"], "brkitr/laodict.dict": ["lo"], "brkitr/thaidict.dict": ["th"],
    ]

    /// Data of functions that the trimmed package does without: names of characters, lookalikes, profiles of RFC 3454.
    private static let dropped: Set<String> = ["confusables.cfu", "unames.icu"]

    /// - Parameter text: Languages, separated by commas: `en,de`.
    /// - Parameter known: The languages that exist.
    package init(_ text: String, known: Set<String>) throws(CommandFailure) {
        var languages: Set<String> = ["en"]
        for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard known.contains(word) else {
                let near = NearestName.of(word, among: Array(known)).map { "did you mean '\($0)'? " } ?? ""
                throw .usage(
                    "unknown language '\(word)'",
                    hint: near + "name languages without regions, separated by commas: en,de,pt"
                )
            }
            languages.formUnion(Self.related.first { $0.contains(word) } ?? [word])
        }
        self.languages = languages
    }

    /// Items that belong to no language are kept, except the data of conversions that few apps use: of character sets other
    /// than Unicode's, Latin-1 and those that Foundation has itself, and from one script to another.
    package func keeps(_ name: String) -> Bool {
        if let needed = Self.dictionaries[name] { return !languages.isDisjoint(with: needed) }
        if Self.dropped.contains(name) || name.hasPrefix("translit/") { return false }
        if name.hasSuffix(".cnv") || name.hasSuffix(".spp") { return false }
        return Self.language(ofItem: name).map(languages.contains) ?? true
    }

    /// The language of an item, such as `de` of `zone/de_AT.res`; nil for an item of no language.
    static func language(ofItem name: String) -> String? {
        guard name.hasSuffix(".res"), let file = name.split(separator: "/").last?.dropLast(4), file != "res_index"
        else {
            return nil
        }
        let language = file.prefix { $0 != "_" }
        let isCode = (2...3).contains(language.utf8.count) && language.utf8.allSatisfy { (0x61...0x7A).contains($0) }
        return isCode ? String(language) : nil
    }
}
