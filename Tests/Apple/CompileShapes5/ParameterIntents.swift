import AppIntents

struct EveryKind: AppIntent {
    static var title: LocalizedStringResource = "Every kind of parameter"
    static var description = IntentDescription(
        "Returns its parameters.",
        categoryName: "Shapes",
        searchKeywords: ["echo"],
        resultValueName: "Texts"
    )
    static var openAppWhenRun: Bool = false
    static var isDiscoverable: Bool = true
    static var authenticationPolicy: IntentAuthenticationPolicy = .requiresAuthentication
    static var supportedModes: IntentModes = [.background, .foreground(.dynamic)]

    @Parameter var amount: Decimal
    @Parameter var when: Date
    @Parameter var link: URL
    @Parameter var length: Duration
    @Parameter var cup: Cup
    @Parameter var tags: [String]
    @Parameter(title: "Roast", default: .light) var roast: Roast
    @Parameter(title: "Day", kind: .date) var day: Date?
    @Parameter(title: "Hour", description: "Any.", kind: .time) var hour: Date?
    @Parameter(title: "Pause", default: .seconds(2)) var pause: Duration
    @Parameter(title: "Numbers", size: IntentCollectionSize(min: 1, max: 3)) var numbers: [Int]?
    @Parameter(title: "Cups", default: [.small]) var cups: [Cup]
    @Parameter(title: "Sizes", size: [.systemSmall: 2, .systemLarge: IntentCollectionSize(min: 1, max: 5)])
    var sizes: [Double]?

    func perform() async throws -> some IntentResult & ReturnsValue<[String]> {
        let texts = ["\(amount)", "\(when.timeIntervalSince1970)", link.absoluteString, "\(length)", cup.rawValue]
        let optional = [day, hour].map { $0.map { "\($0.timeIntervalSince1970)" } ?? "-" }
        return .result(
            value: texts + tags + ["\(roast)"] + optional + ["\(pause)"] + (numbers ?? []).map(String.init)
                + cups.map(\.rawValue) + (sizes ?? []).map { "\($0)" }
        )
    }
}

struct EveryLabel: AppIntent {
    static var title = LocalizedStringResource("Labels", defaultValue: "Every set of labels", table: "Shapes")

    @Parameter(title: "A", default: true, displayName: Bool.IntentDisplayName(true: "on", false: "off")) var a: Bool
    @Parameter(title: "B", displayName: .init(true: "on", false: "off")) var b: Bool?
    @Parameter(title: "C", description: "c", default: 2, controlStyle: .slider, inclusiveRange: (1, 3)) var c: Int
    @Parameter(title: "D", controlStyle: .field, inclusiveRange: (0, 1), requestValueDialog: "How much?")
    var d: Double?
    @Parameter(title: "E", description: "e", default: "x", inputOptions: .init(keyboardType: .URL)) var e: String
    @Parameter(title: "F", description: "f", inputOptions: .init(multiline: true), requestValueDialog: "F?")
    var f: String?
    @Parameter(title: "G", supportedTypeIdentifiers: ["public.image"], inputConnectionBehavior: .never)
    var g: [IntentFile]?
    @Parameter(title: "H", supportedContentTypes: [.image], inputConnectionBehavior: .connectToPreviousIntentResult)
    var h: IntentFile?
    @Parameter(title: "I", default: .dark, requestDisambiguationDialog: "Which roast?") var i: Roast
    @Parameter(title: "J", supportedValues: [.small, .large]) var j: Cup?
    @Parameter(title: "K", inclusiveRange: (lowerBound: 1, upperBound: 5)) var k: [Int]?
    @Parameter(title: "L", description: "l", default: 7, requestValueDialog: IntentDialog("L?")) var l: Int?
    @Parameter(title: "M", requestValueDialog: .init(full: "M, please", supporting: "M")) var m: URL?
    @Parameter(title: "N", inputConnectionBehavior: .default) var n: Decimal?
    @Parameter(title: "O", controlStyle: .stepper) var o: Int?
    @Parameter(description: "p", default: 1.5) var p: Double

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let words = ["\(a)", "\(c)", e, "\(i)", j?.rawValue ?? "-", (k ?? []).map(String.init).joined(separator: "+")]
        return .result(value: words.joined(separator: " "))
    }
}

struct ReverseRoasts: AppIntent {
    static var title: LocalizedStringResource = "Enums and arrays as results"

    @Parameter(title: "Roasts") var roasts: [Roast]

    func perform() async throws -> some ReturnsValue<[Roast]> {
        .result(value: roasts.reversed())
    }
}

struct OneRoast: AppIntent {
    static var title: LocalizedStringResource = "An enum as a result"

    func perform() async throws -> some IntentResult & ReturnsValue<Roast> & ProvidesDialog {
        .result(value: .dark, dialog: IntentDialog(stringLiteral: "dark"))
    }
}
