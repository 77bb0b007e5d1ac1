// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// Sources/README.md describes the rooms below, and the README of each room its targets.

/// The settings of AppIntents, without `NonisolatedNonsendingByDefault`. A `nonisolated(nonsending)` requirement makes
/// the method that satisfies it nonisolated, too, so that `perform()` of a `@MainActor struct Order: AppIntent` could
/// not access the struct's properties. Apple's requirements are plain. A closure that stays on its caller's actor is
/// marked in the source.
///
/// Warnings are errors in Tests/run only. Here, the next toolchain's first deprecation would break every user's build.
let strictForApps: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The settings of all other Swift targets of Sources and Tests.
let strict: [SwiftSetting] = strictForApps + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

@resultBuilder enum Targets {
    static func buildBlock(_ targets: Target...) -> [Target] { targets }
}

/// Places targets in a folder, each in a folder of its own name, and gives them settings. A target can name its own path
/// and settings.
func room(_ folder: String, settings: [SwiftSetting] = strict, @Targets _ targets: () -> [Target]) -> [Target] {
    let targets = targets()
    for target in targets {
        target.path = target.path ?? "\(folder)/\(target.name)"
        if ![.system, .plugin].contains(target.type) { target.swiftSettings = target.swiftSettings ?? settings }
    }
    return targets
}

/// A library target. The names of its dependencies are separated by white space.
func module(_ name: String, _ dependencies: String = "", path: String? = nil, resources: [Resource]? = nil) -> Target {
    .target(name: name, dependencies: split(dependencies), path: path, resources: resources)
}

func program(_ name: String, _ dependencies: String = "", path: String? = nil, exclude: [String] = []) -> Target {
    .executableTarget(name: name, dependencies: split(dependencies), path: path, exclude: exclude)
}

/// A target of tests; see module.
func tests(_ name: String, _ dependencies: String, plugins: [Target.PluginUsage]? = nil) -> Target {
    .testTarget(name: name, dependencies: split(dependencies + " TestSupport"), plugins: plugins)
}

/// A library of the system: its name for pkg-config(1), or nil if it is loaded when needed, and the Debian package with its headers.
func library(_ name: String, _ pkgConfig: String?, _ package: String, path: String? = nil) -> Target {
    .systemLibrary(name: name, path: path, pkgConfig: pkgConfig, providers: [.apt([package])])
}

func split(_ names: String) -> [Target.Dependency] {
    names.split(whereSeparator: \.isWhitespace).map { .byName(name: String($0)) }
}

/// What several lists of dependencies share.
let messages = "IntentSharedTypes IntentWorkerMessages IntentProtocol IntentLauncherMessages"
let web = "IntentAPI CIntentHTTP CIntentJOSE CIntentCurl"
let daemon = "IntentDaemon IntentConfiguration IntentLauncherMessages IntentSystemd IntentLinux"

let sources = [
    room("Sources/Messages") {
        module("IntentText")
        module("IntentSharedTypes", "IntentText")
        module("IntentWorkerMessages", "IntentSharedTypes")
        module("IntentProtocol", "IntentSharedTypes")
        module("IntentLauncherMessages", "IntentSharedTypes IntentWorkerMessages IntentProtocol")
    },
    // The names of the C targets begin like ours, because an author's package may have a CSQLite of its own.
    room("Sources/Kernel") {
        module("IntentLinux", "IntentText CIntentLinux")
        module("IntentHash", "CIntentDigest")
        module("IntentSystemd", "IntentLinux CIntentSystemd")
        module("CIntentLinux")
        library("CIntentSystemd", "libsystemd", "libsystemd-dev")
        library("CIntentSeccomp", "libseccomp", "libseccomp-dev")
        library("CIntentDigest", "libmd", "libmd-dev")
        library("CIntentHTTP", "libmicrohttpd", "libmicrohttpd-dev")
        library("CIntentSQLite", "sqlite3", "libsqlite3-dev")
        library("CIntentTLS", "openssl", "libssl-dev")
        library("CIntentPostgres", "libpq", "libpq-dev")
        library("CIntentJOSE", "cjose", "libcjose-dev")
        library("CIntentCurl", nil, "libcurl4-gnutls-dev")
    },
    room("Sources/Common") {
        module("IntentConfiguration", "IntentLauncherMessages")
        module("IntentCommandLine", "IntentSharedTypes IntentLinux")
        module("IntentCommands", "IntentConfiguration IntentCommandLine IntentHash \(messages)")
        module("IntentDaemon", "IntentConfiguration IntentLauncherMessages IntentSystemd IntentLinux")
        module("IntentLogging")
        module("IntentContentTypes")
    },
    room("Sources/Supervisor") {
        module("IntentLifecycle", "IntentLauncherMessages IntentHash")
        module("IntentHistory", "IntentLauncherMessages IntentHash IntentLinux CIntentSQLite")
        module("IntentSupervisor", "IntentLifecycle IntentHistory IntentCommands IntentHash \(daemon)")
        program("intentd", "IntentSupervisor")
    },
    room("Sources/Launcher") {
        module("IntentSandbox", "IntentLinux CIntentLaunch CIntentSeccomp")
        module("IntentLauncher", "IntentSandbox \(daemon)")
        program("intentd-launcher", "IntentLauncher")
        program("intentd-starter")
        module("IntentEgress", "IntentDaemon IntentLauncherMessages IntentLinux IntentSystemd CIntentEgress")
        program("intentd-egress", "IntentEgress")
        module("CIntentEgress", "CIntentTLS")
        module("CIntentInit")
        module("CIntentLaunch", "CIntentInit")
    },
    room("Sources/Worker") {
        module("IntentWorker", "IntentSharedTypes IntentWorkerMessages IntentLinux CIntentWorker")
        module("CIntentWorker")
        program(
            "intentd-command",
            "IntentCommands IntentWorker IntentConfiguration IntentCommandLine IntentLauncherMessages IntentLinux CIntentWorker"
        )
        program("intent-ask")
    },
    // Modules with names of Apple's that Linux lacks are built only for a target that asks for the product, so that no
    // other package finds them with #if canImport(OSLog). What they re-export has names of ours, so that an app can
    // give each of them another name (moduleAliases).
    room("Sources/Apple", settings: strictForApps) {
        module(
            "AppIntents",
            "IntentSharedTypes IntentWorkerMessages IntentWorker IntentCommandLine IntentLinux CIntentWorker"
                + " IntentContentTypes IntentMacros"
        )
        // Every app's build compiles the macros, so they have no dependency.
        Target.macro(name: "IntentMacros", swiftSettings: strict)
        module("IntentViews", "AppIntents IntentMacros IntentSharedTypes")
        module("SwiftUI", "IntentViews")
        module("SwiftUICore", "IntentViews")
        module("WidgetKit", "AppIntents IntentViews IntentMacros")
        module("CoreSpotlight", "AppIntents")
        module("CoreLocation", "AppIntents")
        module("CoreTransferable", "AppIntents")
        module("UniformTypeIdentifiers", "IntentContentTypes")
        module("OSLog", "IntentLogging")
        module("os", "IntentLogging")
    },
    room("Sources/Testing") {
        module(
            "AppIntentsTesting",
            "AppIntents IntentClient IntentLifecycle IntentLauncherMessages IntentCommandLine IntentLinux"
        )
        module("SiriEvaluations", "AppIntentsTesting")
    },
    room("Sources/Client") {
        module("IntentClient", "IntentProtocol IntentLinux")
        module("IntentClientFoundation", "IntentClient")
        module(
            "IntentMCP",
            "IntentProtocol IntentCommandLine IntentCommands IntentHash IntentLinux",
            resources: [.embedInCode("Page/snippet-style"), .embedInCode("Page/snippet-nodes")]
        )
        program(
            "intentctl",
            "IntentClient IntentAPI IntentHosts IntentCommandLine IntentCommands IntentConfiguration IntentMCP"
                + " IntentContentTypes IntentHash IntentLinux"
        )
        module("IntentStubSource", "IntentSharedTypes")
        program("intent-stubs", "IntentStubSource")
        Target.plugin(name: "IntentStubs", capability: .buildTool(), dependencies: ["intent-stubs"])
    },
    room("Sources/Remote") {
        module("IntentAPI", "IntentProtocol")
        module("IntentHosts", "IntentAPI IntentClient IntentCommandLine IntentProtocol IntentLinux")
        program("intentd-web", "IntentCommandLine \(web) IntentProtocol IntentHash \(daemon)", exclude: ["page"])
        module("IntentFleet", "IntentProtocol", resources: [.embedInCode("Schema/version-1.sql")])
        module("IntentFleetService", "IntentFleet CIntentPostgres IntentProtocol IntentHash \(daemon)")
        program("intentd-fleet", "IntentFleetService")
    },
]

let apps = [
    room("examples", settings: []) {
        library("CArchiveZlib", "zlib", "zlib1g-dev", path: "examples/Archive/CArchiveZlib")
        program("Archive", "AppIntents CArchiveZlib", path: "examples/Archive/Sources")
        program("Invoices", "AppIntents", path: "examples/Invoices/Sources")
        Target.testTarget(
            name: "InvoicesTests",
            dependencies: ["Invoices", "AppIntentsTesting"],
            path: "examples/Invoices/Tests"
        )
        program("Library", "AppIntents", path: "examples/Library/Sources")
        program("Mail", "AppIntents", path: "examples/Mail/Sources")
        program("Payments", "AppIntents", path: "examples/Payments/Sources")
        program("Soup", "AppIntents SwiftUI", path: "examples/Soup/Sources")
        program("Webhook", "AppIntents", path: "examples/Webhook/Sources")
    },
    room("Tests/Apps", settings: []) {
        program("Attacker", "AppIntents CAttacker", exclude: ["CAttacker"])
        module("CAttacker", path: "Tests/Apps/Attacker/CAttacker")
        program("Fetcher", "AppIntents")
        program("Ledger", "AppIntents CIntentSQLite")
        program("Threaded", "AppIntents CThreaded", path: "Tests/Apps/Threaded/Sources")
        module("CThreaded", path: "Tests/Apps/Threaded/CThreaded")
        program("BenchmarkApp", "AppIntents", path: "Tests/Benchmarks/App")
        program("BenchmarkLargeApp", "AppIntents", path: "Tests/Benchmarks/LargeApp")
    },
    room("Tests/Apple", settings: []) {
        program("CompileShapes6", "AppIntents CoreSpotlight CoreLocation CoreTransferable OSLog SwiftUI")
        tests("IntentViewsTests", "SwiftUI IntentViews AppIntents IntentSharedTypes")
    },
    room("Tests/Apps", settings: [.swiftLanguageMode(.v5)]) {
        program("Probe", "AppIntents IntentSharedTypes SwiftUI CoreSpotlight CoreLocation CoreTransferable")
        Target.executableTarget(
            name: "Ported",
            dependencies: ["AppIntents"],
            resources: ["de.lproj", "fr.lproj", "Notices.xcstrings", "Skills.skillsbundle"].map {
                .copy("Resources/\($0)")
            }
        )
    },
    room("Tests/Apple", settings: [.swiftLanguageMode(.v5)]) {
        program("CompileShapes5", "AppIntents OSLog SwiftUI SwiftUICore WidgetKit os UniformTypeIdentifiers")
    },
]

/// The tests of a room's targets are in a folder with the room's name.
let allTests = [
    room("Tests/Messages") {
        tests("IntentTextTests", "IntentText")
        tests("IntentLauncherMessagesTests", messages)
    },
    room("Tests/Kernel") {
        tests("IntentLinuxTests", "IntentLinux")
        tests("IntentSystemdTests", "IntentSystemd IntentLinux")
    },
    room("Tests/Common") {
        tests("IntentConfigurationTests", "IntentConfiguration IntentLauncherMessages")
        tests(
            "IntentCommandsTests",
            "IntentCommands intentd-command IntentConfiguration IntentCommandLine IntentLauncherMessages IntentProtocol"
        )
    },
    room("Tests/Supervisor") {
        tests("IntentLifecycleTests", "IntentLifecycle IntentLauncherMessages")
        tests("IntentHistoryTests", "IntentHistory IntentLauncherMessages IntentHash IntentLinux")
        tests("IntentSupervisorTests", "IntentSupervisor IntentLifecycle IntentHistory \(daemon)")
    },
    room("Tests/Launcher") {
        tests("IntentEgressTests", "IntentEgress IntentDaemon IntentLauncherMessages IntentSystemd IntentLinux")
        module("CFilterProbe")
        tests("IntentSandboxTests", "IntentSandbox IntentLinux CIntentInit CIntentSeccomp CFilterProbe")
        tests("IntentLauncherTests", "IntentLauncher IntentSandbox \(daemon)")
    },
    room("Tests/Worker") { tests("IntentWorkerTests", "IntentWorker IntentSharedTypes") },
    room("Tests/Apple") {
        tests(
            "AppIntentsTests",
            "AppIntents IntentLauncherMessages IntentLinux Probe Archive Soup Payments Ported CompileShapes5 CompileShapes6"
        )
    },
    room("Tests/Testing") {
        tests(
            "AppIntentsTestingTests",
            "AppIntentsTesting SiriEvaluations AppIntents CoreSpotlight CoreLocation CoreTransferable SwiftUI"
                + " IntentLauncherMessages"
        )
    },
    room("Tests/Client") {
        tests("IntentClientTests", "IntentClient IntentLauncherMessages IntentLinux")
        tests("IntentctlTests", "intentctl IntentClient IntentCommandLine IntentCommands IntentLinux")
        tests("IntentMCPTests", "IntentMCP IntentProtocol IntentCommandLine")
        tests(
            "IntentStubsTests",
            "IntentClient IntentClientFoundation IntentStubSource IntentLinux"
                + " Invoices Soup Ledger intentd intentd-launcher intentd-starter",
            plugins: ["IntentStubs"]
        )
    },
    room("Tests/Remote") {
        tests("IntentHostsTests", "IntentHosts IntentAPI IntentCommandLine IntentProtocol IntentLinux")
        tests("IntentWebTests", "intentd-web IntentAPI IntentConfiguration IntentCommandLine IntentProtocol IntentHash")
        tests("IntentFleetTests", "IntentFleet IntentFleetService IntentProtocol IntentSystemd IntentLinux")
    },
    room("Tests/Fuzz") {
        tests(
            "FuzzTests",
            "IntentEgress IntentMCP IntentAPI IntentHosts IntentFleet IntentLifecycle IntentCommands IntentConfiguration"
                + " IntentCommandLine IntentText IntentLinux intentd-web \(messages)"
        )
    },
    room("Tests") {
        module("TestSupport", "IntentLinux")
        tests("LayeringTests", "")
        tests("SystemdTests", "IntentLinux Fetcher")
        tests(
            "EndToEndTests",
            "AppIntentsTesting SiriEvaluations IntentClient IntentLauncherMessages IntentLinux Probe Threaded"
                + " Archive Soup Payments Invoices Mail Webhook Ported Attacker GoldenApp intentd-fleet intentd-web"
                + " intentd intentd-launcher intentd-starter intentd-egress intentd-command intent-ask intentctl"
        )
        program("GoldenApp", path: "Tests/Golden/App")
        program(
            "Benchmarks",
            "IntentLauncherMessages IntentLinux IntentFleet IntentFleetService IntentProtocol IntentSystemd",
            path: "Tests/Benchmarks/Sources"
        )
    },
]

let package = Package(
    name: "intentd",
    products: [
        "AppIntents", "AppIntentsTesting", "IntentClient", "IntentClientFoundation", "OSLog", "os", "SwiftUI",
        "UniformTypeIdentifiers", "CoreSpotlight", "CoreLocation", "CoreTransferable", "SwiftUICore", "WidgetKit",
        "SiriEvaluations",
    ].map { Product.library(name: $0, targets: [$0]) }
        + sources.flatMap(\.self).filter { $0.type == .executable && $0.name != "intent-stubs" }
        .map { Product.executable(name: $0.name, targets: [$0.name]) }
        + [.plugin(name: "IntentStubs", targets: ["IntentStubs"])],
    targets: (sources + apps + allTests).flatMap(\.self),
    swiftLanguageModes: [.v6]
)
