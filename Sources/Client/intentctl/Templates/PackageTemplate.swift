/// The files of a new package with one intent and its test.
package struct PackageTemplate: Sendable {
    package struct File: Equatable, Sendable {
        /// The path relative to the package's folder.
        package var path: String
        package var text: String
    }

    private let name: String
    /// The absolute path of the intentd package.
    private let package: String

    package init(name: String, package: String) {
        self.name = name
        self.package = package
    }

    /// Returns the reason why a name cannot be the name of a target and its module; nil if the name is valid.
    package static func problem(with name: String) -> String? {
        guard (1...50).contains(name.utf8.count) else { return "expected 1 to 50 characters" }
        guard name.utf8.first?.isASCIILetter == true,
            name.utf8.allSatisfy({ $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") })
        else {
            return "expected a letter, followed by letters, digits and '_'"
        }
        if reserved.contains(name) { return "the name belongs to another module or is a Swift keyword" }
        return nil
    }

    private static let reserved = modules.union(words)

    /// The module names that a new package must not use: intentd's targets, which a checkout also exposes, and modules
    /// of the toolchain.
    private static let modules: Set<String> = [
        "AppIntents", "AppIntentsTesting", "CIntentInit", "CIntentLaunch", "CIntentLinux", "CIntentWorker",
        "CIntentDigest", "CIntentHTTP", "CIntentPostgres", "CIntentSQLite", "CIntentSeccomp", "CIntentSystemd",
        "CoreLocation", "CoreSpotlight", "CoreTransferable", "IntentClient", "IntentClientFoundation",
        "IntentCommandLine", "IntentEgress", "CIntentEgress", "CIntentTLS", "CIntentJOSE", "CIntentCurl",
        "IntentCommands", "IntentConfiguration", "IntentContentTypes", "IntentDaemon", "IntentFleet",
        "IntentFleetService", "IntentHash", "IntentHistory", "IntentLauncher", "IntentLifecycle", "IntentLinux",
        "IntentLogging", "IntentMCP", "IntentMacros", "IntentProtocol", "IntentAPI", "IntentHosts",
        "IntentSandbox", "IntentStubSource", "IntentStubs", "IntentSupervisor", "IntentSystemd", "IntentViews",
        "IntentText", "IntentSharedTypes", "IntentLauncherMessages", "IntentWorker",
        "IntentWorkerMessages", "OSLog",
        "SiriEvaluations", "SwiftUI", "SwiftUICore", "WidgetKit", "UniformTypeIdentifiers", "intentctl", "intentd",
        "os",
        "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "PackageDescription", "Swift", "Synchronization",
        "Testing", "XCTest",
    ]

    /// The names that the template declares, and words that cannot name a module.
    private static let words: Set<String> = [
        "App", "Greet", "Package", "Tests",
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue",
        "default",
        "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
        "guard",
        "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "private", "protocol",
        "public",
        "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
        "true", "try", "typealias", "var", "where", "while",
    ]

    package var files: [File] {
        [
            File(path: "Package.swift", text: manifest),
            File(path: "Sources/\(name)/\(name)App.swift", text: program),
            File(path: "Sources/\(name)/Greet.swift", text: intent),
            File(path: "Tests/\(name)Tests/GreetTests.swift", text: test),
            File(path: ".gitignore", text: ".build/\n"),
        ]
    }

    private var manifest: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "\(name)",
            dependencies: [
                .package(name: "intentd", path: \(literal(package)))
            ],
            targets: [
                .executableTarget(
                    name: "\(name)",
                    dependencies: [.product(name: "AppIntents", package: "intentd")],
                    swiftSettings: [
                        // An optimised build removes unreferenced types, such as an intent that conforms to AppIntent
                        // only through a protocol of this package. This flag keeps all types, including private ones.
                        .unsafeFlags(["-enable-private-imports"], .when(configuration: .release)),
                        // Indexing the toolchain's modules takes half of the time of a first build.
                        .unsafeFlags(["-index-ignore-system-modules"], .when(configuration: .debug)),
                    ]
                ),
                .testTarget(
                    name: "\(name)Tests",
                    dependencies: ["\(name)", .product(name: "AppIntentsTesting", package: "intentd")]
                ),
            ]
        )

        """
    }

    private var program: String {
        """
        import AppIntents

        /// The app. Its intents are found automatically.
        @main
        struct \(name)App: AppIntentsExtension {}

        """
    }

    private var intent: String {
        """
        import AppIntents

        struct Greet: AppIntent {
            static let title: LocalizedStringResource = "Greet a person"
            static let description = IntentDescription("Greets a person by name.")

            @Parameter(title: "Name", description: "The person to greet.")
            var name: String

            func perform() async throws -> some IntentResult & ReturnsValue<String> {
                .result(value: "Hello, \\(name)!")
            }
        }

        """
    }

    private var test: String {
        """
        import AppIntents
        import AppIntentsTesting
        import Testing

        @testable import \(name)

        @Suite struct GreetTests {
            @Test func `the greeting contains the name`() async throws {
                try await withIntentRun { run in
                    let greet = Greet()
                    greet.name = "Ada"
                    let end = try await run.perform(greet)
                    #expect(end == .done("Hello, Ada!"))
                }
            }
        }

        """
    }

    /// Returns a Swift string literal.
    private func literal(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            default: scalar.value < 0x20 ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}
