import AppIntents

/// Intents written in language mode 6.
@main
struct Shapes6App: AppIntentsExtension {
    init() {
        AppDependencyManager.shared.add(dependency: Store() as any Storage)
        AppDependencyManager.shared.add { await Window(title: "main") }
        AppDependencyManager.shared.add(key: Pane.left) { @MainActor in Window(title: "left") }
        AppDependencyManager.shared.add(key: Pane.right, dependency: { @MainActor in try Window.opened("right") })
        AppDependencyManager.shared.add(key: Pane.top) { @MainActor in await Window.drawn("top") }
        AppDependencyManager.shared.add(key: Pane.bottom, dependency: Window.bottom)
    }
}

/// Keys of windows that providers of the main actor create.
enum Pane { case left, right, top, bottom }

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

    static func opened(_ title: String) throws -> Window { Window(title: title) }
    static func drawn(_ title: String) async -> Window { Window(title: title) }
    static func bottom() -> Window { Window(title: "bottom") }
}
