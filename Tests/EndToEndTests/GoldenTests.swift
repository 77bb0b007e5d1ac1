import Foundation
import Glibc
import TestSupport
import Testing

/// Tests apps of earlier library versions with this intentd. Their messages are recorded in `Tests/Golden`, in
/// one folder per version.
@Suite(.ownThread) struct GoldenTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Golden")

    private static let versions: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.first?.isNumber == true }.sorted()
    }()

    /// A daemon with an app that replays the messages of a version.
    private func daemon(_ version: String) throws -> Daemon {
        let daemon = try Daemon(sharesLauncher: true)
        let app = daemon.folder.appending("apps/GoldenApp")
        try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
        let program = app.appending(path: "GoldenApp")
        try Programs.install(Programs.url("GoldenApp"), as: program)
        try FileManager.default.copyItem(at: Self.folder.appending(path: version), to: app.appending(path: "frames"))
        for path in FileManager.default.enumerator(atPath: app.path)?.compactMap({ $0 as? String }) ?? [] {
            chmod(app.appending(path: path).path, 0o755)
        }
        chmod(app.path, 0o755)
        return daemon
    }

    @Test func `messages of at least one version are recorded`() { #expect(!Self.versions.isEmpty) }

    @Test func `the recorded messages of this version are current`() throws {
        let check = try Command(
            Self.folder.appending(path: "record"),
            ["--check", "--built", Programs.intentctl.deletingLastPathComponent().path]
        )
        #expect(check.exitCode() == 0, "\(check.output) \(check.errors)")
    }

    @Test(arguments: versions) func `an app of an earlier version describes its intents`(_ version: String) throws {
        let daemon = try daemon(version)
        let shown = try daemon.intentctl("describe", "GoldenApp/AskSomething")
        #expect(shown.code == 0, "\(shown.errors)")
        #expect(shown.output.contains("cups"), "\(shown.output)")
    }

    @Test(arguments: versions) func `runs of an earlier version have the recorded outcomes`(_ version: String) throws {
        let daemon = try daemon(version)
        let echo = try daemon.intentctl("run", "GoldenApp/Echo", "--text", "a")
        #expect(echo.output == "a\n", "\(echo.errors)")
        #expect(try daemon.intentctl("run", "GoldenApp/Throws").code == 1)
        let ticking = try daemon.intentctl("run", "GoldenApp/Ticking", "--seconds", "0.5")
        #expect(ticking.code == 0, "\(ticking.errors)")
        let asking = try daemon.intentctl("run", "--answer=cups=3", "GoldenApp/AskSomething", "--way", "value")
        #expect(asking.output == "3\n", "\(asking.errors)")
    }

    @Test(arguments: versions) func `a run of an earlier version can be cancelled`(_ version: String) throws {
        let daemon = try daemon(version)
        let command = try daemon.start(["run", "GoldenApp/Cleanup", "--milliseconds", "100"])
        let run = try daemon.run()
        _ = try daemon.intentctl("cancel", run)
        #expect(command.exitCode() == 130, "\(command.errors)")
        #expect(try daemon.json("show", run)["outcome"] as? String == "cancelled")
        #expect(!command.errors.contains("golden:"), "\(command.errors)")
    }

    @Test(arguments: versions) func `a run of an earlier version outlives intentd`(_ version: String) throws {
        let daemon = try daemon(version)
        let command = try daemon.start(["run", "GoldenApp/Slow", "--seconds", "1.0"])
        let run = try daemon.run()
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        #expect(command.exitCode() == 0, "\(command.errors)")
        #expect(try next.json("show", run)["outcome"] as? String == "done")
    }
}
