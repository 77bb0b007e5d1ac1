import AppIntents

// Types isolated to the main actor, in language mode 6.

@MainActor
final class Kennels {
    static let shared = Kennels()
    var names = ["Rex"]
}

@MainActor
struct AdmitDog: AppIntent {
    nonisolated static let title: LocalizedStringResource = "Admit a dog"

    @Parameter(title: "Name") var name: String

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        Kennels.shared.names.append(name)
        return .result(value: Kennels.shared.names.count)
    }
}

@MainActor
struct DogNames: DynamicOptionsProvider {
    nonisolated init() {}

    func results() async throws -> [String] { Kennels.shared.names }
}

struct WalkDog: AppIntent {
    static let title: LocalizedStringResource = "Walk a dog"

    @Parameter(title: "Dog", optionsProvider: DogNames()) var dog: String

    func perform() async throws -> some IntentResult { .result() }
}
