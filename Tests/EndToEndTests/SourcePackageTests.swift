import Foundation
import TestSupport
import Testing

/// Packages that compile intentd's libraries from the installed sources. They share one build folder, so that the
/// libraries are compiled once.
@Suite(.ownThread, .serialized, .sharedBuild) struct SourcePackageTests {
    /// Names that packages of authors give to their own modules.
    private static let commonNames = (
        swift: [
            "ArgumentParser", "Crypto", "Database", "Launcher", "Logging", "Metrics", "NIO", "Sandbox",
            "Supervisor", "SystemPackage", "Tracing", "Worker", "Yams",
        ], c: ["CCurl", "CHTTP", "CLinux", "COpenSSL", "CPostgres", "CSeccomp", "CSQLite", "CSystemd", "CZlib"]
    )

    /// Writes a package with an app that uses a module of Apple's name and has modules with common names, and a
    /// dependency that tests for modules of Apple's names.
    private func write(_ folder: URL, products: String) throws {
        let (swift, c) = (Self.commonNames.swift, Self.commonNames.c)
        let own = (swift + c).map { "\"\($0)\"" }.joined(separator: ", ")
        var files = [
            "dependency/Package.swift": """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "dependency",
                products: [.library(name: "Shared", targets: ["Shared"])],
                targets: [.target(name: "Shared")]
            )
            """,
            // The first branch compiles only with Apple's modules.
            "dependency/Sources/Shared/Shared.swift": """
            #if canImport(OSLog) || canImport(SwiftUI) || canImport(os) || canImport(UniformTypeIdentifiers)
            import OSLog
            import SwiftUI
            public func report() { os_log("%{public}@", type: .error, "Apple") }
            public struct Sheet: View { @ObservedObject public var model = Model() }
            #else
            public func report() { print("Linux") }
            #endif
            """,
            "app/Package.swift": """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "app",
                dependencies: [.package(path: "../intentd"), .package(path: "../dependency")],
                targets: [
                    .executableTarget(
                        name: "App",
                        dependencies: [.product(name: "Shared", package: "dependency"), \(own), \(products)]
                    )
                ] + [\(own)].map { .target(name: $0) }
            )
            """,
            "app/Sources/App/App.swift": """
            import AppIntents
            import OSLog
            import Shared
            import SwiftUI
            import UniformTypeIdentifiers
            import os
            \((swift + c).map { "import \($0)" }.joined(separator: "\n"))

            struct Again: AppIntent {
                static let title: LocalizedStringResource = "Again"

                func perform() async throws -> some IntentResult & ShowsSnippetView {
                    .result(view: SwiftUI.Text("Again"))
                }
            }

            @main struct App {
                static func main() {
                    Logger(subsystem: "org.example", category: "test").error("logged")
                    print(UTType.pdf.identifier, Button("Again", intent: Again()).buttonStyle(.bordered) is any View)
                    report()
                }
            }
            """,
        ]
        for name in swift { files["app/Sources/\(name)/\(name).swift"] = "public let of\(name) = 1" }
        for name in c {
            files["app/Sources/\(name)/\(name).c"] = "#include \"\(name).h\"\nint of_\(name)(void) { return 1; }"
            files["app/Sources/\(name)/include/\(name).h"] = "int of_\(name)(void);"
        }
        for (path, text) in files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
    }

    /// Removes what the compiler wrote, so that it compiles the whole target again.
    private func removeObjects(in folder: URL) throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for file in files where file.hasSuffix(".o") || file.hasSuffix(".swiftdeps") {
            try FileManager.default.removeItem(at: folder.appending(path: file))
        }
    }

    /// The products as the porting guide shows them.
    private static let aliased = """
        .product(name: "AppIntents", package: "intentd"),
        .product(name: "OSLog", package: "intentd", moduleAliases: ["OSLog": "IntentOSLog"]),
        .product(name: "SwiftUI", package: "intentd", moduleAliases: ["SwiftUI": "IntentSwiftUI"]),
        .product(name: "os", package: "intentd", moduleAliases: ["os": "IntentOS"]),
        .product(
            name: "UniformTypeIdentifiers",
            package: "intentd",
            moduleAliases: ["UniformTypeIdentifiers": "IntentUTI"]
        ),
        """

    @Test func `a dependency does not find the modules of Apple's names that the app uses, in either build order`()
        throws
    {
        try buildAliased()
    }

    @Test func `a new package builds with the sources of the installed libraries`() throws {
        try buildAliased()
        let shared = try #require(SharedBuild.current)
        let new = try Command(
            Programs.intentctl,
            ["new", "Greeter", "--package", shared.folder.appending(path: "intentd").path],
            directory: shared.folder
        )
        try #require(new.exitCode() == 0, "\(new.errors)")
        let package = shared.folder.appending(path: "Greeter")
        try ListerClient.add(to: package)
        try shared.build(package)
        for library in ["AppIntents", "IntentClient"] {
            #expect(shared.output.contains("Compiling \(library) "), "\(shared.output)")
        }
        try ListerClient.expectBuilt(in: shared.products, shared.output)
    }

    /// Builds the app with the modules of Apple's names, in both orders. It is the first build, because the modules
    /// without aliases, which another package uses, would stay in the folder that the builds share.
    private func buildAliased() throws {
        let shared = try #require(SharedBuild.current)
        try shared.once {
            let app = shared.folder.appending(path: "app")
            try write(shared.folder, products: Self.aliased)
            // The dependency is compiled before the modules, and again when they are there.
            try shared.build(app, "--target", "Shared")
            for isAgain in [false, true] {
                if isAgain { try removeObjects(in: shared.products.appending(path: "Shared.build")) }
                let output = try shared.build(app)
                #expect(!isAgain || output.contains("Compiling Shared"), "\(output)")
                let run = try Command(shared.products.appending(path: "App"), [])
                #expect(run.exitCode() == 0)
                #expect(run.output == "com.adobe.pdf true\nLinux\n", "\(run.output)")
                #expect(run.errors.contains("[test] logged"), "\(run.errors)")
            }
        }
    }
}
