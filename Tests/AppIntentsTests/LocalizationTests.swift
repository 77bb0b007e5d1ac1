import IntentWire
import Testing

/// Texts in the language of the one who asked, from tables beside the app.
@Suite struct LocalizationTests {
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
    func `without a language that the app has, the source's texts stand`(_ locale: String?) throws {
        #expect(Array(texts(try greeted(locale)).prefix(5)) == Self.plain)
    }

    @Test(arguments: ["de", "de_AT.UTF-8", "de-CH", "de_DE@euro"])
    func `a table of the language gives the texts, with values in its own order`(_ locale: String) throws {
        #expect(
            Array(texts(try greeted(locale)).prefix(5)) == [
                "Guten Morgen", "Für Ada: 2 Bücher", "Tschüss, Ada", "Bis bald, zu 100%", "untranslated Ada",
            ]
        )
    }

    @Test func `dialogs and errors are in the language too`() throws {
        guard case .returned(_, let dialog) = try greeted("de").result.ending else { return }
        #expect(dialog == "Hallo, Ada\n\"Gruß\"")
        #expect(try greeted("de", ["throwsInstead": .bool(true)]).message == "Zu müde")
        #expect(try greeted("fr", ["throwsInstead": .bool(true)]).message == "Too tired")
    }

    @Test func `a text with a locale of its own keeps it, and a table may be in UTF-16`() throws {
        #expect(texts(try greeted("de")).last == "Bonjour")
        #expect(texts(try greeted(nil)).last == "Bonjour")
    }
}
