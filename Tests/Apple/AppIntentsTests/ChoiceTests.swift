import AppIntents
import Foundation
import Testing

private struct Undecided: AppIntent {
    static let title: LocalizedStringResource = "Undecided"

    func perform() async throws -> some IntentResult { .result() }
}

@Suite struct ChoiceTests {
    @Test func `a choice without options is an error, and asks no question`() async {
        let error = await #expect(throws: (any Error).self) { try await Undecided().requestChoice(between: []) }
        #expect(error?.localizedDescription == "cannot ask for a choice: the list of options is empty")
    }
}
