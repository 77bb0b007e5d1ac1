import AppIntents
import Synchronization

/// Asks a question in each possible way, and returns the answer.
struct AskSomething: AppIntent, ProgressReportingIntent {
    static let title: LocalizedStringResource = "Ask Something"
    @Parameter(title: "Way") var way: String
    @Parameter(title: "Cups", inclusiveRange: (1, 5), requestValueDialog: "How many cups?") var cups: Int?
    @Parameter(title: "Colour", requestDisambiguationDialog: "Which colour?") var colour: Colour?
    @Parameter(title: "Password", requestValueDialog: "The password?") var password: String?
    @Parameter(title: "Names") var names: [String]?
    @Parameter(title: "Sugar", default: 2) var sugar: Int
    private let performed = PerformCount()

    enum Colour: String, AppEnum {
        case red
        case green

        static let typeDisplayRepresentation: TypeDisplayRepresentation = "Colour"
        static let caseDisplayRepresentations: [Colour: DisplayRepresentation] = [.red: "Red", .green: "Green"]
    }

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        performed.increase()
        return .result(value: try await answer())
    }

    private func answer() async throws -> String {
        switch way {
        case "value": return "\(try await $cups.requestValue())"
        case "needsValue":
            guard let cups else { throw $cups.needsValueError() }
            return "\(cups) at \(performed.count)"
        case "needsChoice":
            guard let colour else { throw $colour.needsDisambiguationError(among: [.green, .red]) }
            return "\(colour) at \(performed.count)"
        case "element": return try await $names.requestValue("Which name?")
        case "choice": return "\(try await $colour.requestDisambiguation(among: [.green, .red]))"
        case "option":
            let burn = IntentChoiceOption(title: "Burn it", style: .destructive)
            let option = try await requestChoice(
                between: [.cancel, .init(title: "Keep it"), burn],
                dialog: "What now?"
            )
            return option == burn ? "burnt" : "kept"
        case "plainOption":
            let sell = IntentChoiceOption(title: "Sell it")
            return try await requestChoice(between: [.init(title: "Keep it"), sell]) == sell ? "Sell it" : "Keep it"
        case "late":
            try await appearance(of: "go")
            try await requestConfirmation(actionName: .order, dialog: "Order it?")
            return "ordered late"
        case "confirm":
            try await requestConfirmation(actionName: .order, dialog: "Order it?")
            return "ordered"
        case "confirmTwice":
            try await requestConfirmation(actionName: .order, dialog: "First?")
            try await requestConfirmation(actionName: .order, dialog: "Second?")
            return "both"
        case "confirmNames":
            try await requestConfirmation(actionName: .order, dialog: "Order for \(names?.first ?? "")?")
            return "ordered"
        case "destroy":
            let destroy = ConfirmationActionName.custom(
                acceptLabel: "Destroy",
                acceptAlternatives: [],
                denyLabel: "Keep",
                denyAlternatives: [],
                destructive: true
            )
            try await requestConfirmation(actionName: destroy, dialog: "Destroy it?")
            return "destroyed"
        case "confirmValue": return "\(try await $cups.requestConfirmation(for: 3))"
        case "default": return "\(try await $sugar.requestValue())"
        case "secret": return String(try await $password.requestValue().reversed())
        case "caught":
            do {
                return "\(try await $cups.requestValue())"
            } catch {
                return "went on without: \(error.localizedDescription)"
            }
        case "two":
            async let first = $cups.requestValue("First?")
            async let second = $cups.requestValue("Second?")
            return "\(try await [first, second].reduce(0) { $0 * 10 + $1 })"
        case "withdraw":
            let task = Task { try await $cups.requestValue("Never mind?") }
            try await appearance(of: "go")
            task.cancel()
            _ = await task.result
            return "\(try await $cups.requestValue("And now?"))"
        case "other":
            let other = AskSomething()
            other.way = "value"
            return try await other()
        case "progress":
            progress.totalUnitCount = 2
            progress.completedUnitCount = 1
            let cups = try await $cups.requestValue()
            progress.completedUnitCount = 2
            return "\(cups)"
        default: return "nothing"
        }
    }
}

/// Counts the calls of one intent's `perform()`.
private final class PerformCount: Sendable {
    private let number = Mutex(0)

    func increase() { number.withLock { $0 += 1 } }

    var count: Int { number.withLock { $0 } }
}
