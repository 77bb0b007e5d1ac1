import Foundation
import Glibc
import Testing

/// Runs that outlive the intentd that began them.
@Suite(.timeLimit(.minutes(5))) struct AdoptionTests {
    @Test(arguments: ["value", "needsValue", "confirm"])
    func `a question that is open when intentd is killed is open at the next one, which takes the answer`(way: String)
        throws
    {
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

    @Test func `a run goes on when intentd is killed, and its client hears of its end from the next one`() throws {
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
        try eventually("nothing of it is left") { next.workers.isEmpty && next.isCleared }
        let shown = try next.json("show", run)
        #expect(shown["outcome"] as? String == "done")
    }

    @Test func `a run that was told as done while the disk took nothing is on record when intentd was killed`() throws {
        let daemon = try Daemon(sharesLauncher: true)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "before").code == 0)
        #expect(try daemon.intentctl("history").code == 0)
        let begun = try daemon.detach("Probe/Slow", "--seconds", "600")
        #expect(try daemon.run() == begun)
        let holder = try HistoryHolder.telling(daemon)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        try holder.letGo()
        let next = try Daemon(after: daemon)
        #expect(try next.run(in: "running") == begun)
        let runs = try #require(try next.json("history")["runs"] as? [[String: Any]])
        #expect(runs.first?["outcome"] as? String == "done")
        #expect(runs.map { $0["outcome"] as? String }.suffix(2) == [nil, "done"])
        #expect(try next.intentctl("cancel", begun).code == 0)
    }

    @Test func `intentd does not leave with its launcher before the disk has what was told`() throws {
        let daemon = try Daemon(sharesLauncher: true)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "before").code == 0)
        #expect(try daemon.intentctl("history").code == 0)
        let holder = try HistoryHolder.telling(daemon)
        let launcher = try #require(daemon.sharedLauncherNumber)
        kill(launcher, SIGKILL)
        try eventually("intentd knows") { daemon.errors.contains("the launcher is gone") }
        try holder.letGo()
        #expect(daemon.exitCode() == 1)
        let query = "SELECT kind FROM ends ORDER BY number DESC LIMIT 1"
        let words = ["sqlite3", daemon.folder.appending("state/history.sqlite").path, query]
        let ends = try Command(URL(filePath: "/usr/bin/env"), words)
        #expect(ends.exitCode() == 0)
        #expect(ends.output == "done\n")
        #expect(try holder.newest(in: daemon) == "told")
    }

    @Test func `what was left is replayed once where records wait for the disk from then on`() throws {
        let daemon = try Daemon(sharesLauncher: true)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "before").code == 0)
        #expect(try daemon.intentctl("history").code == 0)
        let holder = try HistoryHolder.telling(daemon)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        try holder.letGo()
        let settings = daemon.folder.appending("etc/intentd.conf")
        try Data("[History]\nDurability=power\n".utf8).write(to: settings)
        let second = try Daemon(after: daemon)
        // It answers when it has taken everything over.
        #expect(try second.intentctl("ps").code == 0)
        #expect(try holder.newest(in: second) == "told")
        // The newest is never removed: its number would be given again.
        #expect(try second.intentctl("run", "Probe/Echo", "--text", "after").code == 0)
        try eventually("nothing of the others is left, on record neither") {
            _ = try second.intentctl("history", "--prune", "-n", "0")
            return (try second.json("history")["runs"] as? [[String: Any]])?.count == 1
        }
        second.signal(SIGKILL)
        _ = second.exitCode()
        let third = try Daemon(after: second)
        #expect((try third.json("history")["runs"] as? [[String: Any]])?.count == 1)
    }

    @Test func `somebody at intentctl sees his run through a kill of intentd`() throws {
        let daemon = try Daemon(sharesLauncher: true)
        let command = try daemon.start(["run", "Probe/TickUntilFile"])
        _ = try daemon.run()
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        try command.waitFor("intentd is back")
        try next.bring()
        #expect(command.exitCode() == 0, "\(command.errors)")
        #expect(command.errors.contains("intentd went away"))
    }

    @Test func `a run that waits for a place when intentd is killed begins under the next one, once`() throws {
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

    @Test func `secret values and answers said beforehand outlive intentd with a run that waits`() throws {
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
        // Twice: what is inherited is kept for the next one too.
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
    func `what was said beforehand holds for a run that had begun when intentd was killed`(
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
        // It asks under the next one.
        try next.bring()
        let end = try next.intentctl("wait", run)
        #expect(end.code == code, "\(end.errors)")
        #expect(end.output == output)
    }

    @Test func `a limit holds over a kill of intentd, and the time without one does not count`() throws {
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

    @Test func `a worker that ends while there is no intentd is told of as it ended`() throws {
        let daemon = try Daemon(sharesLauncher: true)
        let client = try SocketClient(daemon)
        let run = try client.perform("Slow", ["seconds": 60])
        _ = try daemon.run()
        let worker = try #require(try daemon.settledWorkers().keys.first)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        kill(worker, SIGSEGV)
        try eventually("the worker is gone") { daemon.workers.isEmpty }
        let next = try Daemon(after: daemon)
        var shown: [String: Any] = [:]
        try eventually("its end is on record: \(shown)") {
            shown = try next.json("show", run)
            return shown["goneMilliseconds"] != nil
        }
        #expect(shown["outcome"] as? String == "crashed")
        #expect((shown["processEnd"] as? [String: Any])?["signaled"] as? Int == Int(SIGSEGV))
    }

    @Test func `a record that somebody holds for a moment while intentd begins costs no run`() throws {
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
        try eventually("it is held: \(holder.errors)") { holder.output.contains("held") }
        let next = try Daemon(after: daemon)
        let again = try SocketClient(next)
        #expect(try again.ask(request)["run"] as? String == second)
        try next.bring()
        #expect(try again.outcome(of: second)["value"] as? String == "later")
        let shown = try next.json("show", first)
        #expect(shown["outcome"] as? String == "done", "\(shown)")
    }
}

/// Another program that holds the file of a history for itself.
private final class HistoryHolder {
    private let process = Process()
    private let input = Pipe()

    init(of daemon: Daemon) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // intentd may be writing at that moment.
        process.arguments = [
            "sqlite3", "-bail", "-cmd", ".timeout 20000", daemon.folder.appending("state/history.sqlite").path,
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        input.fileHandleForWriting.write(Data("BEGIN IMMEDIATE;\nSELECT 'held';\n".utf8))
        #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).contains("held"))
    }

    /// Holds it while a run is accepted, performed and told: all within the moment for which a holder is waited for.
    static func telling(_ daemon: Daemon) throws -> HistoryHolder {
        while true {
            let holder = try HistoryHolder(of: daemon)
            let told = try daemon.start(["run", "Probe/Echo", "--text", "told"])
            let end = ContinuousClock.now + .seconds(6)
            while told.isRunning, ContinuousClock.now < end { usleep(10_000) }
            if !told.isRunning, told.exitCode() == 0 {
                #expect(told.output == "told\n")
                return holder
            }
            // This machine was slow: the holder was noticed first, and the run was refused, or its end waits for the disk.
            try holder.letGo()
            told.exitCode()
            try eventually("runs are taken again") {
                try daemon.intentctl("run", "Probe/Echo", "--text", "x").code == 0
            }
            #expect(try daemon.intentctl("history").code == 0)
        }
    }

    /// What the newest run on record was to say.
    func newest(in daemon: Daemon) throws -> String? {
        let query = "SELECT json_extract(parameters, '$.text') FROM runs ORDER BY number DESC LIMIT 1"
        let words = ["sqlite3", daemon.folder.appending("state/history.sqlite").path, query]
        let found = try Command(URL(filePath: "/usr/bin/env"), words)
        #expect(found.exitCode() == 0, "\(found.errors)")
        return found.output.trimmingCharacters(in: .newlines)
    }

    func letGo() throws {
        input.fileHandleForWriting.write(Data("COMMIT;\n.quit\n".utf8))
        try eventually("who held the file is gone") { !process.isRunning }
    }
}
