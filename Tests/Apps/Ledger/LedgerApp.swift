import AppIntents

/// The app of the article StateAndConcurrency: three ways to add a line, of which the first loses lines.
@main
struct LedgerApp: AppIntentsExtension {
    @MainActor init() {
        AppDependencyManager.shared.add(dependency: Labels())
    }
}

/// A dependency that belongs to the main actor.
@MainActor final class Labels {
    private var count = 0

    func next() -> String {
        count += 1
        return "line \(count)"
    }
}

struct AddWithActor: AppIntent {
    static let title: LocalizedStringResource = "Add a line with an actor"

    @Parameter(title: "Text") var text: String

    func perform() async throws -> some IntentResult {
        try await Lines.shared.add(text)
        return .result()
    }
}

struct AddWithLock: AppIntent {
    static let title: LocalizedStringResource = "Add a line with a lock"

    @Parameter(title: "Text") var text: String

    func perform() async throws -> some IntentResult {
        try await LockedLines().add(text)
        return .result()
    }
}

struct AddWithDatabase: AppIntent {
    static let title: LocalizedStringResource = "Add a line with a database"

    @Parameter(title: "Text") var text: String

    func perform() async throws -> some IntentResult {
        try LineDatabase().add(text)
        return .result()
    }
}

struct CountLines: AppIntent {
    static let title: LocalizedStringResource = "Count lines"

    @Dependency var labels: Labels

    @MainActor
    func perform() async throws -> some IntentResult & ReturnsValue<[Int]> {
        _ = labels.next()
        let counts = [try await Lines.shared.count, try await LockedLines().count, try LineDatabase().count]
        return .result(value: counts)
    }
}
