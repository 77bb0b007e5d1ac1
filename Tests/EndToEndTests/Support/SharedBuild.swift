import Foundation
import Synchronization
import Testing

/// The libraries' sources as they are installed, and one build folder for all packages of a suite that compile them.
final class SharedBuild: Sendable {
    @TaskLocal static var current: SharedBuild?

    /// The folder of the packages. `intentd` in it is the package of the libraries: SwiftPM applies aliases of modules
    /// only to a package that keeps the name of its folder.
    let folder: URL
    private let environment: [String: String]
    private let printed = Mutex("")
    private let first = Mutex(false)

    fileprivate init(in folder: TemporaryFolder) throws {
        self.folder = folder.url
        environment = try InstalledLibraries.withPatientCompilers(in: folder)
        let libraries = folder.appending("intentd")
        try InstalledLibraries.write(to: libraries, in: folder)
        // What the manifest chooses for another compiler.
        let manifest = libraries.appending(path: "Package.swift")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        let other = text.replacing("let isCompiled = true", with: "let isCompiled = false")
        try #require(other != text)
        try other.write(to: manifest, atomically: true, encoding: .utf8)
    }

    /// The folder of the programs, and of the objects of each target.
    var products: URL { folder.appending(path: "build/debug") }
    /// Everything that the builds have printed.
    var output: String { printed.withLock { $0 } }

    /// Builds a package, and returns what the build printed. The sources are compiled for static runtime libraries, and
    /// the compiled libraries use dynamic ones.
    @discardableResult
    func build(_ package: URL, _ arguments: String...) throws -> String {
        let command = try Command(
            URL(filePath: "/usr/bin/env"),
            [
                "swift", "build", "--disable-index-store", "--static-swift-stdlib", "--scratch-path",
                folder.appending(path: "build").path,
            ] + arguments,
            environment: environment,
            directory: package
        )
        try #require(command.exitCode() == 0, "\(command.output)\(command.errors)")
        printed.withLock { $0 += command.output }
        return command.output
    }

    /// Performs the suite's first builds, in whichever test asks for them first.
    func once(_ body: () throws -> Void) throws {
        let isFirst = first.withLock { done in
            defer { done = true }
            return !done
        }
        if isFirst { try body() }
    }
}

/// Provides a suite with a ``SharedBuild``. Its tests must not run at the same time.
struct SharingBuild: SuiteTrait, TestScoping {
    @concurrent func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try await SharedBuild.$current.withValue(try SharedBuild(in: folder)) { try await function() }
        // The folder is removed with the last reference to it.
        withExtendedLifetime(folder) {}
    }
}

extension Trait where Self == SharingBuild {
    static var sharedBuild: Self { Self() }
}
