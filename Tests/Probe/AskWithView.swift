import AppIntents
import SwiftUI

/// Asks a question with a view: a confirmation, or a choice between two options.
struct AskWithView: AppIntent {
    static let title: LocalizedStringResource = "Ask with a view"

    @Parameter(title: "Way", description: "confirm or choose", default: "confirm") var way: String

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        if way == "choose" {
            let options = [IntentChoiceOption(title: "Small"), IntentChoiceOption(title: "Large")]
            let chosen = try await requestChoice(between: options, dialog: "Which size?") { Text("Two sizes are left") }
            return .result(value: String(localized: chosen.title))
        }
        try await requestConfirmation(actionName: .order, dialog: "Order it?") {
            VStack {
                Text("Your order: 2 bowls")
                Button("One bowl", intent: SetBowls(bowls: 1))
            }
        }
        return .result(value: "ordered")
    }
}
