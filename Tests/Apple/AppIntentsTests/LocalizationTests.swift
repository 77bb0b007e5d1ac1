import IntentLauncherMessages
import TestSupport
import Testing

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
