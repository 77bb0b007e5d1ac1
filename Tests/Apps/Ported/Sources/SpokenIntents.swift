import AppIntents

/// Returns texts of a string catalogue that vary by number, and one with a key that is no text.
struct CountNotices: AppIntent {
    static let title = LocalizedStringResource("notice.key", table: "Notices")
    @Parameter(title: "Count") var count: Int

    func perform() async throws -> some IntentResult & ReturnsValue<[String]> {
        .result(value: [
            String(localized: "\(count) photos", table: "Notices"),
            String(localized: "\("Ada") has \(count) photos", table: "Notices"),
            String(localized: "notice.key", table: "Notices"),
        ])
    }
}

struct Greet: AppIntent {
    static let title: LocalizedStringResource = "Greet"
    @Parameter(title: "Name") var name: String
    @Parameter(title: "Count", default: 2) var count: Int
    @Parameter(title: "Throws", default: false) var throwsInstead: Bool

    func perform() async throws -> some IntentResult & ReturnsValue<[String]> & ProvidesDialog {
        if throwsInstead { throw Tired() }
        let inner = LocalizedStringResource("soon")
        return .result(
            value: [
                String(localized: "Good morning"),
                String(localized: "\(count) books for \(name)"),
                String(localized: "greeting.end", defaultValue: "Bye, \(name)", table: "Farewell"),
                String(localized: "See you \(inner), 100%"),
                String(localized: "untranslated \(name)"),
                String(localized: "\(count) photos", table: "Notices"),
                String(localized: "notice.done", defaultValue: "Done", table: "Notices"),
                String(localized: "^[\(count) album](inflect: true)"),
                NSLocalizedString("Good morning", comment: "A greeting"),
                NSLocalizedString("Good morning", bundle: .module, comment: "A greeting"),
                String(localized: LocalizedStringResource("Good morning", locale: Locale(identifier: "fr"))),
            ],
            dialog: "Hello, \(name)"
        )
    }

    struct Tired: Error, CustomLocalizedStringResourceConvertible {
        var localizedStringResource: LocalizedStringResource { "Too tired" }
    }
}
