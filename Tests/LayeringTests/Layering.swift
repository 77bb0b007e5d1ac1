/// The modules that each target may import: the arrows of the architecture as a table.
enum Layering {
    /// The modules that a target may import, in addition to the standard library.
    struct Rule: Sendable {
        var modules: Set<String>
        /// True if the target performs no I/O, and uses neither clocks nor concurrency.
        var isPure = false
        /// True if the target has a public API for users.
        var isPublic = false
    }

    /// The modules that every Swift program on Linux has. All of Foundation would add 44 MB to each program, most of it
    /// ICU's data.
    static let platform: Set<String> = ["Glibc", "FoundationEssentials", "Dispatch", "Synchronization"]

    static let rules: [String: Rule] = [
        "AppIntents": Rule(
            // Swift is imported by name for its SPI for the parts of types.
            modules: platform.union([
                "IntentVocabulary", "IntentWorkerMessages", "IntentWorker", "IntentCommandLine", "IntentLinux",
                "CIntentWorker", "IntentContentTypes", "IntentMacros", "Swift", "Foundation",
            ]),
            isPublic: true
        ),
        "IntentMacros": Rule(modules: ["Glibc"]),
        "AppIntentsTesting": Rule(
            modules: platform.union([
                "AppIntents", "IntentClient", "IntentCommandLine", "IntentLifecycle", "IntentWire", "IntentLinux",
            ]),
            isPublic: true
        ),
        "IntentContentTypes": Rule(modules: [], isPublic: true),
        "UniformTypeIdentifiers": Rule(modules: ["IntentContentTypes"], isPublic: true),
        "IntentViews": Rule(
            modules: platform.union(["AppIntents", "IntentMacros", "IntentVocabulary", "Foundation", "Observation"]),
            isPublic: true
        ),
        "SwiftUI": Rule(modules: ["IntentViews"], isPublic: true),
        "CoreSpotlight": Rule(modules: ["Glibc", "Foundation", "AppIntents"], isPublic: true),
        "CoreLocation": Rule(modules: ["Foundation", "AppIntents"], isPublic: true),
        "CoreTransferable": Rule(modules: ["Foundation", "AppIntents"], isPublic: true),
        "os": Rule(modules: ["IntentLogging"], isPublic: true),
        "IntentLogging": Rule(modules: platform.union(["Foundation"]), isPublic: true),
        "OSLog": Rule(modules: ["IntentLogging"], isPublic: true),
        "IntentClient": Rule(modules: platform.union(["IntentProtocol", "IntentLinux"]), isPublic: true),
        "IntentClientFoundation": Rule(modules: ["Foundation", "IntentClient"], isPublic: true),
        "IntentStubSource": Rule(modules: ["IntentVocabulary"], isPure: true),
        // A plugin depends on the program that it runs.
        "IntentStubs": Rule(modules: ["Foundation", "PackagePlugin", "intent-stubs"]),
        "intent-stubs": Rule(modules: platform.union(["IntentStubSource"])),
        "IntentText": Rule(modules: ["Swift"], isPure: true),
        "IntentVocabulary": Rule(modules: ["IntentText", "FoundationEssentials"], isPure: true, isPublic: true),
        "IntentWorkerMessages": Rule(modules: ["IntentVocabulary"], isPure: true),
        "IntentProtocol": Rule(modules: ["IntentVocabulary"], isPure: true, isPublic: true),
        "IntentWire": Rule(modules: ["IntentVocabulary", "IntentWorkerMessages", "IntentProtocol"], isPure: true),
        "IntentLifecycle": Rule(modules: ["IntentWire", "IntentHash"], isPure: true),
        "IntentConfiguration": Rule(modules: ["IntentWire"], isPure: true),
        "IntentLinux": Rule(modules: platform.union(["IntentText", "CIntentLinux"])),
        "IntentSystemd": Rule(modules: platform.union(["IntentLinux", "CSystemd"])),
        "IntentSandbox": Rule(modules: platform.union(["IntentLinux", "CIntentLaunch", "CSeccomp"])),
        "IntentHistory": Rule(modules: platform.union(["IntentWire", "IntentLinux", "CSQLite"])),
        "IntentSupervisor": Rule(
            modules: platform.union([
                "IntentLifecycle", "IntentDaemon", "IntentWire", "IntentConfiguration", "IntentHistory",
                "IntentSystemd", "IntentLinux", "IntentHash",
            ])
        ),
        "intentd": Rule(modules: platform.union(["IntentSupervisor"])),
        "IntentDaemon": Rule(
            modules: platform.union(["IntentConfiguration", "IntentWire", "IntentSystemd", "IntentLinux"])
        ),
        "IntentLauncher": Rule(
            modules: platform.union([
                "IntentSandbox", "IntentDaemon", "IntentConfiguration", "IntentWire", "IntentSystemd", "IntentLinux",
            ])
        ),
        "intentd-launcher": Rule(modules: platform.union(["IntentLauncher"])),
        "IntentCommandLine": Rule(modules: platform.union(["IntentVocabulary", "IntentLinux"])),
        "IntentHash": Rule(modules: ["CMessageDigest"]),
        "IntentWorker": Rule(
            modules: platform.union(["IntentVocabulary", "IntentWorkerMessages", "IntentLinux", "CIntentWorker"])
        ),
        "IntentCommands": Rule(
            modules: ["IntentConfiguration", "IntentCommandLine", "IntentWire", "IntentProtocol"],
            isPure: true
        ),
        "intentd-command": Rule(
            modules: platform.union([
                "IntentCommands", "IntentWorker", "IntentConfiguration", "IntentCommandLine", "IntentWire",
                "IntentLinux", "CIntentWorker",
            ])
        ),
        "IntentFleet": Rule(modules: ["IntentProtocol", "FoundationEssentials"], isPure: true),
        "IntentPostgres": Rule(
            modules: platform.union(["IntentFleet", "IntentSystemd", "IntentLinux", "CPostgres"])
        ),
        "IntentFleetService": Rule(
            modules: platform.union([
                "IntentFleet", "IntentPostgres", "IntentDaemon", "IntentConfiguration", "IntentWire", "IntentProtocol",
                "IntentHash", "IntentSystemd", "IntentLinux",
            ])
        ),
        "intentd-fleet": Rule(modules: platform.union(["IntentFleetService"])),
        "IntentMCP": Rule(
            modules: [
                "IntentProtocol", "IntentCommandLine", "IntentHash", "IntentLinux", "FoundationEssentials",
            ],
            isPure: true
        ),
        "IntentRelay": Rule(
            modules: platform.union(["IntentClient", "IntentProtocol", "IntentWire", "IntentHash", "IntentLinux"])
        ),
        "IntentWeb": Rule(modules: ["IntentText"], isPure: true),
        "intentd-web": Rule(modules: platform.union(["IntentWeb", "IntentSystemd", "IntentLinux", "CMicrohttpd"])),
        "intentctl": Rule(
            modules: platform.union([
                "IntentClient", "IntentRelay", "IntentCommandLine", "IntentCommands", "IntentConfiguration",
                "IntentMCP",
                "IntentContentTypes", "IntentLinux",
            ])
        ),
    ]

    /// Targets without Swift code: C, and module maps for libraries of the system.
    static let foreignTargets: Set<String> = [
        "CIntentLinux", "CIntentInit", "CIntentLaunch", "CIntentWorker", "CSystemd", "CSeccomp", "CSQLite",
        "CPostgres", "CMessageDigest", "CMicrohttpd", "intentd-starter", "intent-ask",
    ]

    /// Returns the rule for an example, which may import the same modules as a user's app, and its own C targets.
    static func rule(forExampleWith ownModules: Set<String>) -> Rule {
        // Testing and AppIntentsTesting are for the tests of an example.
        let modules = platform.union([
            "AppIntents", "AppIntentsTesting", "Foundation", "FoundationNetworking", "SwiftUI", "Testing",
        ])
        return Rule(modules: modules.union(ownModules), isPublic: true)
    }
}
