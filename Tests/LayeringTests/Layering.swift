/// What each target of Sources may do, except for its dependencies on other targets: the build of Tests/run refuses an
/// import of a target that Package.swift does not list.
enum Layering {
    struct Rule: Sendable {
        /// The modules that a target may import, in addition to the standard library.
        var modules: Set<String>
        /// True if the target performs no I/O, and uses neither clocks nor concurrency.
        var isPure = false
        /// True if the target has a public API for users.
        var isPublic = false
    }

    /// The modules that every Swift program on Linux has. All of Foundation would add 44 MB to each program, most of it
    /// ICU's data.
    static let platform: Set<String> = ["Glibc", "FoundationEssentials", "Dispatch", "Synchronization"]

    static let pureTargets: Set<String> = [
        "IntentText", "IntentSharedTypes", "IntentWorkerMessages", "IntentProtocol", "IntentLauncherMessages",
        "IntentLifecycle",
        "IntentAPI", "IntentConfiguration", "IntentCommands", "IntentFleet", "IntentMCP", "IntentStubSource",
    ]

    static let publicTargets: Set<String> = [
        "AppIntents", "AppIntentsTesting", "IntentClient", "IntentClientFoundation", "IntentProtocol",
        "IntentSharedTypes", "IntentViews", "IntentContentTypes", "IntentLogging", "UniformTypeIdentifiers", "SwiftUI",
        "CoreSpotlight", "CoreLocation", "CoreTransferable", "os", "OSLog", "SwiftUICore", "WidgetKit",
        "SiriEvaluations",
    ]

    /// Modules of the toolchain that a target may import beyond `platform`, and beyond none if it is pure.
    static let further: [String: Set<String>] = [
        // Swift is imported by name for its SPI for the parts of types.
        "AppIntents": ["Foundation", "Swift"],
        "IntentText": ["Swift"],
        "IntentSharedTypes": ["FoundationEssentials"],
        "IntentCommands": ["FoundationEssentials"],
        "IntentFleet": ["FoundationEssentials"],
        "IntentMCP": ["FoundationEssentials"],
        "IntentViews": ["Foundation", "Observation"],
        "IntentLogging": ["Foundation"],
        "IntentClientFoundation": ["Foundation"],
        "CoreSpotlight": ["Foundation"],
        "CoreLocation": ["Foundation"],
        "CoreTransferable": ["Foundation"],
        "IntentStubs": ["Foundation", "PackagePlugin"],
    ]

    /// The rule for a target of Sources.
    ///
    /// - Parameter targets: The names of all targets of Sources.
    static func rule(for target: String, among targets: Set<String>) -> Rule {
        let isPure = pureTargets.contains(target)
        return Rule(
            modules: targets.union(isPure ? [] : platform).union(further[target] ?? []),
            isPure: isPure,
            isPublic: publicTargets.contains(target)
        )
    }

    /// Returns the rule for an example, which may import the same modules as a user's app, and its own C targets.
    static func rule(forExampleWith ownModules: Set<String>) -> Rule {
        // Testing and AppIntentsTesting are for the tests of an example.
        let modules = platform.union([
            "AppIntents", "AppIntentsTesting", "Foundation", "FoundationNetworking", "SwiftUI", "Testing",
        ])
        return Rule(modules: modules.union(ownModules), isPublic: true)
    }
}
