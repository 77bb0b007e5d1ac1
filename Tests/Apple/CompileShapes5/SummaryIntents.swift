import AppIntents

struct PlainSummary: AppIntent {
    static var title: LocalizedStringResource = "Summary with others"
    @Parameter(title: "Cup") var cup: Cup
    @Parameter(title: "Count") var count: Int?
    @Parameter(title: "Note") var note: String?

    static var parameterSummary: some ParameterSummary {
        Summary("Pour \(\.$cup), \(\.$count) times") {
            \.$note
        }
    }

    func perform() async throws -> some IntentResult { .result() }
}

struct EmptySummary: AppIntent {
    static var title: LocalizedStringResource = "Summary without words"
    @Parameter(title: "Note") var note: String?
    static var parameterSummary: some ParameterSummary { Summary() }
    func perform() async throws -> some IntentResult { .result() }
}

struct ListSummary: AppIntent {
    static var title: LocalizedStringResource = "Summary of parameters alone"
    @Parameter(title: "A") var a: Int?
    @Parameter(title: "B") var b: Int?
    static var parameterSummary: some ParameterSummary {
        Summary {
            \.$a
            \.$b
        }
    }
    func perform() async throws -> some IntentResult { .result() }
}

struct WhenSummary: AppIntent {
    static var title: LocalizedStringResource = "Summary by condition"
    @Parameter(title: "Cup", default: .small) var cup: Cup
    @Parameter(title: "Roast") var roast: Roast?
    @Parameter(title: "Count", default: 1) var count: Int

    static var parameterSummary: some ParameterSummary {
        When(\.$roast, .hasAnyValue) {
            Summary("Pour \(\.$roast)")
        } otherwise: {
            When(\.$cup, .oneOf, [.large, .veryLarge]) {
                Summary("Pour much")
            } otherwise: {
                When(\.$count, .greaterThanOrEqualTo, 2) {
                    Summary("Pour \(\.$count)") { \.$cup }
                } otherwise: {
                    Summary("Pour \(\.$cup)")
                }
            }
        }
    }

    func perform() async throws -> some IntentResult { .result() }
}

struct SwitchSummary: AppIntent {
    static var title: LocalizedStringResource = "Summary by case"
    @Parameter(title: "Cup") var cup: Cup
    @Parameter(title: "Roast") var roast: Roast

    static var parameterSummary: some ParameterSummary {
        Switch(\.$cup) {
            Case(.small) { Summary("A little \(\.$roast)") }
            Case([.large, .veryLarge]) {
                When(\.$roast, .equalTo, .dark) {
                    Summary("Much dark")
                } otherwise: {
                    Summary("Much")
                }
            }
            DefaultCase { Summary("Some \(\.$roast) in \(\.$cup)") }
        }
    }

    func perform() async throws -> some IntentResult { .result() }
}
