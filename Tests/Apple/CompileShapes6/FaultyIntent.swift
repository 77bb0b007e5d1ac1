import AppIntents

/// An intent that compiles and cannot run, which `intentctl verify` reports.
struct BakeWithoutOven: AppIntent {
    static let title: LocalizedStringResource = "Bake"

    @Parameter(title: "Minutes", inclusiveRange: (5, 1)) var minutes: Int
    @Dependency var oven: Oven
    @Dependency(default: Oven()) var spareOven: Oven

    func perform() async throws -> some IntentResult { .result() }
}

struct Oven: Sendable {}
