import IntentLauncherMessages
import TestSupport
import Testing

@testable import AppIntents

/// Tests messages in the caller's language, from tables beside the app.
@Suite(.ownThread) struct LocalizationTests {
    private func greeted(_ locale: String?, _ values: [String: IntentValue] = [:]) throws -> RunRecord {
        try AppProcess.run(
            "Greet",
            of: "Ported",
            ["name": .string("Ada")].merging(values) { $1 },
            locale: locale
        )
    }

    private func texts(_ record: RunRecord) -> [String] {
        guard case .array(let values)? = record.value else { return [] }
        return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    private static let plain = [
        "Good morning", "2 books for Ada", "Bye, Ada", "See you soon, 100%", "untranslated Ada",
    ]

    @Test(arguments: [nil, "C", "C.UTF-8", "eo", "../../etc", "en_GB.UTF-8"] as [String?])
    func `the texts of the source are used if the app has no table for the language`(_ locale: String?) throws {
        #expect(Array(texts(try greeted(locale)).prefix(5)) == Self.plain)
    }

    @Test(arguments: ["de", "de_AT.UTF-8", "de-CH", "de_DE@euro"])
    func `texts come from the language's table, with the values in its order`(_ locale: String) throws {
        #expect(
            Array(texts(try greeted(locale)).prefix(5)) == [
                "Guten Morgen", "Für Ada: 2 Bücher", "Tschüss, Ada", "Bis bald, zu 100%", "untranslated Ada",
            ]
        )
    }

    @Test(
        arguments: [
            (nil, ["2 photos", "Done", "2 album", "Good morning", "Good morning"]),
            ("de", ["2 Fotos", "Fertig", "2 album", "Guten Morgen", "Guten Morgen"]),
        ] as [(String?, [String])]
    )
    func `texts come from string catalogues, and NSLocalizedString uses the caller's language`(
        _ locale: String?,
        _ expected: [String]
    ) throws {
        #expect(Array(texts(try greeted(locale)).dropFirst(5).prefix(5)) == expected)
    }

    @Test(
        arguments: [
            (nil, 0, ["no photos", "Ada has 0 photos"]), (nil, 1, ["1 photo", "Ada has 1 photos"]),
            ("de", 1, ["1 Foto", "Ada hat ein Foto"]), ("de", 2, ["2 Fotos", "Ada hat 2 Fotos"]),
            ("pl", 3, ["3 zdjęcia", "Ada has 3 photos"]), ("pl", 5, ["5 zdjęć", "Ada has 5 photos"]),
            ("ja", 1, ["1 photo", "Ada has 1 photos"]),
        ] as [(String?, Int64, [String])]
    )
    func `a number chooses the form of a catalogue's string, and a key that is no text has that of the source language`(
        _ locale: String?,
        _ count: Int64,
        _ expected: [String]
    ) throws {
        let record = try AppProcess.run("CountNotices", of: "Ported", ["count": .int(count)], locale: locale)
        #expect(texts(record) == expected + ["A notice"])
    }

    @Test func `each language has its rule for whole numbers`() {
        func forms(_ language: String, _ numbers: [Int64]) -> [String] {
            numbers.map { PluralCategory(of: $0, in: language).rawValue }
        }
        #expect(forms("en-GB", [0, 1, 2]) == ["other", "one", "other"])
        #expect(forms("fr", [0, 1, 2]) == ["one", "one", "other"])
        #expect(forms("ja", [1]) == ["other"])
        #expect(forms("ru", [1, 11, 21, 2, 12, 5]) == ["one", "many", "one", "few", "many", "many"])
        #expect(forms("hr", [1, 3, 5]) == ["one", "few", "other"])
        #expect(forms("pl", [1, 21, 22, 12]) == ["one", "many", "few", "many"])
        #expect(forms("cs", [1, 4, 5]) == ["one", "few", "other"])
        #expect(forms("sl", [101, 2, 3, 5]) == ["one", "two", "few", "other"])
        #expect(forms("lt", [1, 11, 2, 10]) == ["one", "other", "few", "other"])
        #expect(forms("lv", [0, 1, 11, 2]) == ["zero", "one", "zero", "other"])
        #expect(forms("ro", [1, 0, 19, 20]) == ["one", "few", "few", "other"])
        #expect(forms("ar", [0, 1, 2, 3, 11, 100]) == ["zero", "one", "two", "few", "many", "other"])
    }

    @Test func `dialogs and errors are translated too`() throws {
        guard case .returned(_, let dialog) = try greeted("de").result.ending else { return }
        #expect(dialog == "Hallo, Ada\n\"Gruß\"")
        #expect(try greeted("de", ["throwsInstead": .bool(true)]).message == "Zu müde")
        #expect(try greeted("fr", ["throwsInstead": .bool(true)]).message == "Too tired")
    }

    @Test func `a message keeps its own locale, and a table may be in UTF-16`() throws {
        #expect(texts(try greeted("de")).last == "Bonjour")
        #expect(texts(try greeted(nil)).last == "Bonjour")
    }
}
