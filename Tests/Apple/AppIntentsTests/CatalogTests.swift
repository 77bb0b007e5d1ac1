import AppIntents
import IntentLauncherMessages
import Testing

private struct LetDescription: AppIntent {
    static let title: LocalizedStringResource = "t"
    static let description = IntentDescription("let", categoryName: "c", searchKeywords: ["k"], resultValueName: "r")
    func perform() async throws -> some IntentResult { .result() }
}

private struct OptionalDescription: AppIntent {
    static let title: LocalizedStringResource = "t"
    static var description: IntentDescription? { "optional" }
    func perform() async throws -> some IntentResult { .result() }
}

private struct GetterDescription: AppIntent {
    static let title: LocalizedStringResource = "t"
    static var description: IntentDescription { IntentDescription("getter") }
    func perform() async throws -> some IntentResult { .result() }
}

private struct LiteralDescription: AppIntent {
    static let title: LocalizedStringResource = "t"
    static let description: IntentDescription = "literal"
    func perform() async throws -> some IntentResult { .result() }
}

private struct StoredOptionalDescription: AppIntent {
    static let title: LocalizedStringResource = "t"
    static let description: IntentDescription? = IntentDescription("stored optional")
    func perform() async throws -> some IntentResult { .result() }
}

private struct NoDescription: AppIntent {
    static let title: LocalizedStringResource = "\(3) things at \(50)%"
    func perform() async throws -> some IntentResult & ReturnsValue<Int?> & ProvidesDialog {
        .result(value: Int?.none, dialog: IntentDialog(full: "full", supporting: "supporting"))
    }
}

private struct First: AppIntent {
    static let title: LocalizedStringResource = "t"
    static let persistentIdentifier = "Twin"
    func perform() async throws -> some IntentResult { .result(dialog: "said") }
}

private struct Second: AppIntent {
    static let title: LocalizedStringResource = "t"
    static let persistentIdentifier = "Twin"
    func perform() async throws -> some IntentResult & ReturnsValue<Double> { .result(value: 1.5) }
}

private struct Sealed: AppIntent {
    static let title: LocalizedStringResource = "Sealed"
    static let secretParameters: Set = ["password"]

    @Parameter(title: "User", default: "guest") var user: String
    @Parameter(title: "Password", default: "hush") var password: String

    func perform() async throws -> some IntentResult { .result() }
}

/// An intent without a title. On Apple's systems, a schema would provide the title.
private struct PaintFence: AppIntent {
    func perform() async throws -> some IntentResult { .result() }
}

/// An intent that declares the title that is made from its type's name.
private struct MendFence: AppIntent {
    static let title: LocalizedStringResource = "Mend fence"
    func perform() async throws -> some IntentResult { .result() }
}

private enum Fence: String, AppEnum {
    case picket, hedge
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Fence"
    static let caseDisplayRepresentations: [Fence: DisplayRepresentation] = [.picket: "Picket fence"]
}

private enum Gate: String, AppEnum {
    case swing
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Gate"
    static let caseDisplayRepresentations: [Gate: DisplayRepresentation] = [.swing: "Swing gate"]
}

private struct Mistyped: AppIntent {
    static let title: LocalizedStringResource = "Mistyped"
    static let secretParameters: Set = ["passwrd"]

    @Parameter(title: "Password") var password: String

    func perform() async throws -> some IntentResult { .result() }
}

@Suite struct CatalogTests {
    private static let described: [(any AppIntent.Type, String?)] = [
        (LetDescription.self, "let"),
        (OptionalDescription.self, "optional"),
        (GetterDescription.self, "getter"),
        (LiteralDescription.self, "literal"),
        (StoredOptionalDescription.self, "stored optional"),
        (NoDescription.self, nil),
    ]

    @Test(arguments: described)
    func `every form of a description is accepted`(type: any AppIntent.Type, text: String?) throws {
        #expect(try IntentRegistry([type]).catalog().intents.map(\.summary) == [text])
    }

    @Test func `a title shows embedded values, and an optional result has its wrapped type`() throws {
        let intent = try #require(try IntentRegistry([NoDescription.self]).catalog().intents.first)
        #expect(intent.title == "3 things at 50%")
        #expect(intent.result == .int)
    }

    @Test func `two intents with the same name are an error that names both`() throws {
        let error = #expect(throws: CatalogError.self) { try IntentRegistry([First.self, Second.self]) }
        let text = try #require(error?.description)
        #expect(text.contains("First") && text.contains("Second") && text.contains("'Twin'"))
    }

    @Test func `a secret parameter is marked, and its default is omitted`() throws {
        let intent = try #require(try IntentRegistry([Sealed.self]).catalog().intents.first)
        #expect(intent.parameters.map(\.isSecret) == [nil, true])
        #expect(intent.parameters.map(\.defaultValue) == [.string("guest"), .null])
    }

    @Test func `a secret name without a parameter is an error, because it would protect nothing`() {
        let error = #expect(throws: CatalogError.self) { try IntentRegistry([Mistyped.self]).catalog() }
        #expect(error?.description.contains("'passwrd'") == true)
    }

    @Test(arguments: [("numberOfDays", "Number of days"), ("text", "Text"), ("fileURL", "File URL")])
    func `a property's name becomes a title`(name: String, title: String) {
        #expect(name.asTitle == title)
    }

    @Test func `an intent without a title has its type's name, and the catalogue warns about it`() throws {
        let catalog = try IntentRegistry([PaintFence.self, MendFence.self]).catalog()
        #expect(catalog.intents.map(\.title) == ["Mend fence", "Paint fence"])
        let warning = try #require(catalog.warnings?.first { $0.contains("no title") })
        #expect(warning.hasPrefix("the intent 'PaintFence' has no title"))
        #expect(warning.contains("static let title"))
        #expect(catalog.warnings?.contains { $0.contains("MendFence") } != true)
    }
    @Test func `the catalogue warns about an enumeration with cases that have no display representation`() throws {
        let catalog = try IntentRegistry([PaintFence.self]).catalog()
        let warnings = catalog.warnings?.filter { $0.contains("caseDisplayRepresentations") } ?? []
        #expect(warnings.contains { $0.contains("'Fence'") && $0.contains("for 'hedge', so") })
        #expect(!warnings.contains { $0.contains("'Gate'") })
    }
}
