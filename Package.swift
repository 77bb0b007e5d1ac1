// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target is compiled with. Warnings become errors in Tests/run, not here:
/// here they would break every user's build at the next toolchain's first deprecation.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "intentd",
    products: [
        .library(name: "AppIntents", targets: ["AppIntents"]),
        .library(name: "IntentClient", targets: ["IntentClient"]),
        .executable(name: "intentd", targets: ["intentd"]),
        .executable(name: "intentd-launcher", targets: ["intentd-launcher"]),
        .executable(name: "intentctl", targets: ["intentctl"]),
    ],
    targets: [
        // The two public libraries.
        .target(
            name: "AppIntents",
            dependencies: ["IntentWire", "IntentLinux", "CIntentWorker"],
            swiftSettings: strict
        ),
        .target(name: "IntentClient", dependencies: ["IntentWire", "IntentLinux"], swiftSettings: strict),

        // Pure: no I/O, no clock, no async.
        .target(name: "IntentWire", swiftSettings: strict),
        .target(name: "IntentLifecycle", dependencies: ["IntentWire"], swiftSettings: strict),
        .target(name: "IntentConfiguration", dependencies: ["IntentWire"], swiftSettings: strict),

        // Edges: the kernel and libraries with Swift types.
        .target(name: "IntentLinux", dependencies: ["CIntentLinux"], swiftSettings: strict),
        .target(name: "IntentSystemd", dependencies: ["IntentLinux", "CSystemd"], swiftSettings: strict),
        .target(name: "IntentSandbox", dependencies: ["IntentLinux", "CIntentLaunch"], swiftSettings: strict),

        // Assembly and programs.
        .target(
            name: "IntentSupervisor",
            dependencies: ["IntentLifecycle", "IntentWire", "IntentConfiguration", "IntentSystemd", "IntentLinux"],
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
        .executableTarget(
            name: "intentctl",
            dependencies: ["IntentClient"],
            swiftSettings: strict
        ),

        // C, by where it runs: calls Swift cannot make; the launcher's child before exec; inside apps.
        .target(name: "CIntentLinux"),
        .target(name: "CIntentLaunch"),
        .target(name: "CIntentWorker"),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    ],
    swiftLanguageModes: [.v6]
)
