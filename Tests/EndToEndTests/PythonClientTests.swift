import Foundation
import Glibc
import TestSupport
import Testing

/// The example client in Python, written from the protocol's specification alone.
@Suite(.ownThread, .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/python3"), "python3 is not installed"))
struct PythonClientTests {
    private static let client = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "examples/clients/intentd_client.py")

    private func start(_ daemon: Daemon, _ words: String...) throws -> Command {
        try Command(
            // A shell that starts the tests in the background makes them ignore SIGINT, which Python would inherit.
            URL(filePath: "/usr/bin/env"),
            ["--default-signal=INT", "python3", Self.client.path] + words,
            environment: ["INTENTD_SOCKET": daemon.socket, "PYTHONDONTWRITEBYTECODE": "1"],
            directory: daemon.folder.url
        )
    }

    @Test func `the client is short enough to read`() throws {
        #expect(try String(contentsOf: Self.client, encoding: .utf8).filter { $0 == "\n" }.count < 210)
    }

    @Test func `the client lists intents`() throws {
        let daemon = try Daemon()
        let list = try start(daemon, "list")
        #expect(list.exitCode() == 0, "\(list.errors)")
        #expect(list.output.contains("Probe/Echo  Echo\n"))
        #expect(list.output.contains("Archive/CompressIntent"))
    }

    @Test func `the client passes values and files, and receives them`() throws {
        let daemon = try Daemon()
        let sum = try start(daemon, "run", "Probe/Add", "first=40", "second=2")
        #expect(sum.exitCode() == 0, "\(sum.errors)")
        #expect(sum.output == "42\n")
        let file = try daemon.folder.noise("data.bin", byteCount: 300_000)
        let run = try start(daemon, "run", "Archive/Compress", "file=@\(file.path)")
        #expect(run.exitCode() == 0, "\(run.errors)")
        #expect(run.output == "data.bin.gz\n")
        let packed = daemon.folder.appending("data.bin.gz")
        let check = try Command(URL(filePath: "/bin/sh"), ["-c", "gunzip -c '\(packed.path)' | cmp - '\(file.path)'"])
        #expect(check.exitCode() == 0, "\(check.errors)")
        let refused = try start(daemon, "run", "Probe/Add", "first=many")
        #expect(refused.exitCode() == 1)
        #expect(refused.errors.contains("first"))
    }

    @Test func `the client fetches kept result files`() throws {
        let daemon = try Daemon()
        let file = try daemon.folder.noise("data.bin", byteCount: 300_000)
        let run = try daemon.detach("Archive/Compress", "--file", file.path)
        try eventually("the run is done") { try daemon.json("show", run)["outcome"] as? String == "done" }
        let fetched = try start(daemon, "fetch", run)
        #expect(fetched.exitCode() == 0, "\(fetched.errors)")
        #expect(fetched.output == "data.bin.gz\n")
        let packed = daemon.folder.appending("data.bin.gz")
        let check = try Command(URL(filePath: "/bin/sh"), ["-c", "gunzip -c '\(packed.path)' | cmp - '\(file.path)'"])
        #expect(check.exitCode() == 0, "\(check.errors)")
    }

    @Test func `the client undoes a run`() throws {
        let daemon = try Daemon(app: ["State=yes"])
        let run = try daemon.detach("Probe/RememberWord", "--word", "oops")
        #expect(try daemon.intentctl("wait", run).code == 0)
        let undone = try start(daemon, "undo", run)
        #expect(undone.exitCode() == 0, "\(undone.errors)")
        let after = try daemon.intentctl("run", "Probe/RememberWord", "--word", "end", "--how", "none")
        #expect(after.output == "end\n", "\(after.errors)")
        #expect(try start(daemon, "undo", "0000000000").exitCode() == 1)
    }

    @Test func `the client follows progress, as owner and as watcher, and cancels`() throws {
        let daemon = try Daemon()
        let running = try start(daemon, "run", "Probe/Ticking")
        let run = try daemon.run()
        try running.waitFor("%  Ticking")
        let watching = try start(daemon, "watch", run)
        try watching.waitFor("%  Ticking")
        let runs = try start(daemon, "ps")
        #expect(runs.exitCode() == 0)
        #expect(runs.output == "\(run) Probe/Ticking running\n")
        let cancel = try start(daemon, "cancel", run)
        #expect(cancel.exitCode() == 0, "\(cancel.errors)")
        #expect(cancel.output.contains("userCancelled"))
        #expect(running.exitCode() == 130)
        #expect(watching.exitCode() == 130)
    }

    @Test func `the client shows a run's question, and answers it`() throws {
        let daemon = try Daemon()
        let running = try start(daemon, "run", "Probe/AskSomething", "way=choice")
        let run = try daemon.run(in: "asking")
        try running.waitFor("answer it with: answer \(run) VALUE")
        let asked = try start(daemon, "answer", run)
        #expect(asked.exitCode() == 0, "\(asked.errors)")
        #expect(asked.output.contains("Which colour?\n  green: Green\n  red: Red\n"))
        let bad = try start(daemon, "answer", run, "blue")
        #expect(bad.exitCode() == 1)
        #expect(bad.errors.contains("green, red"), "\(bad.errors)")
        #expect(try start(daemon, "answer", run, "red").exitCode() == 0)
        #expect(running.exitCode() == 0)
        #expect(running.output == "red\n")
        #expect(running.errors.contains("answered by user"))
    }

    @Test func `an interrupt of the client cancels its run and waits for the outcome`() throws {
        let daemon = try Daemon()
        let running = try start(daemon, "run", "Probe/Ticking")
        _ = try daemon.run()
        try running.waitFor("%  Ticking")
        running.signal(SIGINT)
        #expect(running.exitCode() == 130)
        #expect(running.errors.contains("cancelled: userCancelled"))
    }
}
