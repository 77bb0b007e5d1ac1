import IntentSharedTypes
import Testing

@testable import AppIntents

private struct Visit: AppIntent {
    static let title: LocalizedStringResource = "Visit"
    @Parameter(title: "Town") var town: String

    static var parameterSummary: some ParameterSummary {
        Switch(\.$town) {
            Case([]) { Summary("Visit nothing") }
            Case("Ghent") { Summary("Visit friends") }
            DefaultCase { Summary("Visit \(\.$town)") }
        }
    }

    func perform() async throws -> some IntentResult { .result() }
}

@Suite struct SummarySwitchTests {
    @Test func `a case without values applies to no value, and not to all others`() throws {
        guard case .choice(of: "town", let cases, let otherwise) = Visit.parameterSummary._content else {
            Issue.record("\(Visit.parameterSummary._content)")
            return
        }
        #expect(cases.map(\.values) == [[.string("Ghent")]])
        #expect(otherwise?.sentence == "Visit ${town}")
    }
}
