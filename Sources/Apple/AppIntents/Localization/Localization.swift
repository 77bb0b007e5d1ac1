import Foundation
import IntentSharedTypes
import Synchronization

/// The lookup of strings in translation tables, `LANGUAGE.lproj/TABLE.strings`, and string catalogues,
/// `TABLE.xcstrings`. A string in a table precedes a string in a catalogue.
///
/// The string's bundle contains its tables. For a string without a bundle, the executable's folder and the
/// `*.resources` folders in it are searched for tables.
enum Localization {
    private struct TableKey: Hashable, Sendable {
        var folder: String
        var language: String
        var table: String
    }

    /// A folder that contains translation tables.
    private struct StringsFolder: Sendable {
        var path: String
        var languages: Set<String>
        /// The language of the source code, which has the strings of keys that are no texts; nil if it has no table.
        var source: String?
    }

    private struct State: Sendable {
        /// The tables that have been read; nil for a table that does not exist.
        var tables: [TableKey: [String: StringCatalogue.Entry]?] = [:]
        /// The strings of the catalogues.
        var catalogues: [TableKey: [String: StringCatalogue.Entry]] = [:]
        /// The folders that contain tables, by bundle path. The key nil represents the app.
        var stringsFolders: [String?: [StringsFolder]] = [:]
    }

    private static let state = Mutex(State())

    /// Reads the app's own tables. Workers that are forked later share the tables' memory.
    static func warmUp() {
        for stringsFolder in stringsFolders(in: nil) {
            for language in stringsFolder.languages {
                let names = names(in: "\(stringsFolder.path)/\(language).lproj")
                for name in names where name.hasSuffix(utf8: ".strings") {
                    let table = String(name.dropLast(scalars: 8))
                    _ = strings(TableKey(folder: stringsFolder.path, language: language, table: table))
                }
            }
        }
    }

    /// The languages of the app's own tables and catalogues, sorted.
    static var languagesOfProgram: [String] {
        let own = OwnFolders.ofProgram
        let folders = stringsFolders(in: nil).filter { own.contains($0.path) }
        return Set(folders.flatMap(\.languages)).subtracting(["Base"]).sorted()
    }

    /// Returns the translation into the first of the locale's languages that has a translation, or else into the language of
    /// the source code, or else the string from the source code.
    static func text(
        _ key: String,
        _ defaultValue: String.LocalizationValue,
        table: String?,
        in bundle: URL?,
        locale: Locale?,
        _ edit: (String) -> String = { $0 }
    ) -> String {
        let locale = locale?.identifier ?? RunLocale.chosen
        let found = translation(of: key, table, bundle, into: locale, defaultValue.arguments)
        return defaultValue.text(in: found, editing: edit)
    }

    /// Returns the format string into which a key is translated; nil if no table has the key.
    ///
    /// - Parameters:
    ///   - locale: The locale; nil for the language of the source code.
    ///   - arguments: The values, of which a number can determine the form of the string.
    static func translation(
        of key: String,
        _ table: String?,
        _ bundle: URL?,
        into locale: String?,
        _ arguments: [String.LocalizationValue.Argument] = []
    ) -> String? {
        let stringsFolders = stringsFolders(in: bundle?.path)
        guard !stringsFolders.isEmpty else { return nil }
        func found(_ folder: StringsFolder, _ language: String) -> String? {
            let tableKey = TableKey(folder: folder.path, language: language, table: table ?? "Localizable")
            // The key is a format string, in which `%%` stands for a percent sign. Also look up the key with `%`,
            // because a strings table may contain that spelling.
            guard let strings = strings(tableKey) else { return nil }
            let entry = strings[key] ?? strings[key.replacing(utf8: "%%", with: "%")]
            return entry?.text(for: arguments, in: language)
        }
        for language in locale.map(languages) ?? [] {
            for folder in stringsFolders where folder.languages.contains(language) {
                if let found = found(folder, language) { return found }
            }
        }
        return stringsFolders.lazy.compactMap { folder in folder.source.flatMap { found(folder, $0) } }.first
    }

    /// Returns the folder names for a locale, in order of preference: for `de_AT`, these are `de-AT`, `de_AT`, `de` and
    /// `Base`.
    static func languages(of locale: String) -> [String] {
        let parts = locale.split(whereScalar: { $0 == "_" || $0 == "-" }).map(String.init)
        var languages: [String] = []
        for count in stride(from: parts.count, to: 0, by: -1) {
            languages.append(parts[..<count].joined(separator: "-"))
            if count > 1 { languages.append(parts[..<count].joined(separator: "_")) }
        }
        return languages + ["Base"]
    }

    private static func strings(_ key: TableKey) -> [String: StringCatalogue.Entry]? {
        if let known = state.withLock({ $0.tables[key] }) { return known }
        let path = "\(key.folder)/\(key.language).lproj/\(key.table).strings"
        // If a table cannot be read, the string from the source code is used.
        let table = FileManager.default.contents(atPath: path).flatMap(StringsFile.read)?
            .mapValues { StringCatalogue.Entry(text: $0) }
        let catalogue = state.withLock { $0.catalogues[key] }
        let strings = table.map { catalogue?.merging($0) { $1 } ?? $0 } ?? catalogue
        state.withLock { $0.tables[key] = .some(strings) }
        return strings
    }

    /// Returns the folders that contain tables: the bundle or the executable's folder, and the resource folders that it
    /// contains.
    private static func stringsFolders(in bundle: String?) -> [StringsFolder] {
        if let known = state.withLock({ $0.stringsFolders[bundle] }) { return known }
        let root = bundle ?? Bundle.main.bundlePath
        let inside = names(in: root).filter { $0.hasSuffix(utf8: ".resources") || $0 == "Resources" }.sorted()
        let found = ([root] + inside.map { "\(root)/\($0)" }).compactMap { folder -> StringsFolder? in
            let names = names(in: folder)
            var languages = Set(names.filter { $0.hasSuffix(utf8: ".lproj") }.map { String($0.dropLast(scalars: 6)) })
            // The development language of a package without a catalogue is not known to the app.
            var source = languages.contains("en") ? "en" : nil
            for name in names where name.hasSuffix(utf8: ".xcstrings") {
                let catalogue = FileManager.default.contents(atPath: "\(folder)/\(name)").flatMap(StringCatalogue.init)
                source = catalogue?.source ?? source
                for (language, strings) in catalogue?.languages ?? [:] {
                    languages.insert(language)
                    let key = TableKey(folder: folder, language: language, table: String(name.dropLast(scalars: 10)))
                    state.withLock { $0.catalogues[key] = strings }
                }
            }
            return languages.isEmpty ? nil : StringsFolder(path: folder, languages: languages, source: source)
        }
        state.withLock { $0.stringsFolders[bundle] = found }
        return found
    }

    /// Returns the names of a folder's files. A folder that cannot be listed is treated as empty.
    static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}

extension String.LocalizationValue {
    /// Returns the string with its values inserted.
    ///
    /// - Parameter translation: The format to use, with `%@`, `%lld` or `%2$@` for values; nil for the format in the
    ///   source code.
    /// - Parameter edit: A closure that changes the format before the values are inserted.
    func text(in translation: String? = nil, editing edit: (String) -> String = { $0 }) -> String {
        let format = edit(InflectionMarkup.removed(from: translation ?? key))
        guard !arguments.isEmpty || translation != nil || key.containsPercent else { return format }
        var result = ""
        var next = 0
        var rest = Substring(format).utf8
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
            result += String(Substring(rest[..<percent]))
            let conversion = FormatConversion(rest[percent...])
            rest = rest[percent...].dropFirst(conversion.length)
            switch conversion.meaning {
            case .percent: result += "%"
            case .literal(let text): result += text
            case .argument(let number):
                let index = number.map { $0 - 1 } ?? next
                if number == nil { next += 1 }
                // A reference to an argument that does not exist is replaced with an empty string.
                if arguments.indices.contains(index) { result += arguments[index].text }
            }
        }
        return result + String(Substring(rest))
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

/// The markup of a phrase that Apple's systems inflect: `^[%lld photos](inflect: true)`. Linux has no rules for the
/// inflection of words, so the phrase is shown as it is written.
private enum InflectionMarkup {
    static func removed(from format: String) -> String {
        guard format.contains(utf8: "^[") else { return format }
        var (result, rest) = ("", Substring(format))
        while let (before, opened) = rest.cut(utf8: "^["), let (phrase, attributes) = opened.cut(utf8: "]("),
            let (_, after) = attributes.cut(utf8: ")")
        {
            result += "\(before)\(phrase)"
            rest = after
        }
        return "\(result)\(rest)"
    }
}

/// A conversion specification in a printf(3) format: `%@`, `%2$lld`, `%.1f`, `%%`.
private struct FormatConversion {
    enum Meaning {
        case percent
        /// The argument at the given position, starting at 1; nil for the next argument.
        case argument(Int?)
        /// A percent sign that does not begin a conversion specification.
        case literal(String)
    }

    let meaning: Meaning
    /// The number of bytes in the specification.
    let length: Int

    /// Parses the specification at the start of the bytes, which is a percent sign.
    init(_ text: Substring.UTF8View) {
        var rest = text.dropFirst()
        if rest.first == UInt8(ascii: "%") {
            (meaning, length) = (.percent, 2)
            return
        }
        var number: Int?
        let digits = rest.prefix(while: Self.isDigit)
        let afterDigits = rest.dropFirst(digits.count)
        if digits.count <= 2, digits.first != UInt8(ascii: "0"), afterDigits.first == UInt8(ascii: "$") {
            number = Int(Substring(digits))
            if number != nil { rest = afterDigits.dropFirst() }
        }
        rest = rest.drop { "-+ 0#".utf8.contains($0) }.drop(while: Self.isDigit)
        if rest.first == UInt8(ascii: "."), rest.dropFirst().first.map(Self.isDigit) == true {
            rest = rest.dropFirst().drop(while: Self.isDigit)
        }
        let modifier = ["hh", "h", "ll", "l", "q", "z", "t", "j", "L"].first { rest.starts(with: $0.utf8) }
        rest = rest.dropFirst(modifier?.utf8.count ?? 0)
        if let type = rest.first, "@dDiuUxXoOfFeEgGaAcCsSp".utf8.contains(type) {
            (meaning, length) = (.argument(number), text.count - rest.count + 1)
        } else {
            (meaning, length) = (.literal("%"), 1)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
