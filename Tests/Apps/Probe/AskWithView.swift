import AppIntents
import SwiftUI

/// Asks a question with a view: a confirmation or a choice of the intent, or a question about a parameter.
struct AskWithView: AppIntent {
    static let title: LocalizedStringResource = "Ask with a view"

    @Parameter(
        title: "Way",
        description: "confirm, choose, value, pick or check; show: no question",
        default: "confirm"
    ) var way: String
    @Parameter(title: "Size") var size: String?

    func perform() async throws -> some IntentResult & ReturnsValue<String> & ShowsSnippetView {
        switch way {
        case "value":
            return .result(
                value: try await $size.requestValue("What size?", view: Text("Sizes are small and large")),
                view: EmptyView()
            )
        case "pick":
            let sizes = ["small", "large"]
            return .result(
                value: try await $size.requestDisambiguation(among: sizes) { Text("Two sizes are left") },
                view: EmptyView()
            )
        case "check":
            let isRight = try await $size.requestConfirmation(for: "small") { Text("A small bowl: 0.2 l") }
            return .result(value: isRight ? "small" : "another", view: EmptyView())
        case "choose":
            let options = [IntentChoiceOption(title: "Small"), IntentChoiceOption(title: "Large")]
            let chosen = try await requestChoice(between: options, dialog: "Which size?") { Text("Two sizes are left") }
            return .result(value: String(localized: chosen.title), view: EmptyView())
        case "show": return .result(value: "ordered", view: order)
        default:
            try await requestConfirmation(actionName: .order, dialog: "Order it?") { order }
            return .result(value: "ordered", view: EmptyView())
        }
    }

    private var order: some View {
        VStack {
            Text("Your order: 2 bowls")
            Button("One bowl", intent: SetBowls(bowls: 1))
        }
    }
}
