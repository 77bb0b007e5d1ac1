import Foundation
import Synchronization

/// Looks texts up in tables of translations, `LANGUAGE.lproj/TABLE.strings`, beside the app.
///
/// Tables are looked for in the bundle that a text names, or else beside the executable and in the `*.resources` there.
enum Localization {
    private struct TableKey: Hashable, Sendable {
        var folder: String
        var language: String
        var table: String
    }

    /// A folder with the languages that have tables there.
    private struct Place: Sendable {
        var folder: String
        var languages: Set<String>
    }

    private struct State: Sendable {
        /// Nil: there is no such table.
        var tables: [TableKey: [String: String]?] = [:]
        /// By bundle; nil is the app's own.
        var places: [String?: [Place]] = [:]
    }

    private static let state = Mutex(State())

    /// Finds and reads the app's own tables, so that the workers that are forked later have them.
    static func warmUp() {
        for place in places(in: nil) {
            for language in place.languages {
                let names =
                    (try? FileManager.default.contentsOfDirectory(atPath: "\(place.folder)/\(language).lproj")) ?? []
                for name in names where name.hasSuffix(".strings") {
                    _ = strings(TableKey(folder: place.folder, language: language, table: String(name.dropLast(8))))
                }
            }
        }
    }

    /// The text in the first of the locale's languages that has it, else as the source gives it.
    static func text(
        _ key: String,
        _ defaultValue: String.LocalizationValue,
        table: String?,
        in bundle: URL?,
        locale: Locale?
    ) -> String {
        // The ordinary case, and the only one in the catalogue: nobody chose a locale, and nothing is read.
        guard let name = locale?.identifier ?? RunLocale.chosen else { return defaultValue.text() }
        let places = places(in: bundle?.path)
        guard !places.isEmpty else { return defaultValue.text() }
        for language in languages(of: name) {
            for place in places where place.languages.contains(language) {
                let tableKey = TableKey(folder: place.folder, language: language, table: table ?? "Localizable")
                // A key holds `%%` for a percent sign, as a format does; a table has what its author wrote.
                guard let strings = strings(tableKey) else { continue }
                if let found = strings[key] ?? strings[key.replacing("%%", with: "%")] {
                    return defaultValue.text(in: found)
                }
            }
        }
        return defaultValue.text()
    }

    /// `de_AT` is looked for as `de-AT`, `de_AT`, `de`, and last in `Base`.
    static func languages(of locale: String) -> [String] {
        let parts = locale.split(whereSeparator: { $0 == "_" || $0 == "-" }).map(String.init)
        var languages: [String] = []
        for count in stride(from: parts.count, to: 0, by: -1) {
            languages.append(parts[..<count].joined(separator: "-"))
            if count > 1 { languages.append(parts[..<count].joined(separator: "_")) }
        }
        return languages + ["Base"]
    }

    private static func strings(_ key: TableKey) -> [String: String]? {
        if let known = state.withLock({ $0.tables[key] }) { return known }
        let path = "\(key.folder)/\(key.language).lproj/\(key.table).strings"
        // A table that cannot be read is none: the text of the source stands in.
        let strings = FileManager.default.contents(atPath: path).flatMap(StringsFile.read)
        state.withLock { $0.tables[key] = .some(strings) }
        return strings
    }

    /// Where tables lie: in the bundle itself, or beside the executable, and in the folders of resources there.
    private static func places(in bundle: String?) -> [Place] {
        if let known = state.withLock({ $0.places[bundle] }) { return known }
        let root = bundle ?? Bundle.main.bundlePath
        // A folder that cannot be listed has no tables for us.
        func names(_ folder: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        }
        let inside = names(root).filter { $0.hasSuffix(".resources") || $0 == "Resources" }.sorted()
        let found = ([root] + inside.map { "\(root)/\($0)" }).compactMap { folder -> Place? in
            let languages = names(folder).filter { $0.hasSuffix(".lproj") }.map { String($0.dropLast(6)) }
            return languages.isEmpty ? nil : Place(folder: folder, languages: Set(languages))
        }
        state.withLock { $0.places[bundle] = found }
        return found
    }
}

extension String.LocalizationValue {
    /// The text with its values in their places.
    ///
    /// - Parameter translation: Another wording, with `%@`, `%lld` or `%2$@` where values go; nil: the text's own.
    func text(in translation: String? = nil) -> String {
        guard !arguments.isEmpty || translation != nil || key.holdsPercent else { return key }
        var result = ""
        var next = 0
        var rest = Substring(translation ?? key)
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            let place = FormatPlace(rest[percent...])
            rest = rest[rest.index(percent, offsetBy: place.length)...]
            switch place.meaning {
            case .percent: result += "%"
            case .literal(let text): result += text
            case .argument(let number):
                let index = number.map { $0 - 1 } ?? next
                if number == nil { next += 1 }
                // A translation may name a value that there is not; it then says nothing.
                if arguments.indices.contains(index) { result += arguments[index].text }
            }
        }
        return result + rest
    }
}

extension String.LocalizationValue.Argument {
    fileprivate var text: String {
        switch self {
        case .text(let text), .placeholder(let text): text
        case .localized(let resource): resource.text
        }
    }
}

/// One place of a format of printf(3): `%@`, `%2$lld`, `%.1f`, `%%`.
private struct FormatPlace {
    enum Meaning {
        case percent
        /// The value of that number from 1, or the next.
        case argument(Int?)
        /// No place: a percent sign that stands alone.
        case literal(String)
    }

    let meaning: Meaning
    /// In characters.
    let length: Int

    init(_ text: Substring) {
        if text.dropFirst().first == "%" {
            self.init(meaning: .percent, length: 2)
            return
        }
        let pattern =
            /%(?:([1-9][0-9]?)\$)?[-+ 0#]*[0-9]*(?:\.[0-9]+)?(?:hh|h|ll|l|q|z|t|j|L)?[@dDiuUxXoOfFeEgGaAcCsSp]/
        guard let match = text.prefixMatch(of: pattern) else {
            self.init(meaning: .literal("%"), length: 1)
            return
        }
        self.init(meaning: .argument(match.1.flatMap { Int($0) }), length: match.0.count)
    }

    private init(meaning: Meaning, length: Int) {
        self.meaning = meaning
        self.length = length
    }
}
