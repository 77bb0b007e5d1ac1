// swift-tools-version: 6.2
import PackageDescription

/// What AppIntents is compiled with. An async requirement that is `nonisolated(nonsending)` makes the method that meets
/// it nonisolated too, and `perform()` of a whole `@MainActor struct Order: AppIntent` could not reach what the struct
/// has. Apple's requirements are plain; a closure that is to stay with its caller is marked in the source.
///
/// Warnings become errors in Tests/run, not here: here they would break every user's build at the next toolchain's
/// first deprecation.
let strictForApps: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// What every other Swift target is compiled with.
let strict: [SwiftSetting] = strictForApps + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
    name: "intentd",
    products: [
        .library(name: "AppIntents", targets: ["AppIntents"]),
        .library(name: "IntentClient", targets: ["IntentClient"]),
        .executable(name: "intentd", targets: ["intentd"]),
        .executable(name: "intentd-launcher", targets: ["intentd-launcher"]),
        .executable(name: "intentd-starter", targets: ["intentd-starter"]),
        .executable(name: "intentctl", targets: ["intentctl"]),
    ],
    targets: [
        // The two public libraries.
        .target(
            name: "AppIntents",
            // OSLog is for the sources of apps, which import it beside AppIntents.
            dependencies: ["IntentWire", "IntentLinux", "CIntentWorker", "UniformTypeIdentifiers", "OSLog"],
            swiftSettings: strictForApps
        ),
        // What Apple's systems have under these names and Linux has not, as far as files with intents import it.
        .target(name: "UniformTypeIdentifiers", swiftSettings: strict),
        .target(name: "OSLog", swiftSettings: strict),
        .target(
            name: "IntentClient",
            dependencies: ["IntentProtocol", "IntentWire", "IntentLinux"],
            swiftSettings: strict
        ),

        // Pure: no I/O, no clock, no async.
        .target(name: "IntentProtocol", swiftSettings: strict),
        .target(name: "IntentWire", dependencies: ["IntentProtocol"], swiftSettings: strict),
        .target(name: "IntentLifecycle", dependencies: ["IntentWire"], swiftSettings: strict),
        .target(name: "IntentConfiguration", dependencies: ["IntentWire"], swiftSettings: strict),

        // Edges: the kernel and libraries with Swift types.
        .target(name: "IntentLinux", dependencies: ["CIntentLinux"], swiftSettings: strict),
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

        // Assembly and programs.
        .target(
            name: "IntentSupervisor",
            dependencies: [
                "IntentLifecycle", "IntentWire", "IntentConfiguration", "IntentHistory", "IntentSystemd", "IntentLinux",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "intentd",
            dependencies: ["IntentSupervisor"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "intentd-launcher",
            dependencies: ["IntentSandbox", "IntentConfiguration", "IntentWire", "IntentSystemd", "IntentLinux"],
            swiftSettings: strict
        ),
        // Makes the user namespace that the launcher lives in, with capabilities that the launcher never has.
        .executableTarget(name: "intentd-starter"),
        .executableTarget(
            name: "intentctl",
            dependencies: ["IntentClient", "IntentLinux"],
            swiftSettings: strict
        ),

        // C, by where it runs: calls Swift cannot make; pid 1 of a sandbox; the launcher's child before exec; inside apps.
        .target(name: "CIntentLinux"),
        .target(name: "CIntentInit"),
        .target(name: "CIntentLaunch", dependencies: ["CIntentInit"]),
        .target(name: "CIntentWorker"),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

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
        .executableTarget(name: "Soup", dependencies: ["AppIntents"], path: "examples/Soup/Sources"),
        .executableTarget(name: "Payments", dependencies: ["AppIntents"], path: "examples/Payments/Sources"),

        // What is measured, and what measures it: Tests/Benchmarks/run.
        .executableTarget(name: "BenchmarkApp", dependencies: ["AppIntents"], path: "Tests/Benchmarks/App"),
        .executableTarget(name: "BenchmarkLargeApp", dependencies: ["AppIntents"], path: "Tests/Benchmarks/LargeApp"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["IntentWire", "IntentLinux"],
            path: "Tests/Benchmarks/Sources",
            swiftSettings: strict
        ),

        // Tests. Probe is an app whose intents misbehave.
        .executableTarget(
            name: "Probe",
            dependencies: ["AppIntents"],
            path: "Tests/Probe",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        // A worker of an earlier version of the library, as Tests/Golden keeps it: it has none of today's code.
        .executableTarget(
            name: "GoldenApp",
            path: "Tests/Golden/App",
            swiftSettings: strict
        ),
        // An app that has threads before its main function.
        .target(name: "CThreaded", path: "Tests/Threaded/CThreaded"),
        .executableTarget(
            name: "Threaded",
            dependencies: ["AppIntents", "CThreaded"],
            path: "Tests/Threaded/Sources"
        ),
        .executableTarget(name: "Fetcher", dependencies: ["AppIntents"], path: "Tests/Fetcher"),
        // An app whose intents try every way out of their sandbox.
        .target(name: "CAttacker", path: "Tests/Attacker/CAttacker"),
        .executableTarget(
            name: "Attacker",
            dependencies: ["AppIntents", "CAttacker"],
            path: "Tests/Attacker",
            exclude: ["CAttacker"]
        ),
        // Intents as they are written for Apple's systems, in both language modes: that they compile is the test.
        .executableTarget(
            name: "CompileShapes5",
            dependencies: ["AppIntents"],
            path: "Tests/CompileShapes5",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .executableTarget(name: "CompileShapes6", dependencies: ["AppIntents"], path: "Tests/CompileShapes6"),
        // An app in the spellings of Apple's systems, that does what it says.
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
                "CompileShapes5", "CompileShapes6",
            ],
            swiftSettings: strict
        ),
        // What tests of several targets need.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(
            name: "IntentWireTests",
            dependencies: ["IntentProtocol", "IntentWire", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentLifecycleTests",
            dependencies: ["IntentLifecycle", "IntentWire"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentConfigurationTests",
            dependencies: ["IntentConfiguration", "IntentWire"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "IntentWire", "IntentLinux", "Probe", "Threaded", "Archive", "Soup", "Payments", "Ported", "Attacker",
                "GoldenApp", "intentd", "intentd-launcher", "intentd-starter", "intentctl", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentClientTests",
            dependencies: ["IntentClient", "IntentWire", "IntentLinux"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentctlTests",
            dependencies: ["intentctl", "IntentClient", "IntentLinux"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentHistoryTests",
            dependencies: ["IntentHistory", "IntentWire", "IntentLinux"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntentSupervisorTests",
            dependencies: ["IntentSupervisor", "IntentWire", "IntentHistory", "IntentLinux", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(name: "IntentSystemdTests", dependencies: ["IntentSystemd", "IntentLinux"], swiftSettings: strict),
        .testTarget(name: "IntentLinuxTests", dependencies: ["IntentLinux", "TestSupport"], swiftSettings: strict),
        .target(name: "CFilterProbe", path: "Tests/IntentSandboxTests/CFilterProbe"),
        .testTarget(
            name: "IntentSandboxTests",
            dependencies: ["IntentSandbox", "IntentLinux", "CIntentInit", "CSeccomp", "CFilterProbe", "TestSupport"],
            exclude: ["CFilterProbe"],
            swiftSettings: strict
        ),
        .testTarget(name: "LayeringTests", swiftSettings: strict),
        .testTarget(name: "SystemdTests", dependencies: ["IntentLinux", "Fetcher"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
