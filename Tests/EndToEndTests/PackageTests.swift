import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct PackageTests {
    /// The checkout that this test was built from.
    private static let project = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `the first intent of README and a new package are built, tested and run`() throws {
        let folder = try TemporaryFolder()
        let programs = try Self.install(in: folder)
        // A test program is in the folder of its build, so it finds intentd on the PATH.
        let environment = try InstalledLibraries.withPatientCompilers(in: folder, programs)
        let documents = try Command(
            DocumentScript.url,
            ["first-intent", programs.path],
            environment: environment,
            directory: folder.url
        )
        #expect(documents.exitCode() == 0, "\(documents.output)\(documents.errors)")
        let new = try Command(
            programs.appending(path: "intentctl"),
            ["new", "Greeter"],
            directory: folder.appending("home")
        )
        #expect(new.exitCode() == 0, "\(new.errors)")
        let package = folder.appending("home/Greeter")
        try Self.sandboxTest.write(
            to: package.appending(path: "Tests/GreeterTests/SandboxTests.swift"),
            atomically: true,
            encoding: .utf8
        )
        for (step, text) in [("swift test", "2 tests"), ("swift build", "Build complete")] {
            let command = try Command(
                URL(fileURLWithPath: "/usr/bin/env"),
                ["sh", "-c", step],
                environment: environment,
                directory: package
            )
            #expect(command.exitCode() == 0, "\(step): \(command.output)\(command.errors)")
            #expect((command.output + command.errors).contains(text), "\(step): \(command.output)")
        }
        let app = package.appending(path: ".build/debug/Greeter").path
        let run = try Command(
            programs.appending(path: "intentctl"),
            ["run", "--local", app, "Greet", "--name", "you"]
        )
        #expect(run.exitCode() == 0, "\(run.errors)")
        #expect(run.output == "Hello, you!\n")
        let listed = try Command(package.appending(path: ".build/debug/Greeter"), [])
        #expect(listed.exitCode() == 0)
        #expect(listed.output.contains("Greet"))
        let byHand = try Command(package.appending(path: ".build/debug/Greeter"), ["Greet", "--name", "me"])
        #expect(byHand.exitCode() == 0)
        #expect(byHand.output == "Hello, me!\n")
        #expect(byHand.errors.contains("without a sandbox or limits"))
    }

    private static let sandboxTest = """
        import AppIntentsTesting
        import Testing

        @Suite struct SandboxTests {
            @Test func `a worker greets`() async throws {
                let app = IntentDefinitions(executable: ".build/debug/Greeter")
                let greeting: String = try await app.intents["Greet"].makeIntent(name: "Ada").run().value()
                #expect(greeting == "Hello, Ada!")
            }
        }
        """

    /// Installs the programs and the libraries below a prefix, as the packages do. Returns the folder of the programs.
    private static func install(in folder: TemporaryFolder) throws -> URL {
        try InstalledLibraries.write(to: folder.appending("usr/lib/intentd/package"), in: folder)
        let programs = folder.appending("usr/bin")
        for path in [programs, folder.appending("home")] {
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        }
        // intentctl finds the libraries below the prefix of its own file, and intentd beside it.
        try FileManager.default.copyItem(at: Programs.intentctl, to: programs.appending(path: "intentctl"))
        try FileManager.default.createSymbolicLink(
            at: programs.appending(path: "intentd"),
            withDestinationURL: Programs.url("intentd")
        )
        return programs
    }

    @Test func `a new package builds with the installed libraries`() throws {
        let folder = try TemporaryFolder()
        let programs = try Self.install(in: folder)
        let new = try Command(programs.appending(path: "intentctl"), ["new", "Greeter"], directory: folder.url)
        try #require(new.exitCode() == 0, "\(new.errors)")
        let package = folder.appending("Greeter")
        try ListerClient.add(to: package)
        let build = try Command(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["swift", "build", "--disable-index-store"],
            environment: try InstalledLibraries.withPatientCompilers(in: folder),
            directory: package
        )
        try #require(build.exitCode() == 0, "\(build.output)\(build.errors)")
        #expect(!build.output.contains("Compiling AppIntents "), "\(build.output)")
        try ListerClient.expectBuilt(in: package.appending(path: ".build/debug"), build.output)
    }

    @Test func `with the flag of a new package, an optimised program keeps intents that conform indirectly`() throws {
        let source = """
            import AppIntents
            protocol KitchenIntent: AppIntent {}
            struct Boil: KitchenIntent {
                static let title: LocalizedStringResource = "Boil"
                func perform() async throws -> some IntentResult & ReturnsValue<Int> { .result(value: 100) }
            }
            private struct Fry: KitchenIntent {
                static let title: LocalizedStringResource = "Fry"
                func perform() async throws -> some IntentResult & ReturnsValue<Int> { .result(value: 180) }
            }
            @main struct Kitchen: AppIntentsExtension {}
            """
        let folder = try TemporaryFolder()
        let new = try Command(
            Programs.intentctl,
            ["new", "--package", Self.project.path, "Kettle"],
            directory: folder.url
        )
        #expect(new.exitCode() == 0, "\(new.errors)")
        let manifest = try String(contentsOf: folder.appending("Kettle/Package.swift"), encoding: .utf8)
        let flag = "-enable-private-imports"
        #expect(manifest.contains(#".unsafeFlags(["\#(flag)"], .when(configuration: .release))"#))
        let program = try OptimisedProgram.make("Kitchen", source, flags: [flag], in: folder)
        let listed = try Command(program, [])
        #expect(listed.exitCode() == 0 && listed.output.contains("Boil") && listed.output.contains("Fry"))
        let run = try Command(program, ["Fry"])
        #expect(run.exitCode() == 0 && run.output.contains("180"), "\(run.errors)")
    }
}
