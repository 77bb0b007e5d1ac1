import AppIntents
import Foundation
import Testing

private struct Undecided: AppIntent {
    static let title: LocalizedStringResource = "Undecided"

    func perform() async throws -> some IntentResult { .result() }
}

@Suite struct ChoiceTests {
    @Test func `a choice between nothing is an error, and no question`() async {
        let error = await #expect(throws: (any Error).self) { try await Undecided().requestChoice(between: []) }
        #expect(error?.localizedDescription == "there is nothing to choose from")
    }
}
