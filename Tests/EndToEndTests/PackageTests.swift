import Foundation
import Testing

@Suite struct PackageTests {
    /// The checkout that this test was built from.
    private static let project = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `a new package builds, tests itself, and runs with a dynamic and with a static standard library`() throws
    {
        let folder = try TemporaryFolder()
        let new = try Command(
            Programs.intentctl,
            ["new", "--package", Self.project.path, "Greeter"],
            directory: folder.url
        )
        #expect(new.exitCode() == 0, "\(new.errors)")
        let package = folder.appending("Greeter")
        for (step, text) in [
            ("swift test", "1 test"),
            ("swift build", "Build complete"),
            // In a folder of its own: objects for one linkage do not always link for the other.
            ("swift build --scratch-path .build-static --static-swift-stdlib", "Build complete"),
        ] {
            let command = try Command(
                URL(fileURLWithPath: "/usr/bin/env"),
                ["sh", "-c", step],
                directory: package
            )
            #expect(command.exitCode() == 0, "\(step): \(command.output)\(command.errors)")
            #expect((command.output + command.errors).contains(text), "\(step): \(command.output)")
            guard step != "swift test" else { continue }
            let scratch = step.contains("static") ? ".build-static" : ".build"
            let app = package.appending(path: "\(scratch)/debug/Greeter").path
            let run = try Command(Programs.intentctl, ["run", "--local", app, "Greet", "--name", "you"])
            #expect(run.exitCode() == 0, "\(run.errors)")
            #expect(run.output == "Hello, you!\n")
        }
        let listed = try Command(package.appending(path: ".build/debug/Greeter"), [])
        #expect(listed.exitCode() == 0)
        #expect(listed.output.contains("Greet"))
        let byHand = try Command(package.appending(path: ".build/debug/Greeter"), ["Greet", "--name", "me"])
        #expect(byHand.exitCode() == 0)
        #expect(byHand.output == "Hello, me!\n")
        #expect(byHand.errors.contains("without sandbox or limits"))
    }
}
