// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

/// The settings of AppIntents, without `NonisolatedNonsendingByDefault`. A `nonisolated(nonsending)` requirement makes
/// the method that satisfies it nonisolated, too, so that `perform()` of a `@MainActor struct Order: AppIntent` could
/// not access the struct's properties. Apple's requirements are plain. A closure that stays on its caller's actor is
/// marked in the source.
///
/// Warnings are errors in Tests/run and not here, where the next toolchain's first deprecation would break every user's
/// build.
let strictForApps: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The settings of all other Swift targets.
let strict: [SwiftSetting] = strictForApps + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
    name: "intentd",
    products: [
        .library(name: "AppIntents", targets: ["AppIntents"]),
        .library(name: "AppIntentsTesting", targets: ["AppIntentsTesting"]),
        .library(name: "IntentClient", targets: ["IntentClient"]),
        // Modules of Apple's systems that Linux lacks, as far as source files with intents use them. They are built
        // only for a target that asks for the product, so that no other package finds them with #if canImport(OSLog).
        .library(name: "OSLog", targets: ["OSLog"]),
        .library(name: "os", targets: ["os"]),
        .library(name: "SwiftUI", targets: ["SwiftUI"]),
        .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
        .library(name: "CoreSpotlight", targets: ["CoreSpotlight"]),
        .library(name: "CoreLocation", targets: ["CoreLocation"]),
        .library(name: "CoreTransferable", targets: ["CoreTransferable"]),
        .library(name: "IntentClientFoundation", targets: ["IntentClientFoundation"]),
        .plugin(name: "IntentStubs", targets: ["IntentStubs"]),
        .executable(name: "intentd", targets: ["intentd"]),
        .executable(name: "intentd-launcher", targets: ["intentd-launcher"]),
        .executable(name: "intentd-starter", targets: ["intentd-starter"]),
        .executable(name: "intentd-command", targets: ["intentd-command"]),
        .executable(name: "intent-ask", targets: ["intent-ask"]),
        .executable(name: "intentd-fleet", targets: ["intentd-fleet"]),
        .executable(name: "intentctl", targets: ["intentctl"]),
        .executable(name: "intentd-web", targets: ["intentd-web"]),
    ],
    targets: [
        // The public libraries.
        .target(
            name: "AppIntents",
            dependencies: [
                "IntentVocabulary", "IntentWorkerMessages", "IntentWorker", "IntentCommandLine", "IntentLinux",
                "CIntentWorker", "IntentContentTypes", "IntentMacros",
            ],
            swiftSettings: strictForApps
        ),
        // The compiler's plugin for the macros of AppIntents. It has no dependency, because every app's build compiles
        // it.
        .macro(name: "IntentMacros", swiftSettings: strict),
        // Runs of intents in tests: in the test's process with virtual time, or in workers of a private daemon.
        .target(
            name: "AppIntentsTesting",
            dependencies: [
                "AppIntents", "IntentClient", "IntentLifecycle", "IntentWire", "IntentCommandLine", "IntentLinux",
            ],
            swiftSettings: strict
        ),
        .target(name: "OSLog", dependencies: ["IntentLogging"], swiftSettings: strict),
        .target(name: "os", dependencies: ["IntentLogging"], swiftSettings: strict),
        .target(name: "SwiftUI", dependencies: ["IntentViews"], swiftSettings: strict),
        .target(name: "UniformTypeIdentifiers", dependencies: ["IntentContentTypes"], swiftSettings: strict),
        .target(name: "CoreSpotlight", dependencies: ["AppIntents"], swiftSettings: strictForApps),
        .target(name: "CoreLocation", dependencies: ["AppIntents"], swiftSettings: strictForApps),
        .target(name: "CoreTransferable", dependencies: ["AppIntents"], swiftSettings: strictForApps),
        // What they re-export has names of ours, so that an app can give each of the modules above another name
        // (moduleAliases).
        .target(name: "IntentLogging", swiftSettings: strict),
        .target(
            name: "IntentViews",
            dependencies: ["AppIntents", "IntentMacros", "IntentVocabulary"],
            swiftSettings: strictForApps
        ),
        .target(name: "IntentContentTypes", swiftSettings: strict),
        .target(
            name: "IntentClient",
            dependencies: ["IntentProtocol", "IntentLinux"],
            swiftSettings: strict
        ),
        // Result files as FileHandle, for programs that use all of Foundation.
        .target(name: "IntentClientFoundation", dependencies: ["IntentClient"], swiftSettings: strict),
        // Typed calls of intents, from a catalogue: the generator and the plugin that runs it in a build.
        .target(name: "IntentStubSource", dependencies: ["IntentVocabulary"], swiftSettings: strict),
        .executableTarget(name: "intent-stubs", dependencies: ["IntentStubSource"], swiftSettings: strict),
        .plugin(
            name: "IntentStubs",
            capability: .buildTool(),
            dependencies: ["intent-stubs"],
            path: "Sources/IntentStubs"
        ),

        // Pure: no I/O, no clock, no async.
        // An app compiles only the first three. Clients and the daemons have messages of their own.
        .target(name: "IntentText", swiftSettings: strict),
        .target(name: "IntentVocabulary", dependencies: ["IntentText"], swiftSettings: strict),
        .target(name: "IntentWorkerMessages", dependencies: ["IntentVocabulary"], swiftSettings: strict),
        .target(name: "IntentProtocol", dependencies: ["IntentVocabulary"], swiftSettings: strict),
        .target(
            name: "IntentWire",
            dependencies: ["IntentVocabulary", "IntentWorkerMessages", "IntentProtocol"],
            swiftSettings: strict
        ),
        .target(name: "IntentLifecycle", dependencies: ["IntentWire", "IntentHash"], swiftSettings: strict),
        .target(name: "IntentConfiguration", dependencies: ["IntentWire"], swiftSettings: strict),

        // Edges: Swift types for the kernel and for system libraries.
        .target(name: "IntentLinux", dependencies: ["IntentText", "CIntentLinux"], swiftSettings: strict),
        .target(name: "IntentHash", dependencies: ["CMessageDigest"], swiftSettings: strict),
        .target(name: "IntentSystemd", dependencies: ["IntentLinux", "CSystemd"], swiftSettings: strict),
        .target(
            name: "IntentSandbox",
            dependencies: ["IntentLinux", "CIntentLaunch", "CSeccomp"],
            swiftSettings: strict
        ),
        .target(
            name: "IntentHistory",
            dependencies: ["IntentWire", "IntentLinux", "CSQLite"],
            swiftSettings: strict
        ),

        // The process of a program that performs intents: its modes, its fork server, and its socket.
        .target(
            name: "IntentWorker",
            dependencies: ["IntentVocabulary", "IntentWorkerMessages", "IntentLinux", "CIntentWorker"],
            swiftSettings: strict
        ),

        // How values are typed on command lines, for intentctl and for apps that are run without intentd.
        .target(name: "IntentCommandLine", dependencies: ["IntentVocabulary", "IntentLinux"], swiftSettings: strict),

        // The session between intentctl and another host's intentd.
        .target(
            name: "IntentRelay",
            dependencies: ["IntentClient", "IntentProtocol", "IntentWire", "IntentHash", "IntentLinux"],
            swiftSettings: strict
        ),

        // Programs as intents: a file as a value, arguments from values, a run as a state machine.
        .target(
            name: "IntentCommands",
            dependencies: ["IntentConfiguration", "IntentCommandLine", "IntentWire", "IntentProtocol"],
            swiftSettings: strict
        ),

        // The Model Context Protocol as a value: messages in, messages out.
        .target(
            name: "IntentMCP",
            dependencies: ["IntentProtocol", "IntentCommandLine", "IntentHash", "IntentLinux"],
            swiftSettings: strict
        ),

        // A fleet of hosts that share runs through PostgreSQL: what a host does, as a value, and the database's schema.
        .target(
            name: "IntentFleet",
            dependencies: ["IntentProtocol"],
            resources: [
                .embedInCode("Schema/version-1.sql"), .embedInCode("Schema/version-2.sql"),
                .embedInCode("Schema/version-3.sql"), .embedInCode("Schema/version-4.sql"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "IntentPostgres",
            dependencies: ["IntentFleet", "IntentSystemd", "IntentLinux", "CPostgres"],
            swiftSettings: strict
        ),

        .target(
            name: "IntentFleetService",
            dependencies: [
                "IntentFleet", "IntentPostgres", "IntentDaemon", "IntentConfiguration", "IntentWire", "IntentProtocol",
                "IntentHash", "IntentSystemd", "IntentLinux",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "intentd-fleet",
            dependencies: ["IntentFleetService"],
            swiftSettings: strict
        ),

        // What both daemons have: the connection between them, and the operator's files as they are on the disk.
        .target(
            name: "IntentDaemon",
            dependencies: ["IntentConfiguration", "IntentWire", "IntentSystemd", "IntentLinux"],
            swiftSettings: strict
        ),

        // The supervisor's and the launcher's assembly, and the programs.
        .target(
            name: "IntentSupervisor",
            dependencies: [
                "IntentLifecycle", "IntentDaemon", "IntentWire", "IntentConfiguration", "IntentHistory",
                "IntentHash", "IntentSystemd", "IntentLinux",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "intentd",
            dependencies: ["IntentSupervisor"],
            swiftSettings: strict
        ),
        .target(
            name: "IntentLauncher",
            dependencies: [
                "IntentSandbox", "IntentDaemon", "IntentConfiguration", "IntentWire", "IntentSystemd", "IntentLinux",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "intentd-launcher",
            dependencies: ["IntentLauncher"],
            swiftSettings: strict
        ),
        // Performs the intents of a file that describes programs.
        .executableTarget(
            name: "intentd-command",
            dependencies: [
                "IntentCommands", "IntentWorker", "IntentConfiguration", "IntentCommandLine", "IntentWire",
                "IntentLinux", "CIntentWorker",
            ],
            swiftSettings: strict
        ),
        // With which a program of an intent asks a question or reports progress.
        .executableTarget(name: "intent-ask"),
        // Creates the launcher's user namespace, with capabilities that the launcher never has.
        .executableTarget(name: "intentd-starter"),
        .executableTarget(
            name: "intentctl",
            dependencies: [
                "IntentClient", "IntentRelay", "IntentCommandLine", "IntentCommands", "IntentConfiguration",
                "IntentMCP",
                "IntentContentTypes", "IntentLinux",
            ],
            swiftSettings: strict
        ),

        // The page in a browser: decisions about HTTP requests, and the server that libmicrohttpd drives.
        .target(name: "IntentWeb", dependencies: ["IntentText"], swiftSettings: strict),
        .executableTarget(
            name: "intentd-web",
            dependencies: ["IntentWeb", "IntentSystemd", "IntentLinux", "CMicrohttpd"],
            exclude: ["page"],
            swiftSettings: strict
        ),

        // C, by where it runs: calls Swift cannot make; pid 1 of a sandbox; the launcher's child before exec; inside
        // apps.
        .target(name: "CIntentLinux"),
        .target(name: "CIntentInit"),
        .target(name: "CIntentLaunch", dependencies: ["CIntentInit"]),
        .target(name: "CIntentWorker"),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .systemLibrary(name: "CMessageDigest", pkgConfig: "libmd", providers: [.apt(["libmd-dev"])]),
        .systemLibrary(
            name: "CMicrohttpd",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]
        ),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),

        // Examples, as a user would write them.
        .systemLibrary(
            name: "CZlib",
            path: "examples/Archive/CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        .executableTarget(
            name: "Archive",
            dependencies: ["AppIntents", "CZlib"],
            path: "examples/Archive/Sources"
        ),
        .executableTarget(name: "Soup", dependencies: ["AppIntents", "SwiftUI"], path: "examples/Soup/Sources"),
        .executableTarget(name: "Library", dependencies: ["AppIntents"], path: "examples/Library/Sources"),
        .executableTarget(name: "Payments", dependencies: ["AppIntents"], path: "examples/Payments/Sources"),
        .executableTarget(name: "Invoices", dependencies: ["AppIntents"], path: "examples/Invoices/Sources"),
        .testTarget(
            name: "InvoicesTests",
            dependencies: ["Invoices", "AppIntentsTesting"],
            path: "examples/Invoices/Tests"
        ),
        .executableTarget(name: "Mail", dependencies: ["AppIntents"], path: "examples/Mail/Sources"),
        .executableTarget(name: "Webhook", dependencies: ["AppIntents"], path: "examples/Webhook/Sources"),

        // The benchmarks and their apps, for Tests/Benchmarks/run.
        .executableTarget(name: "BenchmarkApp", dependencies: ["AppIntents"], path: "Tests/Benchmarks/App"),
        .executableTarget(name: "BenchmarkLargeApp", dependencies: ["AppIntents"], path: "Tests/Benchmarks/LargeApp"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "IntentWire", "IntentLinux", "IntentFleet", "IntentPostgres", "IntentProtocol", "IntentSystemd",
            ],
            path: "Tests/Benchmarks/Sources",
            swiftSettings: strict
        ),

        // Tests. Probe is an app with intents that misbehave.
        .executableTarget(
            name: "Probe",
            dependencies: [
                "AppIntents", "IntentVocabulary", "SwiftUI", "CoreSpotlight", "CoreLocation", "CoreTransferable",
            ],
            path: "Tests/Probe",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        // Replays the messages of a worker of an earlier version, recorded in Tests/Golden. It uses none of the current
        // code.
        .executableTarget(
            name: "GoldenApp",
            path: "Tests/Golden/App",
            swiftSettings: strict
        ),
        // An app that has threads before its main function is called.
        .target(name: "CThreaded", path: "Tests/Threaded/CThreaded"),
        .executableTarget(
            name: "Threaded",
            dependencies: ["AppIntents", "CThreaded"],
            path: "Tests/Threaded/Sources"
        ),
        // The app of the article about state: runs that write at the same time.
        .executableTarget(name: "Ledger", dependencies: ["AppIntents", "CSQLite"], path: "Tests/Ledger"),
        .executableTarget(name: "Fetcher", dependencies: ["AppIntents"], path: "Tests/Fetcher"),
        // An app with intents that try every way out of their sandbox.
        .target(name: "CAttacker", path: "Tests/Attacker/CAttacker"),
        .executableTarget(
            name: "Attacker",
            dependencies: ["AppIntents", "CAttacker"],
            path: "Tests/Attacker",
            exclude: ["CAttacker"]
        ),
        // Intents as written for Apple's systems, in both language modes. The test is that they compile.
        .executableTarget(
            name: "CompileShapes5",
            dependencies: ["AppIntents", "OSLog", "SwiftUI", "os", "UniformTypeIdentifiers"],
            path: "Tests/CompileShapes5",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .executableTarget(
            name: "CompileShapes6",
            dependencies: ["AppIntents", "CoreSpotlight", "CoreLocation", "CoreTransferable"],
            path: "Tests/CompileShapes6"
        ),
        // An app written for Apple's systems, which the tests also run.
        .executableTarget(
            name: "Ported",
            dependencies: ["AppIntents"],
            path: "Tests/Ported",
            resources: [.copy("Resources/de.lproj"), .copy("Resources/fr.lproj")],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "AppIntentsTests",
            dependencies: [
                "AppIntents", "IntentWire", "IntentLinux", "Probe", "Archive", "Soup", "Payments", "Ported",
                "CompileShapes5", "CompileShapes6", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AppIntentsTestingTests",
            dependencies: [
                "AppIntentsTesting", "AppIntents", "CoreSpotlight", "CoreLocation", "CoreTransferable", "SwiftUI",
                "IntentWire", "TestSupport",
            ],
            swiftSettings: strict
        ),
        // Views as an app declares them, and the snippets that they become.
        .testTarget(
            name: "IntentViewsTests",
            dependencies: ["SwiftUI", "IntentViews", "AppIntents", "IntentVocabulary", "TestSupport"],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        // Helpers shared by several test targets.
        .target(
            name: "TestSupport",
            dependencies: ["IntentLinux"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .testTarget(name: "IntentTextTests", dependencies: ["IntentText"], swiftSettings: strict),
        .testTarget(
            name: "IntentWireTests",
            dependencies: [
                "IntentVocabulary", "IntentWorkerMessages", "IntentProtocol", "IntentWire", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentWorkerTests",
            dependencies: ["IntentWorker", "IntentVocabulary"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentLifecycleTests",
            dependencies: ["IntentLifecycle", "IntentWire", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentConfigurationTests",
            dependencies: ["IntentConfiguration", "IntentWire", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "AppIntentsTesting", "IntentClient", "IntentWire", "IntentLinux", "Probe", "Threaded", "Archive",
                "Soup", "Payments", "Invoices",
                "Mail", "Webhook", "Ported",
                "Attacker", "GoldenApp", "intentd", "intentd-launcher", "intentd-starter", "intentd-command",
                "intent-ask",
                "intentctl", "intentd-fleet", "intentd-web", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentWebTests",
            dependencies: ["IntentWeb", "intentd-web"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentClientTests",
            dependencies: ["IntentClient", "IntentWire", "IntentLinux"],
            swiftSettings: strict
        ),
        // Typed calls that the plugin generates from the catalogues of examples, which a private daemon performs.
        .testTarget(
            name: "IntentStubsTests",
            dependencies: [
                "IntentClient", "IntentClientFoundation", "IntentStubSource", "IntentLinux", "Invoices", "Soup",
                "Ledger",
                "intentd",
                "intentd-launcher", "intentd-starter", "TestSupport",
            ],
            swiftSettings: strict,
            plugins: ["IntentStubs"]
        ),
        .testTarget(
            name: "IntentctlTests",
            dependencies: ["intentctl", "IntentClient", "IntentCommandLine", "IntentLinux", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentRelayTests",
            dependencies: [
                "IntentRelay", "IntentClient", "IntentProtocol", "IntentHash", "IntentLinux", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentCommandsTests",
            dependencies: [
                "IntentCommands", "intentd-command", "IntentConfiguration", "IntentWire", "IntentProtocol",
                "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentMCPTests",
            dependencies: ["IntentMCP", "IntentProtocol", "IntentCommandLine"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentFleetTests",
            dependencies: [
                "IntentFleet", "IntentFleetService", "IntentPostgres", "IntentProtocol", "IntentSystemd", "IntentLinux",
                "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentHistoryTests",
            dependencies: ["IntentHistory", "IntentWire", "IntentLinux", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentSupervisorTests",
            dependencies: [
                "IntentSupervisor", "IntentLifecycle", "IntentHistory", "IntentDaemon", "IntentWire", "IntentSystemd",
                "IntentLinux", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentSystemdTests",
            dependencies: ["IntentSystemd", "IntentLinux", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(name: "IntentLinuxTests", dependencies: ["IntentLinux", "TestSupport"], swiftSettings: strict),
        .target(name: "CFilterProbe", path: "Tests/IntentSandboxTests/CFilterProbe"),
        .testTarget(
            name: "IntentSandboxTests",
            dependencies: ["IntentSandbox", "IntentLinux", "CIntentInit", "CSeccomp", "CFilterProbe", "TestSupport"],
            exclude: ["CFilterProbe"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentLauncherTests",
            dependencies: [
                "IntentLauncher", "IntentSandbox", "IntentDaemon", "IntentConfiguration", "IntentWire",
                "IntentSystemd", "IntentLinux", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(name: "LayeringTests", dependencies: ["TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SystemdTests",
            dependencies: ["IntentLinux", "Fetcher", "TestSupport"],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
