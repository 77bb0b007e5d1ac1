import AppIntents

/// Intents written in language mode 6.
@main
struct Shapes6App: AppIntentsExtension {
    init() {
        AppDependencyManager.shared.add(dependency: Store() as any Storage)
        AppDependencyManager.shared.add { await Window(title: "main") }
    }
}

protocol Storage: Sendable {
    func save(_ text: String) async -> Int
}

actor Store: Storage {
    private var texts: [String] = []

    func save(_ text: String) -> Int {
        texts.append(text)
        return texts.count
    }
}

@MainActor
final class Window {
    var title: String

    init(title: String) {
        self.title = title
    }
}
