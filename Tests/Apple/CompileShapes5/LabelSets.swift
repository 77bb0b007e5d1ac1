import AppIntents

// Every set of argument labels found in real code, once. The test is that they compile.

struct ParameterLabels: AppIntent {
    static var title: LocalizedStringResource = "Labels"

    @Parameter var bare: String?
    @Parameter(title: "a") var a: String?
    @Parameter(title: "a", default: "x") var a1: String
    @Parameter(title: "a", inputOptions: .init(keyboardType: .numberPad)) var a2: String?
    @Parameter(title: "a", description: "d", default: "x") var a3: String
    @Parameter(title: "a", requestValueDialog: "?") var a4: String?
    @Parameter(title: "a", requestValueDialog: .init(stringLiteral: "?")) var a5: Int?
    @Parameter(title: "a", description: "d") var a6: Bool?
    @Parameter(title: "a", description: "d", inputOptions: String.IntentInputOptions(multiline: true)) var a7: String?
    @Parameter(title: "a", default: "x", inputOptions: .init(capitalizationType: .none)) var a8: String
    @Parameter(title: "a", description: "d", requestValueDialog: "?") var a9: Double?
    @Parameter(title: "a", description: "d", default: "x", inputOptions: .init()) var a10: String
    @Parameter(title: "a", inputOptions: .init(), optionsProvider: Words()) var a11: String?
    @Parameter(title: "a", description: "d", requestValueDialog: "?", optionsProvider: Words()) var a12: String?
    @Parameter(title: "a", description: "d", inputOptions: .init(), requestValueDialog: "?") var a13: String?
    @Parameter(title: "a", inputConnectionBehavior: .connectToPreviousIntentResult) var a14: String?
    @Parameter(title: "a", optionsProvider: Words()) var a15: [String]?
    @Parameter(title: "a", default: "one", optionsProvider: Words()) var a16: String

    @Parameter(title: "i", default: 5, inclusiveRange: (1, 10)) var i1: Int
    @Parameter(title: "i", controlStyle: .field) var i2: Int?
    @Parameter(title: "i", description: "d", default: 5, inclusiveRange: (lowerBound: 1, upperBound: 10)) var i3: Int
    @Parameter(title: "i", description: "d", default: 5, controlStyle: .stepper) var i4: Int
    @Parameter(title: "i", description: "d", default: 5, controlStyle: .stepper, inclusiveRange: (1, 10)) var i5: Int?
    @Parameter(title: "i", controlStyle: .field, inclusiveRange: (1, 10), requestValueDialog: "?") var i6: Int?
    @Parameter(title: "i", default: 5, controlStyle: .slider, inclusiveRange: (1, 10)) var i7: Int
    @Parameter(title: "i", inclusiveRange: (0, 1)) var i8: Int?
    @Parameter(title: "i", description: "d", controlStyle: .field, inclusiveRange: (0, 1)) var i9: Int?
    @Parameter(title: "i", description: "d", controlStyle: .field) var i10: Int?
    @Parameter(title: "i", description: "d", controlStyle: .field, inclusiveRange: (0, 1), requestValueDialog: "?")
    var i11: Int?
    @Parameter(title: "i", description: "d", default: 1, inclusiveRange: (0, 1), requestValueDialog: "?") var i12: Int
    @Parameter(title: "i", controlStyle: .field, inclusiveRange: (0, 1)) var i13: Double?
    @Parameter(title: "i", default: 0.5, inclusiveRange: (0.0, 1.0)) var i14: Double
    @Parameter(title: "i", default: 0.5, controlStyle: .slider, inclusiveRange: (0, 1)) var i15: Double?
    @Parameter(title: "i", optionsProvider: Numbers()) var i16: Int?
    @Parameter(title: "i", controlStyle: .field, inclusiveRange: (1, 9), optionsProvider: Numbers()) var i17: Int?

    @Parameter(title: "b", default: false, displayName: .init(true: "on", false: "off")) var b1: Bool
    @Parameter(title: "b", displayName: Bool.IntentDisplayName(true: "on", false: "off")) var b2: Bool?
    @Parameter(title: "b", description: "d", default: true, requestValueDialog: "?") var b3: Bool?

    @Parameter(title: "d", kind: .date) var d1: Date?
    @Parameter(title: "d", description: "d", kind: .dateTime) var d2: Date?
    @Parameter(title: "d", kind: .time) var d3: DateComponents?
    @Parameter(title: "d", default: .now) var d4: Date
    @Parameter(title: "d", default: Date(), kind: .date, requestValueDialog: "When?") var d5: Date?

    @Parameter(title: "f", supportedTypeIdentifiers: ["public.image", "com.adobe.pdf"]) var f1: IntentFile?
    @Parameter(title: "f", description: "d", supportedTypeIdentifiers: ["public.data"]) var f2: [IntentFile]?
    @Parameter(
        title: "f",
        description: "d",
        supportedContentTypes: [.image, .movie],
        inputConnectionBehavior: .connectToPreviousIntentResult
    ) var f3: [IntentFile]?
    @Parameter(title: "f") var f4: IntentFile?

    @Parameter(title: "e", default: .light) var e1: Roast
    @Parameter(title: "e", default: .dark) var e2: Roast?
    @Parameter(title: "e", default: [.dark]) var e3: [Roast]
    @Parameter(title: "e", default: [Roast.dark, .light]) var e4: [Roast]?
    @Parameter(title: "e", requestDisambiguationDialog: IntentDialog("Which?")) var e5: Roast?
    @Parameter(title: "e", description: "d", default: .dark, requestValueDialog: "?", requestDisambiguationDialog: "??")
    var e6: Roast
    @Parameter(title: LocalizedStringResource("e", table: "T"), description: LocalizedStringResource("d", table: "T"))
    var e7: Roast?
    @Parameter(title: .init("e", defaultValue: "E"), default: .dark) var e8: Roast
    @Parameter(title: "e", optionsProvider: Roasts()) var e9: Roast?

    @Parameter(title: "c", size: [.systemSmall: 1]) var c1: [CityDetail]?
    @Parameter(title: "c", size: 4) var c2: [CityDetail]?
    @Parameter(title: "c", description: "d", size: IntentCollectionSize(min: 1, max: 2)) var c3: [CityDetail]?
    @Parameter(title: "c", requestValueDialog: "Which city?") var c4: CityDetail?
    @Parameter(title: "c", query: CityQuery()) var c5: CityDetail?

    @Parameter(title: "m", defaultUnit: .minutes, supportsNegativeNumbers: false) var m1: Measurement<UnitDuration>?
    @Parameter(title: "m", defaultValue: 1, defaultUnit: .hours, supportsNegativeNumbers: false)
    var m2: Measurement<UnitDuration>
    @Parameter(title: "m", description: "d", defaultValue: 1, defaultUnit: .kilometers, supportsNegativeNumbers: true)
    var m3: Measurement<UnitLength>
    @Parameter(title: "m", defaultValue: 20, defaultUnit: .celsius, defaultUnitAdjustForLocale: true)
    var m4: Measurement<UnitTemperature>
    @Parameter(title: "m", unit: .kilograms, unitAdjustForLocale: true) var m5: Measurement<UnitMass>?
    @Parameter(title: "m") var m6: Measurement<UnitSpeed>?
    @Parameter(title: "m", supportsNegativeNumbers: false) var m7: Measurement<UnitVolume>?

    @Parameter(description: "d") var n1: String?
    @Parameter(default: []) var n2: [String]
    @Parameter(default: nil) var n3: Int?
    @Parameter(requestValueDialog: "?") var n4: String?

    func perform() async throws -> some IntentResult { .result() }
}

struct Words: DynamicOptionsProvider {
    func results() async throws -> [String] { ["one", "two"] }
    func defaultResult() async -> String? { "one" }
}

struct Numbers: DynamicOptionsProvider {
    func results() async throws -> IntentItemCollection<Int> {
        IntentItemCollection(
            promptLabel: "Number",
            sections: [
                IntentItemSection(items: [IntentItem(1, title: "One"), .init(2, title: "Two", subtitle: "pair")]),
                IntentItemSection("More", items: [3, 4]),
                IntentItemSection(title: "Old", items: [IntentItem(5, title: "Five")]),
            ]
        )
    }
}

struct Roasts: DynamicOptionsProvider {
    func results() async throws -> [Roast] { Roast.allCases.filter { $0 != .light } }
}

struct ResultLabels: AppIntent {
    static var title: LocalizedStringResource = "Results"
    static var description: IntentDescription? = IntentDescription("d", searchKeywords: ["a"], resultValueName: "r")

    static func many() -> [any IntentResult] {
        let nothing: some IntentResult = .result()
        let value: some IntentResult & ReturnsValue<Int> = .result(value: 1)
        let dialog: some IntentResult & ProvidesDialog = .result(dialog: "d")
        let both: some IntentResult & ReturnsValue<String?> & ProvidesDialog = .result(value: "x", dialog: "d")
        let next: some IntentResult & OpensIntent = .result(opensIntent: PlainEmpty())
        let nextDialog: some IntentResult & OpensIntent & ProvidesDialog = .result(
            opensIntent: PlainEmpty(),
            dialog: "d"
        )
        let nextValue: some IntentResult & ReturnsValue<Int> & OpensIntent = .result(
            value: 1,
            opensIntent: PlainEmpty()
        )
        let all: some IntentResult & ReturnsValue<Int> & OpensIntent & ProvidesDialog = .result(
            value: 1,
            opensIntent: PlainEmpty(),
            dialog: "d"
        )
        let button: some IntentResult = .result(actionButtonIntent: PlainEmpty())
        let buttonDialog: some IntentResult & ProvidesDialog = .result(actionButtonIntent: PlainEmpty(), dialog: "d")
        let snippet: some IntentResult & ShowsSnippetIntent = .result(snippetIntent: Snip(a: 1))
        let snippetValue: some IntentResult & ReturnsValue<Int> & ProvidesDialog & ShowsSnippetIntent = .result(
            value: 1,
            dialog: "d",
            snippetIntent: Snip(a: 1)
        )
        return [
            nothing, value, dialog, both, next, nextDialog, nextValue, all, button, buttonDialog, snippet, snippetValue,
        ]
    }

    func perform() async throws -> some ReturnsValue<[String: Int].Keys.Element> { .result(value: "x") }
}

struct Representations {
    let types: [TypeDisplayRepresentation] = [
        "a", .init(name: "a"), TypeDisplayRepresentation(name: "a", numericFormat: "\(placeholder: .int) as"),
        .init(
            name: "a",
            numericFormat: LocalizedStringResource("\(placeholder: .int) as", table: "T"),
            synonyms: ["b"]
        ),
        .init(stringLiteral: "a"),
    ]
    let values: [DisplayRepresentation] = [
        "a", "a \(1)", .init(title: "a"), .init(title: "a", subtitle: "b"), .init(stringLiteral: "a"),
        .init(title: "a", image: .init(systemName: "x")), .init(title: "a", subtitle: nil, image: nil),
        .init(title: "a", subtitle: "b", image: .init(named: "x")),
        .init(title: "a", image: .init(url: URL(fileURLWithPath: "/x"))),
        .init(title: "a", image: DisplayRepresentation.Image(data: Data(), isTemplate: true)),
        .init(title: "a", subtitle: "b", image: .init(systemName: "x", isTemplate: false), synonyms: ["c"]),
        .init(title: LocalizedStringResource(stringLiteral: "a")), .init(title: .init(stringLiteral: "a")),
    ]
    let dialogs: [IntentDialog] = [
        "a", "a \(1)", IntentDialog("a"), .init("a \("b")"), .init(stringLiteral: "a"),
        .init(full: "a", supporting: "b"),
        .init(full: "a", systemImageName: "x"), IntentDialog(LocalizedStringResource("a", table: "T")),
    ]
    let texts: [LocalizedStringResource] = [
        "a", .init("a"), .init("a", defaultValue: "b"), .init(stringLiteral: "a"), .init("a", table: "T"),
        .init("a", comment: "c"), .init("a", table: "T", comment: "c"), .init("a", defaultValue: "b \(1)", table: "T"),
        LocalizedStringResource("a", defaultValue: "b", table: "T", bundle: .main, comment: "c"),
        .init("a", bundle: .atURL(Bundle.main.bundleURL)), .init("a", bundle: .forClass(Diary.self)),
        .init("a", locale: Locale(identifier: "de")),
    ]
    let strings: [String] = [
        String(localized: "a"), String(localized: "a", comment: "c"), .init(localized: "a", table: "T"),
        String(localized: "a", defaultValue: "b"), String(localized: LocalizedStringResource("a")),
        String(localized: "a \(2.5, specifier: "%.1f")", bundle: .main, locale: .current),
    ]
    let descriptions: [IntentDescription] = [
        "a", .init("a"), IntentDescription("a", categoryName: "c"), .init("a", resultValueName: "r"),
        .init("a", categoryName: "c", resultValueName: "r"), .init("a", categoryName: "c", searchKeywords: ["k"]),
        .init("a", categoryName: "c", searchKeywords: ["k"], resultValueName: "r"), .init("a", searchKeywords: ["k"]),
        .init(stringLiteral: "a"), .init(LocalizedStringResource("a", table: "T"), categoryName: .init("c")),
    ]
}
