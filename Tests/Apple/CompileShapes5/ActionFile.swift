import AppIntents
import Foundation

struct AskForText: AppIntent {
    static let title: LocalizedStringResource = "Ask for Text"
    static let description = IntentDescription(
        """
        Ask the user for text.
        Many lines.
        """,
        categoryName: "Text",
        searchKeywords: ["ask", "input"],
        resultValueName: "Text"
    )
    @Parameter(
        title: "Prompt",
        inputOptions: String.IntentInputOptions(
            capitalizationType: .none,
            autocorrect: false,
            smartQuotes: false,
            smartDashes: false
        )
    ) var prompt: String
    @Parameter(title: "Text", default: "", inputOptions: .init(multiline: true)) var text: String
    @Parameter(title: "Type", default: .text) var type: TypeAppEnum
    @Parameter(title: "Timeout", default: 3, controlStyle: .stepper, inclusiveRange: (0, 999_999)) var timeout: Double?
    @Parameter(title: "Count", description: "x", default: 1, inclusiveRange: (1, 10), requestValueDialog: "?")
    var count: Int
    @Parameter(
        title: "Files",
        description: "f",
        supportedTypeIdentifiers: ["public.image", "public.data"],
        inputConnectionBehavior: .connectToPreviousIntentResult
    ) var files: [IntentFile]
    @Parameter(title: "Date", kind: .dateTime) var date: Date
    @Parameter(title: "Duration", defaultUnit: .minutes, supportsNegativeNumbers: false) var duration:
        Measurement<UnitDuration>?
    @Parameter(
        title: "Duration",
        description: "A",
        defaultValue: 10,
        defaultUnit: .seconds,
        supportsNegativeNumbers: false
    ) var duration2: Measurement<UnitDuration>
    @Parameter(title: "Length", unit: .meters) var length: Measurement<UnitLength>
    @Parameter(title: "Price") var price: IntentCurrencyAmount
    @Parameter(title: "Price", currencyCodes: ["EUR"]) var price2: IntentCurrencyAmount?
    @Parameter(title: "Use", default: true, displayName: Bool.IntentDisplayName(true: "yes", false: "no")) var use: Bool
    @Parameter(title: "Person") var person: IntentPerson?
    @Parameter(title: "URLs") var urls: [URL]
    @Parameter(title: "DC") var dc: DateComponents
    @Parameter(title: "Name") var name: PersonNameComponents?
    @Parameter(title: "X") var attributed: AttributedString?

    static var parameterSummary: some ParameterSummary {
        When(\.$use, .equalTo, true) {
            Switch(\.$type) {
                Case(.text) {
                    Summary("Ask for \(\.$type) with \(\.$prompt)") {
                        \.$text
                        \.$timeout
                    }
                }
                Case([.url, .number]) { Summary("Ask \(\.$type)") }
                DefaultCase {
                    Summary("Ask") { \.$count }
                }
            }
        } otherwise: {
            When(\.$timeout, .hasAnyValue) {
                Summary("a \(\.$timeout)")
            } otherwise: {
                Summary()
            }
        }
    }

    func perform() async throws -> some IntentResult & ReturnsValue<String?> {
        guard !prompt.isEmpty else { throw AppError.message("x").self }
        let d = files.first?.data ?? Data()
        let f = d.count > 1 ? files.first?.fileURL?.path : files.first?.filename
        return .result(value: f)
    }
}

enum AppError: Error, CustomLocalizedStringResourceConvertible {
    case message(String)
    var localizedStringResource: LocalizedStringResource {
        switch self {
        case .message(let m): return "Error: \(m)"
        }
    }
}

enum TypeAppEnum: String, AppEnum {
    case text
    case number
    case url
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Type"
    static let caseDisplayRepresentations: [Self: DisplayRepresentation] = [
        .text: "Text",
        .number: "Number",
        .url: "URL",
    ]
}

struct SampleFile: AppIntent {
    static var title = LocalizedStringResource("File", defaultValue: "File", table: "X", comment: "c")
    @Parameter(title: "In", supportedContentTypes: [.image, .pdf]) var file: IntentFile
    func perform() async throws -> some ReturnsValue<[IntentFile]> {
        let a = IntentFile(data: Data(), filename: "a.txt", type: .plainText)
        var b = IntentFile(
            fileURL: URL(fileURLWithPath: "/tmp/x"),
            filename: "x",
            type: .init(filenameExtension: "png")
        )
        b.removedOnCompletion = true
        return .result(value: [a, b, file])
    }
}

struct Weather: TransientAppEntity {
    static var typeDisplayRepresentation: TypeDisplayRepresentation = .init(name: "Weather")
    @Property(title: "Temperature") var temperature: Measurement<UnitTemperature>
    @Property(title: "Wind") var wind: Double?
    @Property var condition: String
    var displayRepresentation: DisplayRepresentation { .init(title: "\(condition)") }
    init() { condition = "" }
    init(t: Double) {
        temperature = Measurement(value: t, unit: .celsius)
        condition = "sunny"
    }
}

struct GetWeather: AppIntent {
    static var title: LocalizedStringResource { "Get Weather" }
    static var description: IntentDescription { IntentDescription("w") }
    static let persistentIdentifier: String = "weather.get"
    func perform() async throws -> some IntentResult & ReturnsValue<[Weather]> {
        if #available(iOS 17, *) {}
        return .result(value: [Weather(t: 3)])
    }
}

extension AppIntent {
    func loud() -> Bool { Self.openAppWhenRun }
    var myTitle: String { String(localized: Self.title) }
}

struct MyRecord: Codable, Hashable, Sendable { var a: Int; var b: [String] }
extension MyRecord: _IntentValue {}

struct UsesRecord: AppIntent {
    static let title: LocalizedStringResource = "Record"
    @Parameter(title: "R") var r: MyRecord
    @Parameter(title: "Rs") var rs: [MyRecord]?
    func perform() async throws -> some IntentResult & ReturnsValue<MyRecord> { .result(value: r) }
}

struct Ent2: AppEntity, Codable, Identifiable {
    static var typeDisplayRepresentation: TypeDisplayRepresentation {
        TypeDisplayRepresentation(name: "Ent", synonyms: ["a"])
    }
    static var defaultQuery: Ent2Query { Ent2Query() }
    var id: Int
    var displayRepresentation: DisplayRepresentation { "Ent \(id)" }
}
struct Ent2Query: EntityQuery {
    func entities(for identifiers: [Ent2.ID]) async throws -> [Ent2] { identifiers.map { Ent2(id: $0) } }
}
enum E3: String, AppEnum, Codable, CaseIterable {
    case a, b
    static var typeDisplayRepresentation: TypeDisplayRepresentation = "E3"
    static var caseDisplayRepresentations: [E3: DisplayRepresentation] {
        [.a: "A", .b: DisplayRepresentation(stringLiteral: "B")]
    }
}
