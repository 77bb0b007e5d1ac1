import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct RunTests {
    @Test func `a run prints only its value on standard output, and its dialog on standard error`() throws {
        let daemon = try Daemon()
        let run = try daemon.intentctl("run", "Probe/Echo", "--text", "hello")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output == "hello\n")
        #expect(run.errors.contains("You said: hello"))
    }

    @Test func `numbers, switches and defaults reach the intent as typed values`() throws {
        let daemon = try Daemon()
        #expect(try daemon.intentctl("run", "Probe/Add", "--first", "40", "--second", "2").output == "42\n")
        #expect(try daemon.intentctl("run", "Probe/Add", "--first=41").output == "42\n")
        let choices = try daemon.intentctl("run", "Probe/Choices", "--is-loud", "--ratio", "0.25")
        #expect(choices.code == 0)
        #expect(choices.output.contains("0.25"))
    }

    @Test func `an intent on the main actor runs`() throws {
        #expect(try Daemon().intentctl("run", "Probe/OnMain").code == 0)
    }

    @Test func `the main actor and the main queue are isolated, and have no thread of their own`() throws {
        let daemon = try Daemon()
        for _ in 0..<2 {
            // The second run can have a spare.
            #expect(try daemon.intentctl("run", "Probe/ObserveMain").output == "actor: false\nqueue: false\n")
        }
        let local = try Command(Programs.intentctl, ["run", "--local", Programs.url("Probe").path, "ObserveMain"])
        #expect(local.exitCode() == 0, "\(local.errors)")
        #expect(local.output == "actor: false\nqueue: false\n")
    }

    @Test func `a worker is unprivileged, and has a folder and a cgroup of its own`() throws {
        let daemon = try Daemon()
        let run = try daemon.intentctl("run", "Probe/Where")
        #expect(run.code == 0)
        #expect(!run.output.contains("uid: 0\n"))
        #expect(run.output.contains("NoNewPrivs: 1"))
        #expect(run.output.contains("INTENTD_MODE: -"))
        // This app may start programs.
        #expect(run.output.contains("cwd: /own/tmp"))
        let other = try Daemon(sandbox: []).intentctl("run", "Probe/Where")
        #expect(other.output.contains("cwd: /runs/"))
        let isolation = try daemon.json("status")["isolation"] as? [String] ?? []
        try eventually("the run folder is removed") { daemon.isCleared }
        guard isolation.contains("own cgroup") else { try skipTest("this host does not permit creating cgroups") }
        #expect(run.output.contains("/run-"))
    }

    @Test func `list, describe, ps and status report apps, intents and live runs`() throws {
        let daemon = try Daemon()
        let list = try daemon.intentctl("list")
        #expect(list.code == 0)
        #expect(list.output.contains("Archive/CompressIntent") || list.output.contains("CompressIntent"))
        let describe = try daemon.intentctl("describe", "Probe/Add")
        #expect(describe.output.contains("--second"))
        #expect(describe.output.contains("30"))
        let running = try daemon.start(["run", "Probe/Slow"])
        let run = try daemon.run()
        #expect(try daemon.intentctl("ps").output.contains(run))
        #expect(try daemon.json("status")["runningCount"] as? Int == 1)
        #expect(try daemon.json("status")["appCount"] as? Int == 2)
        running.signal(SIGINT)
        #expect(running.exitCode() == 130)
    }

    @Test func `a private run needs no service, and leaves no file or process`() throws {
        let folder = try TemporaryFolder()
        let run = try Command(
            Programs.intentctl,
            ["run", "--local", Programs.url("Probe").path, "Echo", "--text", "here"],
            environment: ["TMPDIR": folder.url.path]
        )
        #expect(run.exitCode() == 0, "\(run.errors)")
        #expect(run.output == "here\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        #expect(ProcessFamily.commandLines.filter { $0.contains(folder.url.path) } == [])
    }

    @Test func `an executable that is not installed lists its intents, and describes one`() throws {
        func intentctl(_ words: String...) throws -> Command {
            let command = try Command(Programs.intentctl, words)
            #expect(command.exitCode() == 0, "\(command.errors)")
            return command
        }
        let archive = Programs.url("Archive").path
        let list = try intentctl("run", "--local", archive).output
        #expect(list.contains("Archive/CompressIntent") && list.contains("Archive/ExpandIntent"))
        let one = try intentctl("describe", "--local", archive, "Compress").output
        #expect(one.contains("Compresses a file with gzip.") && one.contains("--file") && !one.contains("Expand"))
    }

    @Test func `a repeated request on another connection joins the same run`() throws {
        let daemon = try Daemon()
        let client = try SocketClient(daemon)
        let request = [
            "type": "perform", "app": "Probe", "intent": "Slow", "request": String(repeating: "a", count: 32),
        ]
        let first = try client.ask(request)
        let second = try SocketClient(daemon).ask(request)
        #expect(first["type"] as? String == "accepted")
        #expect(first["run"] as? String == second["run"] as? String)
    }
}
