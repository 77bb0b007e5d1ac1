import AppIntents

/// Intents written in language mode 5.
@main
struct ShapesApp: AppIntentsExtension {
    init() {
        AppDependencyManager.shared.add(dependency: Diary())
        AppDependencyManager.shared.add(key: "greeting", dependency: "Hello")
        AppDependencyManager.shared.add { try await Clockwork.wound() }
        AppDependencyManager.shared.add(dependency: { try Broken.make() })
    }
}

// SAFETY: only one intent at a time writes it — the app performs one.
final class Diary: @unchecked Sendable {
    var entries: [String] = []
}

struct Clockwork: Sendable {
    var turns: Int

    static func wound() async throws -> Clockwork {
        await Task.yield()
        print("wound")
        return Clockwork(turns: 7)
    }
}

struct Broken: Sendable {
    static func make() throws -> Broken { throw BrokenError.always }
}

enum BrokenError: String, LocalizedError {
    case always
    var errorDescription: String? { "the provider is broken" }
}
