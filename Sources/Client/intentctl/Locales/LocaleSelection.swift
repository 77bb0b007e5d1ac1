/// Selects the items of ICU's data that an app for certain languages needs.
package struct LocaleSelection: Equatable, Sendable {
    /// The selected languages, English, and all languages to which their data refers.
    package let languages: Set<String>

    /// Groups of related languages. One language in a group uses the data of another, as a former code or as a
    /// fallback.
    private static let related: [Set<String>] = [
        ["ar", "ars"], ["fil", "tl"], ["he", "iw"], ["id", "in"], ["mo", "ro"], ["nb", "nn", "no"], ["sh", "sr"],
        ["wuu", "yue", "zh"],
    ]

    /// The dictionaries with which ICU finds words in text without spaces, and the languages that need them.
    private static let dictionaries: [String: Set<String>] = [
        "brkitr/burmesedict.dict": ["my"], "brkitr/cjdict.dict": ["ja", "ko", "wuu", "yue", "zh"],
        "brkitr/khmerdict.dict": ["km"], "brkitr/laodict.dict": ["lo"], "brkitr/thaidict.dict": ["th"],
    ]

    /// Data that every trimmed package omits: the names of characters, and the characters that look alike.
    private static let dropped: Set<String> = ["confusables.cfu", "unames.icu"]

    /// - Parameter text: The languages, separated by commas, such as `en,de`.
    /// - Parameter known: The languages that exist in the data.
    package init(_ text: String, known: Set<String>) throws(CommandFailure) {
        var languages: Set<String> = ["en"]
        for word in text.split(scalar: ",", omittingEmptySubsequences: false).map(String.init) {
            guard known.contains(word) else {
                let near = NearestName.opening(for: word, among: Array(known))
                throw .usage(
                    "unknown language '\(word)'",
                    hint: near + "specify languages without regions, separated by commas: en,de,pt"
                )
            }
            languages.formUnion(Self.related.first { $0.contains(word) } ?? [word])
        }
        self.languages = languages
    }

    /// Returns true if the package must keep the item.
    ///
    /// Keeps items without a language, except data that few apps use: ``dropped``, the profiles of RFC 3454,
    /// conversions from one script to another, and character sets other than Unicode's, Latin-1 and those that
    /// Foundation supports.
    package func keeps(_ name: String) -> Bool {
        if let needed = Self.dictionaries[name] { return !languages.isDisjoint(with: needed) }
        if Self.dropped.contains(name) || name.hasPrefix(utf8: "translit/") { return false }
        if name.hasSuffix(utf8: ".cnv") || name.hasSuffix(utf8: ".spp") { return false }
        return Self.language(ofItem: name).map(languages.contains) ?? true
    }

    /// Returns the language of an item, such as `de` for `zone/de_AT.res`, or nil for an item without a language.
    static func language(ofItem name: String) -> String? {
        guard name.hasSuffix(utf8: ".res"), let file = name.split(scalar: "/").last?.dropLast(scalars: 4),
            file != "res_index"
        else { return nil }
        let language = Substring(file.unicodeScalars.prefix { $0 != "_" })
        let isCode = (2...3).contains(language.utf8.count) && language.utf8.allSatisfy { (0x61...0x7A).contains($0) }
        return isCode ? String(language) : nil
    }
}
