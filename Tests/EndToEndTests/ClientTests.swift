import Foundation
import Glibc
import TestSupport
import Testing

/// Tests the commands watch, wait, new and verify.
@Suite(.ownThread) struct ClientTests {
    /// Starts a detached run and returns its identifier.
    private func detached(_ daemon: Daemon, _ words: String...) throws -> String {
        let started = try daemon.start(["run", "--detach"] + words)
        #expect(started.exitCode() == 0, "\(started.errors)")
        return started.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func `watch follows a run of another client, and exits with 0 whatever its outcome`() throws {
        let daemon = try Daemon()
        let run = try detached(daemon, "Probe/Ticking")
        _ = try daemon.run()
        let watch = try daemon.start(["watch", run])
        try watch.waitFor("progress:")
        #expect(try daemon.intentctl("cancel", run).code == 0)
        #expect(watch.exitCode() == 0)
        #expect(watch.errors.contains("cancelled: userCancelled"))
    }

    @Test func `a watcher neither ends a run by disconnecting, nor prolongs it`() throws {
        let daemon = try Daemon()
        let owner = try daemon.start(["run", "Probe/Ticking"])
        let run = try daemon.run()
        let leaving = try daemon.start(["watch", run])
        try leaving.waitFor("progress:")
        leaving.signal(SIGKILL)
        leaving.exitCode()
        #expect(try daemon.run() == run)
        let staying = try daemon.start(["watch", run])
        try staying.waitFor("progress:")
        owner.signal(SIGKILL)
        #expect(staying.exitCode() == 0)
        #expect(staying.errors.contains("clientDisconnected"))
    }

    @Test func `a watcher that connects after the last progress receives it at once`() throws {
        let daemon = try Daemon()
        let run = try detached(daemon, "Probe/Stuck")
        _ = try daemon.run()
        let watch = try daemon.start(["watch", run])
        try watch.waitFor("5/100")
        #expect(try daemon.intentctl("cancel", run).code == 0)
        watch.exitCode()
    }

    @Test func `wait prints the value of another client's run, even after the run has ended`() throws {
        let daemon = try Daemon()
        let run = try detached(daemon, "Probe/Add", "--first", "40", "--second", "2")
        for _ in 0..<2 {
            let wait = try daemon.intentctl("wait", run)
            #expect(wait.code == 0, "\(wait.errors)")
            #expect(wait.output == "42\n")
        }
    }

    @Test func `wait exits with the same code as run`() throws {
        let daemon = try Daemon()
        let slow = try detached(daemon, "Probe/Slow")
        let wait = try daemon.start(["wait", slow])
        #expect(try daemon.intentctl("cancel", slow).code == 0)
        #expect(wait.exitCode() == 130)
        let quick = try detached(daemon, "Probe/Slow", "--seconds", "0")
        #expect(try daemon.intentctl("wait", quick).code == 0)
        let unknown = try daemon.intentctl("wait", "0000000000")
        #expect(unknown.code == 66)
        #expect(unknown.errors.contains("no recorded run '0000000000'"))
        #expect(try daemon.intentctl("watch", "nonsense").code == 66)
    }

    @Test func `new creates a package, and never overwrites a file`() throws {
        let folder = try TemporaryFolder()
        let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let new = { (words: [String]) in
            try Command(Programs.intentctl, ["new"] + words, directory: folder.url)
        }
        let made = try new(["Soup", "--package", project.path])
        #expect(made.exitCode() == 0, "\(made.errors)")
        #expect(made.output.split(separator: "\n").count == 3)
        #expect(made.output.contains("cd Soup && swift build && swift test"))
        for name in ["Package.swift", "Sources/Soup/Greet.swift", "Tests/SoupTests/GreetTests.swift", ".gitignore"] {
            #expect(FileManager.default.fileExists(atPath: folder.appending("Soup/\(name)").path), "\(name)")
        }
        #expect(folder.text("Soup/Package.swift").contains("path: \"\(project.path)\""))
        let again = try new(["Soup", "--package", project.path])
        #expect(again.exitCode() == 64)
        #expect(again.errors.contains("'Soup' already exists"))
        #expect(try new(["../Soup", "--package", project.path]).exitCode() == 64)
        let nowhere = try new(["Stew", "--package", folder.url.path])
        #expect(nowhere.exitCode() == 66)
        #expect(!FileManager.default.fileExists(atPath: folder.appending("Stew").path))
    }

    @Test func `verify lists an app's intents and the libraries it needs`() throws {
        let verify = try Command(Programs.intentctl, ["verify", Programs.url("Archive").path])
        #expect(verify.exitCode() == 0, "\(verify.errors)\(verify.output)")
        #expect(verify.output.contains("CompressIntent"))
        #expect(verify.output.contains("libz.so"))
        #expect(verify.output.hasSuffix("ready to be installed\n"))
    }

    @Test func `verify warns about an app that cannot be forked`() throws {
        let verify = try Command(Programs.intentctl, ["verify", Programs.url("Threaded").path])
        #expect(verify.exitCode() == 0, "\(verify.errors)\(verify.output)")
        #expect(verify.output.contains("2 threads before its run"), "\(verify.output)")
        let other = try Command(Programs.intentctl, ["verify", Programs.url("Archive").path])
        #expect(other.exitCode() == 0)
        #expect(!other.output.contains("warning"), "\(other.output)")
    }

    @Test func `verify names the intents without a title`() throws {
        let verify = try Command(Programs.intentctl, ["verify", Programs.url("CompileShapes5").path])
        #expect(verify.exitCode() == 0, "\(verify.errors)\(verify.output)")
        #expect(verify.output.contains("the intent 'DropTiles' has no title"), "\(verify.output)")
        #expect(verify.output.contains("static let title: LocalizedStringResource"))
    }

    @Test func `verify names dependencies that are not registered, and parameters without a valid value`() throws {
        let verify = try Command(Programs.intentctl, ["verify", Programs.url("CompileShapes6").path])
        #expect(verify.exitCode() == 0, "\(verify.errors)\(verify.output)")
        let warning = "the intent 'BakeWithoutOven' depends on a value of type 'Oven'"
        #expect(verify.output.split(separator: warning).count == 2, "\(verify.output)")
        #expect(verify.output.contains("no value is valid for the parameter 'minutes' of 'BakeWithoutOven'"))
        let other = try Command(Programs.intentctl, ["verify", Programs.url("Invoices").path])
        #expect(other.exitCode() == 0)
        #expect(!other.output.contains("warning"), "\(other.output)")
    }

    @Test func `verify refuses programs that cannot run as apps, with the reason`() throws {
        let folder = try TemporaryFolder()
        let script = folder.appending("script")
        try Data("#!/bin/sh\n".utf8).write(to: script)
        chmod(script.path, 0o755)
        let verify = try Command(Programs.intentctl, ["verify", script.path])
        #expect(verify.exitCode() == 78)
        #expect(verify.output.contains("it is a script"))
        // An executable that is not an app does not describe its intents.
        let program = try Command(Programs.intentctl, ["verify", "/bin/true"])
        #expect(program.exitCode() == 78)
        #expect(program.output.contains("did not describe its intents"))
        #expect(try Command(Programs.intentctl, ["verify", folder.appending("nothing").path]).exitCode() == 66)
        #expect(try Command(Programs.intentctl, ["verify", folder.url.path]).exitCode() == 66)
    }
}
