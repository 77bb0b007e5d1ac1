import Foundation
import Glibc
import TestSupport
import Testing

/// Runs that outlive the intentd that started them.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct AdoptionTests {
    @Test(arguments: ["value", "needsValue", "confirm"])
    func `a question that is open when intentd is killed can be answered after a restart`(way: String) throws {
        let daemon = try Daemon(sharesLauncher: true)
        let started = try daemon.intentctl("run", "--detach", "Probe/AskSomething", "--way", way)
        let run = started.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try daemon.run(in: "asking") == run)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        #expect(try next.run(in: "asking") == run)
        let watching = try next.start(["watch", run])
        try watching.waitFor("intentctl answer \(run)")
        #expect(try next.intentctl("answer", run, "many").code == 64)
        #expect(try next.intentctl("answer", run, way == "confirm" ? "yes" : "4").code == 0)
        let end = try next.intentctl("wait", run)
        #expect(end.code == 0, "\(end.errors)")
        #expect(end.output == ["value": "4\n", "needsValue": "4 at 2\n", "confirm": "ordered\n"][way])
        #expect(watching.exitCode() == 0)
    }

    @Test func `a run continues when intentd is killed, and its client learns the outcome after a restart`() throws {
        let daemon = try Daemon(sharesLauncher: true)
        let client = try SocketClient(daemon)
        let request = SocketClient.performance(of: "AwaitFile")
        let run = try #require(try client.ask(request)["run"] as? String)
        _ = try daemon.run()
        let workers = try daemon.settledWorkers()
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        #expect(daemon.workers == workers)
        let next = try Daemon(after: daemon)
        #expect(try next.settledWorkers() == workers)
        let again = try SocketClient(next)
        #expect(try again.ask(request)["run"] as? String == run)
        try next.bring()
        #expect(try again.outcome(of: run)["kind"] as? String == "done")
        try eventually("the worker and its folder are removed") { next.workers.isEmpty && next.isCleared }
        let shown = try next.json("show", run)
        #expect(shown["outcome"] as? String == "done")
    }

    @Test func `a run reported as done while the history was locked is recorded even if intentd is killed`() throws {
        let daemon = try Daemon(sharesLauncher: true)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "before").code == 0)
        #expect(try daemon.intentctl("history").code == 0)
        let begun = try daemon.detach("Probe/Slow", "--seconds", "600")
        #expect(try daemon.run() == begun)
        let lock = try HistoryLock.acquiredAroundRun(of: daemon)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        try lock.release()
        let next = try Daemon(after: daemon)
        #expect(try next.run(in: "running") == begun)
        let runs = try #require(try next.json("history")["runs"] as? [[String: Any]])
        #expect(runs.first?["outcome"] as? String == "done")
        #expect(runs.map { $0["outcome"] as? String }.suffix(2) == [nil, "done"])
        #expect(try next.intentctl("cancel", begun).code == 0)
    }

    @Test func `intentd saves reported outcomes before it exits because of a lost launcher`() throws {
        let daemon = try Daemon(sharesLauncher: true)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "before").code == 0)
        #expect(try daemon.intentctl("history").code == 0)
        let lock = try HistoryLock.acquiredAroundRun(of: daemon)
        let launcher = try #require(daemon.sharedLauncherNumber)
        kill(launcher, SIGKILL)
        try eventually("intentd reports it") { daemon.errors.contains("lost the launcher") }
        try lock.release()
        #expect(daemon.exitCode() == 1)
        let query = "SELECT kind FROM ends ORDER BY number DESC LIMIT 1"
        let words = ["sqlite3", daemon.folder.appending("state/history.sqlite").path, query]
        let ends = try Command(URL(filePath: "/usr/bin/env"), words)
        #expect(ends.exitCode() == 0)
        #expect(ends.output == "done\n")
        #expect(try lock.newestText(in: daemon) == "reported")
    }

    @Test func `unrecorded outcomes are replayed once after a restart with Durability=power`() throws {
        let daemon = try Daemon(sharesLauncher: true)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "before").code == 0)
        #expect(try daemon.intentctl("history").code == 0)
        let lock = try HistoryLock.acquiredAroundRun(of: daemon)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        try lock.release()
        let settings = daemon.folder.appending("etc/intentd.conf")
        try Data("[History]\nDurability=power\n".utf8).write(to: settings)
        let second = try Daemon(after: daemon)
        // It answers once the adoption is complete.
        #expect(try second.intentctl("ps").code == 0)
        #expect(try lock.newestText(in: second) == "reported")
        // The newest record is never pruned, so that its number is not reused.
        #expect(try second.intentctl("run", "Probe/Echo", "--text", "after").code == 0)
        try eventually("the older records are pruned") {
            _ = try second.intentctl("history", "--prune", "-n", "0")
            return (try second.json("history")["runs"] as? [[String: Any]])?.count == 1
        }
        second.signal(SIGKILL)
        _ = second.exitCode()
        let third = try Daemon(after: second)
        #expect((try third.json("history")["runs"] as? [[String: Any]])?.count == 1)
    }

    @Test func `intentctl follows its run across a kill of intentd`() throws {
        let daemon = try Daemon(sharesLauncher: true)
        let command = try daemon.start(["run", "Probe/TickUntilFile"])
        _ = try daemon.run()
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        try command.waitFor("reconnected to intentd")
        try next.bring()
        #expect(command.exitCode() == 0, "\(command.errors)")
        #expect(command.errors.contains("lost the connection to intentd"))
    }

    @Test func `a queued run starts exactly once after intentd was killed`() throws {
        let daemon = try Daemon(configuration: ["MaxRuns=1"], sharesLauncher: true)
        let client = try SocketClient(daemon)
        let first = try client.perform("AwaitFile")
        _ = try daemon.run()
        let request = SocketClient.performance(of: "Echo", ["text": "later"])
        let second = try #require(try client.ask(request)["run"] as? String)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        let again = try SocketClient(next)
        #expect(try again.ask(request)["run"] as? String == second)
        #expect(try next.run(in: "queued") == second)
        try next.bring()
        #expect(try again.outcome(of: second)["value"] as? String == "later")
        let shown = try next.json("show", first)
        #expect(shown["outcome"] as? String == "done", "\(shown)")
        let states = (try next.json("show", second)["changes"] as? [[String: Any]] ?? []).compactMap {
            $0["state"] as? String
        }
        #expect(states == ["starting", "running"])
    }

    @Test func `secret values and answers given in advance survive with a queued run`() throws {
        let daemon = try Daemon(configuration: ["MaxRuns=1"], sharesLauncher: true)
        let first = try daemon.start(["run", "--limit", "5min", "Probe/Slow", "--seconds", "600"])
        _ = try daemon.run()
        let password = "hush-\(UInt64.random(in: .min ... .max))"
        func begin(_ words: String...) throws -> String {
            let begun = try daemon.start(["run", "--detach"] + words)
            #expect(begun.exitCode() == 0, "\(begun.errors)")
            return begun.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let secret = try begin("Probe/SignIn", "--user", "ann", "--password", password)
        let agreed = try begin("--yes", "Probe/AskSomething", "--way", "confirm")
        let answered = try begin("--answer", "cups=4", "Probe/AskSomething", "--way", "value")
        let unasked = try begin("--no-input", "Probe/AskSomething", "--way", "needsValue")
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        // Killed twice: adopted state must also reach the next successor.
        let second = try Daemon(after: daemon)
        second.signal(SIGKILL)
        _ = second.exitCode()
        let next = try Daemon(after: second)
        #expect(try next.intentctl("cancel", try next.run(in: "running")).code == 0)
        #expect(first.exitCode() == 130)
        let ends = try [secret, agreed, answered, unasked].map { try next.intentctl("wait", $0) }
        #expect(ends[0].output == "\(password.utf8.count)\n", "\(ends[0].errors)")
        #expect(ends[1].output == "ordered\n", "\(ends[1].errors)")
        #expect(ends[2].output == "4\n", "\(ends[2].errors)")
        #expect(ends[3].code == 76, "\(ends[3].errors)")
        let grep = try Command(
            URL(filePath: "/usr/bin/grep"),
            ["-rlaF", password, next.folder.appending("state").path]
        )
        #expect(grep.exitCode() == 1, "\(grep.output)")
    }

    @Test(arguments: [("--yes", 0, "ordered late\n"), ("--no-input", 76, "")])
    func `answers given in advance apply to a running run after intentd was killed`(
        option: String,
        code: Int32,
        output: String
    ) throws {
        let daemon = try Daemon(sharesLauncher: true)
        let begun = try daemon.intentctl("run", "--detach", option, "Probe/AskSomething", "--way", "late")
        let run = begun.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try daemon.run() == run)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        // The run asks only now, under the new intentd.
        try next.bring()
        let end = try next.intentctl("wait", run)
        #expect(end.code == code, "\(end.errors)")
        #expect(end.output == output)
    }

    @Test func `a limit survives a kill of intentd, and the downtime does not count`() throws {
        let daemon = try Daemon(limits: ["Runtime=3s", "Grace=100ms"], sharesLauncher: true)
        let client = try SocketClient(daemon)
        let run = try client.perform("Slow", ["seconds": 60])
        _ = try daemon.run()
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        let again = try SocketClient(next)
        _ = try again.ask(["type": "watch", "run": run])
        let outcome = try again.outcome(of: run)
        #expect(outcome["kind"] as? String == "cancelled" && outcome["reason"] as? String == "timeout", "\(outcome)")
    }

    @Test func `the exit status of a worker that crashes while intentd is down is recorded`() throws {
        let daemon = try Daemon(sharesLauncher: true)
        let client = try SocketClient(daemon)
        let run = try client.perform("Slow", ["seconds": 60])
        _ = try daemon.run()
        let worker = try #require(try daemon.settledWorkers().keys.first)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        kill(worker, SIGSEGV)
        try eventually("the worker has exited") { daemon.workers.isEmpty }
        let next = try Daemon(after: daemon)
        var shown: [String: Any] = [:]
        try eventually("its exit is recorded: \(shown)") {
            shown = try next.json("show", run)
            return shown["exitedMilliseconds"] != nil
        }
        #expect(shown["outcome"] as? String == "crashed")
        #expect((shown["processEnd"] as? [String: Any])?["signaled"] as? Int == Int(SIGSEGV))
    }

    @Test func `a history file that is locked for a moment while intentd starts costs no run`() throws {
        let daemon = try Daemon(configuration: ["MaxRuns=1"], sharesLauncher: true)
        let client = try SocketClient(daemon)
        let first = try client.perform("AwaitFile")
        let request = SocketClient.performance(of: "Echo", ["text": "later"])
        let second = try #require(try client.ask(request)["run"] as? String)
        _ = try daemon.run()
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let database = daemon.folder.appending("state/history.sqlite").path
        let holder = try Command(
            URL(filePath: "/usr/bin/python3"),
            [
                "-c",
                "import sqlite3, sys, time\nbase = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
                    + "base.execute('BEGIN EXCLUSIVE')\nprint('held', flush=True)\ntime.sleep(1)", database,
            ]
        )
        try eventually("the history file is locked: \(holder.errors)") { holder.output.contains("held") }
        let next = try Daemon(after: daemon)
        let again = try SocketClient(next)
        #expect(try again.ask(request)["run"] as? String == second)
        try next.bring()
        #expect(try again.outcome(of: second)["value"] as? String == "later")
        let shown = try next.json("show", first)
        #expect(shown["outcome"] as? String == "done", "\(shown)")
    }
}

/// A lock on the history file, held by another program.
private final class HistoryLock {
    private let process = Process()
    private let input = Pipe()

    init(of daemon: Daemon) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // The timeout covers a transaction of intentd that is under way.
        process.arguments = [
            "sqlite3", "-bail", "-cmd", ".timeout 20000", daemon.folder.appending("state/history.sqlite").path,
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        input.fileHandleForWriting.write(Data("BEGIN IMMEDIATE;\nSELECT 'held';\n".utf8))
        #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).contains("held"))
    }

    /// Locks the history, and performs a run that ends before intentd gives up waiting for the lock.
    static func acquiredAroundRun(of daemon: Daemon) throws -> HistoryLock {
        while true {
            let lock = try HistoryLock(of: daemon)
            let run = try daemon.start(["run", "Probe/Echo", "--text", "reported"])
            let end = ContinuousClock.now + .seconds(6)
            while run.isRunning, ContinuousClock.now < end { usleep(10_000) }
            if !run.isRunning, run.exitCode() == 0 {
                #expect(run.output == "reported\n")
                return lock
            }
            // On a slow host intentd notices the lock first: it refuses the run, or delays its outcome. Try again.
            try lock.release()
            run.exitCode()
            try eventually("runs are accepted again") {
                try daemon.intentctl("run", "Probe/Echo", "--text", "x").code == 0
            }
            #expect(try daemon.intentctl("history").code == 0)
        }
    }

    /// The `text` parameter of the newest run in the history.
    func newestText(in daemon: Daemon) throws -> String? {
        let query = "SELECT json_extract(parameters, '$.text') FROM runs ORDER BY number DESC LIMIT 1"
        let words = ["sqlite3", daemon.folder.appending("state/history.sqlite").path, query]
        let found = try Command(URL(filePath: "/usr/bin/env"), words)
        #expect(found.exitCode() == 0, "\(found.errors)")
        return found.output.trimmingCharacters(in: .newlines)
    }

    func release() throws {
        input.fileHandleForWriting.write(Data("COMMIT;\n.quit\n".utf8))
        try eventually("sqlite3 exits") { !process.isRunning }
    }
}
