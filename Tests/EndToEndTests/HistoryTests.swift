import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.ownThread) struct HistoryTests {
    @Test func `the record of an ended run is complete`() throws {
        let daemon = try Daemon()
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "hello").code == 0)
        let listed = try #require((try daemon.json("history")["runs"] as? [[String: Any]])?.first)
        #expect(listed["outcome"] as? String == "done")
        #expect(listed["entryPoint"] as? String == "commandLine")
        let run = try #require(listed["run"] as? String)
        var shown = try daemon.json("show", run)
        try eventually("the worker's exit is recorded: \(shown)") {
            shown = try daemon.json("show", run)
            return shown["exitedMilliseconds"] != nil
        }
        #expect(shown["value"] as? String == "hello")
        #expect(shown["dialog"] as? String == "You said: hello")
        #expect((shown["parameters"] as? [String: Any])?["text"] as? String == "hello")
        #expect(shown["user"] as? Int == Int(getuid()))
        #expect((shown["processEnd"] as? [String: Any])?["exited"] as? Int == 0)
        #expect(try #require(shown["peakMemoryBytes"] as? Int) > 1 << 20)
        let states = (shown["changes"] as? [[String: Any]] ?? []).compactMap { $0["state"] as? String }
        #expect(states == ["starting", "running"])
        #expect(try daemon.intentctl("show", run).output.contains("value      \"hello\""))
        #expect(try daemon.intentctl("history").output.contains(run))
    }

    @Test func `the memory and processor time of a run are recorded while it runs, with its child processes`() throws {
        let daemon = try Daemon()
        let started = try daemon.intentctl("run", "--detach", "Probe/Consume", "--mebibytes", "64")
        let run = started.output.trimmingCharacters(in: .whitespacesAndNewlines)
        var samples: [[String: Any]] = []
        try eventually("the run is measured: \(samples)") {
            let changes = try daemon.json("show", run)["changes"] as? [[String: Any]] ?? []
            samples = changes.filter { $0["kind"] as? String == "usage" }
            return samples.count >= 3
        }
        let last = try #require(samples.last)
        #expect(try #require(last["memoryByteCount"] as? Int) > 64 << 20)
        #expect(last["processCount"] as? Int == 2)
        let times = samples.compactMap { $0["processorMilliseconds"] as? Int }
        #expect(times == times.sorted() && times[0] < times[2], "\(times)")
        #expect(try daemon.intentctl("show", run).output.contains("in 2 processes, "))
        #expect(try daemon.intentctl("cancel", run).code == 0)
    }

    @Test func `records survive a kill of intentd, and unfinished runs are recorded as lost`() throws {
        let daemon = try Daemon()
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "kept").code == 0)
        let client = try SocketClient(daemon)
        let request = SocketClient.performance(of: "Slow")
        let run = try #require(try client.ask(request)["run"] as? String)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let second = try Daemon(after: daemon)
        var outcome: String?
        try eventually("the run is recorded as lost; its outcome is \(String(describing: outcome))") {
            outcome = try second.json("show", run)["outcome"] as? String
            return outcome == "lost"
        }
        let runs = try #require(try second.json("history")["runs"] as? [[String: Any]])
        #expect(runs.map { $0["outcome"] as? String } == ["lost", "done"])
        // A repeated request finds its run and the outcome after the crash, too.
        let again = try SocketClient(second)
        #expect(try again.ask(request)["run"] as? String == run)
        #expect(try again.outcome(of: run)["kind"] as? String == "lost")
        #expect(try second.intentctl("why", run).output.contains("intentd exited during the run"))
    }

    @Test func `a backup that is taken while runs are recorded becomes the history of the next intentd`() throws {
        let daemon = try Daemon()
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "before").code == 0)
        let slow = try daemon.intentctl("run", "--detach", "--limit", "9min", "Probe/Slow", "--seconds", "500")
        let run = slow.output.trimmingCharacters(in: .whitespacesAndNewlines)
        try eventually("the run runs") { try daemon.json("show", run)["state"] as? String == "running" }
        let writing = try daemon.start(["run", "Probe/Echo", "--text", "meanwhile"])
        let history = daemon.folder.appending("state/history.sqlite").path
        let backup = daemon.folder.appending("backup.sqlite").path
        let copy = try Command(URL(fileURLWithPath: "/usr/bin/sqlite3"), [history, ".backup '\(backup)'"])
        try #require(copy.exitCode() == 0, "\(copy.errors)")
        #expect(writing.exitCode() == 0)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "after").code == 0)
        daemon.signal(SIGTERM)
        _ = daemon.exitCode()
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: history + end) }
        try FileManager.default.moveItem(atPath: backup, toPath: history)
        let next = try Daemon(after: daemon)
        try eventually("the run of the backup is lost") { try next.json("show", run)["outcome"] as? String == "lost" }
        let exported = try next.intentctl("history", "--export", "jsonl").output
        #expect(exported.contains("\"before\"") && !exported.contains("\"after\""), "\(exported)")
        #expect(try next.intentctl("run", "Probe/Echo", "--text", "again").code == 0)
    }

    @Test func `why explains the limit, the steps of the stop and the setting to change`() throws {
        let daemon = try Daemon(limits: ["GraceCancellable=2s", "KillDelay=100ms"])
        #expect(try daemon.intentctl("run", "--limit", "2s", "Probe/Spin", "--is-blocking").code == 124)
        let why = try why(of: "Probe/Spin", daemon)
        #expect(why.contains("exceeded its 2 s limit (Runtime=)"))
        #expect(why.contains("asked to stop (timeout), with 2 s to clean up"))
        #expect(why.contains("sent SIGTERM"))
        #expect(why.contains("sent SIGKILL"))
        #expect(why.contains("| told: timeout"))
        #expect(why.contains("was waiting in"))
        #expect(why.contains("'intentctl run --limit 4s …'"))
        #expect(why.split(separator: "\n").count <= 24)
        #expect(try daemon.intentctl("run", "--limit", "2s", "Probe/Stuck").code == 124)
        let silent = try self.why(of: "Probe/Stuck", daemon)
        #expect(silent.contains("made no progress for 2 s (Runtime=)"))
        #expect(silent.contains("5%  5/100"))
        #expect(silent.contains("last advance"))
    }

    @Test func `a client's trace context reaches the worker and the record`() throws {
        let daemon = try Daemon()
        let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let ran = try daemon.intentctl("run", "--traceparent", trace, "Probe/Variable", "--name", "TRACEPARENT")
        #expect(ran.output == trace + "\n")
        let run = try #require((try daemon.json("history")["runs"] as? [[String: Any]])?.first?["run"] as? String)
        #expect(try daemon.json("show", run)["traceparent"] as? String == trace)
        #expect(try daemon.intentctl("run", "--traceparent", "mine", "Probe/Echo", "--text", "a").code == 64)
    }

    @Test func `parameters that the operator declares secret are never written to disk`() throws {
        let daemon = try Daemon(app: ["[History]", "Secret=text"])
        #expect(try daemon.intentctl("run", "Probe/Prints", "--text", "hush-hush").code == 0)
        let run = try #require((try daemon.json("history")["runs"] as? [[String: Any]])?.first?["run"] as? String)
        let shown = try daemon.json("show", run)
        #expect(shown["secretParameters"] as? [String] == ["text"])
        #expect((shown["parameters"] as? [String: Any])?.isEmpty == true)
        #expect(try daemon.intentctl("show", run).output.contains("text = (secret)"))
        // The parameter is in neither the file nor its log. The app prints it, so it is in the recorded output.
        let parameters = try Command(
            URL(fileURLWithPath: "/usr/bin/sqlite3"),
            [daemon.folder.appending("state/history.sqlite").path, "SELECT * FROM runs; SELECT * FROM changes"]
        )
        #expect(parameters.exitCode() == 0)
        #expect(!parameters.output.contains("hush-hush"))
        #expect(parameters.output.contains("Prints"))
    }

    @Test func `runs are refused with the reason while they cannot be recorded`() throws {
        let daemon = try Daemon()
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "a").code == 0)
        let file = daemon.folder.appending("state/history.sqlite").path
        // Another program replaces the file with its own.
        for suffix in ["", "-wal", "-shm"] { rename(file + suffix, file + ".away" + suffix) }
        let other = Data("a file of another program".utf8)
        try other.write(to: URL(fileURLWithPath: file))
        var refused = (code: Int32(0), output: "", errors: "")
        try eventually("a run is refused: \(refused)") {
            refused = try daemon.intentctl("run", "Probe/Echo", "--text", "b")
            return refused.code == 75
        }
        #expect(refused.errors.contains("is not an intentd database"))
        #expect(refused.errors.contains("the file is unchanged: move"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == other)
        // Requests that need no record are still served.
        #expect(try daemon.intentctl("list").code == 0)
        #expect(try daemon.json("metrics")["text"].map { "\($0)" }?.contains("intentd_history_up 0\n") == true)
        unlink(file)
        try eventually("runs are accepted again") {
            try daemon.intentctl("run", "Probe/Echo", "--text", "c").code == 0
        }
        #expect((try daemon.json("history")["runs"] as? [Any])?.count == 1)
    }

    /// The output of `why` about the newest run of an intent, once it is complete.
    private func why(of intent: String, _ daemon: Daemon) throws -> String {
        let runs = try daemon.json("history", "--app", intent)["runs"] as? [[String: Any]]
        let run = try #require(runs?.first?["run"] as? String)
        var why = ""
        try eventually("why reports the end of the stop: \(why)") {
            why = try daemon.intentctl("why", run).output
            return why.contains("all processes had exited")
        }
        return why
    }

    @Test func `the output of a run is recorded, printed unchanged by logs and escaped by why`() throws {
        let daemon = try Daemon()
        let line = "a\u{1b}[31mred"
        #expect(try daemon.intentctl("run", "Probe/Prints", "--text", line).code == 0)
        let run = try #require((try daemon.json("history")["runs"] as? [[String: Any]])?.first?["run"] as? String)
        #expect(try daemon.intentctl("logs", run).output == line + "\n")
        #expect(try daemon.intentctl("logs", "--stream", "stderr", run).output == "")
        #expect(try daemon.intentctl("why", run).output.contains("| a\\u{1B}[31mred"))
        #expect(try daemon.intentctl("logs", "0123456789").code == 66)
    }

    @Test func `runs are found by app, state and time`() throws {
        let daemon = try Daemon()
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "a").code == 0)
        #expect(try daemon.intentctl("run", "Probe/ExitWith", "--code", "3").code == 70)
        func outcomes(_ arguments: String...) throws -> [String] {
            let command = try daemon.start(["--output", "json", "history"] + arguments)
            command.exitCode()
            let object = try JSONSerialization.jsonObject(with: Data(command.output.utf8)) as? [String: Any]
            return (object?["runs"] as? [[String: Any]] ?? []).compactMap { $0["outcome"] as? String }
        }
        #expect(try outcomes() == ["crashed", "done"])
        #expect(try outcomes("--state", "crashed") == ["crashed"])
        #expect(try outcomes("--app", "Probe/Echo") == ["done"])
        #expect(try outcomes("--app", "Archive") == [])
        #expect(try outcomes("-n", "1") == ["crashed"])
        #expect(try outcomes("--since", "-1h") == ["crashed", "done"])
        #expect(try outcomes("--until", "yesterday") == [])
        #expect(try daemon.intentctl("history", "--state", "crushed").code == 64)
        #expect(try daemon.intentctl("history", "--since", "soon").code == 64)
        let lines = try daemon.intentctl("history", "--export", "jsonl").output.split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        #expect(try daemon.intentctl("history", "--prune", "-n", "1").output == "removed 1 run\n")
        #expect(try outcomes() == ["crashed"])
    }

    @Test func `exported records are imported into another history, from a damaged export up to the damage`() throws {
        let daemon = try Daemon()
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "a").code == 0)
        #expect(try daemon.intentctl("run", "Probe/Crash").code == 70)
        let exported = try daemon.intentctl("history", "--export", "records").output
        let file = daemon.folder.appending("records.jsonl")
        try Data(exported.utf8).write(to: file)
        let other = try Daemon()
        let imported = try other.intentctl("history", "--import", file.path)
        #expect(imported.output == "imported 2 runs, skipped 0 known and 0 unfinished\n")
        let again = try other.json("history", "--import", file.path)
        #expect(again["knownCount"] as? Int == 2 && again["runCount"] as? Int == 0)
        let runs = try #require(try daemon.json("history")["runs"] as? [[String: Any]])
        let names = runs.compactMap { $0["run"] as? String }
        let others = try #require(try other.json("history")["runs"] as? [[String: Any]])
        #expect(others.compactMap { $0["run"] as? String } == names)
        #expect(others.allSatisfy { $0["isImported"] as? Bool == true })
        #expect(try other.intentctl("show", names[0]).output.contains("from another history"))
        let third = try Daemon()
        try Data("nonsense\n\(exported)".utf8).write(to: file)
        let damaged = try third.intentctl("history", "--import", file.path)
        #expect(damaged.code == 65, "\(damaged.code)")
        #expect(damaged.errors.contains("line 1") && damaged.errors.contains("--export records"))
        #expect(try third.intentctl("history", "--import", "/nonexistent").errors.contains("/nonexistent"))
    }

    @Test func `pruning removes runs beyond the operator's limits together with their files`() throws {
        let daemon = try Daemon(configuration: ["[History]", "MaxRuns=2"])
        for text in ["a", "b", "c", "d"] {
            let run = try daemon.detach("Probe/MakeFile", "--place", "memory", "--text", text)
            _ = try daemon.intentctl("watch", run)
        }
        #expect(try daemon.keptResults.count == 4)
        let runs = try #require(try daemon.json("history")["runs"] as? [[String: Any]]).compactMap {
            $0["run"] as? String
        }
        #expect(try daemon.intentctl("history", "--prune").output == "removed 2 runs\n")
        let left = try #require(try daemon.json("history")["runs"] as? [[String: Any]]).compactMap {
            $0["run"] as? String
        }
        #expect(left == Array(runs.prefix(2)))
        #expect(try Set(daemon.keptResults) == Set(left))
        #expect(try daemon.intentctl("history", "--prune").output == "removed 0 runs\n")
    }

    @Test func `a retry starts after the first run's worker has exited, and names that run`() throws {
        let daemon = try Daemon(limits: ["GraceCancellable=500ms", "KillDelay=200ms"])
        // This run ignores its cancellation and spins until it is killed.
        let first = try daemon.start(["run", "Probe/Spin", "--is-blocking"])
        let run = try daemon.run()
        let second = try daemon.start(["run", "--retry-of", run, "Probe/Echo", "--text", "again"])
        var waiting: String?
        try eventually("the second run waits") {
            let live = try daemon.json("ps")["runs"] as? [[String: Any]] ?? []
            waiting = live.first { $0["state"] as? String == "queued" }?["run"] as? String
            return waiting != nil
        }
        #expect(try daemon.intentctl("cancel", run).code == 0)
        #expect(first.exitCode() == 130)
        #expect(second.exitCode() == 0)
        #expect(second.output == "again\n")
        let old = try daemon.json("show", run)
        let new = try daemon.json("show", try #require(waiting))
        #expect(new["retryOf"] as? String == run)
        #expect(old["signals"] as? [String] == ["SIGTERM", "SIGKILL"])
        let exit = try #require(old["acceptedMilliseconds"] as? Int) + #require(old["exitedMilliseconds"] as? Int)
        let begun = try #require(new["changes"] as? [[String: Any]]).first { $0["state"] as? String == "starting" }
        let start = try #require(new["acceptedMilliseconds"] as? Int) + #require(begun?["afterMilliseconds"] as? Int)
        // Each number was truncated to a millisecond.
        #expect(start + 2 >= exit, "the retry started at \(start), and the first run's worker exited at \(exit)")
        let unknown = try daemon.intentctl("run", "--retry-of", "0123456789", "Probe/Echo", "--text", "x")
        #expect(unknown.code == 66)
        #expect(unknown.errors.contains("you have no such run to retry"))
    }

    @Test func `a flood of output is recorded in part, and logs and metrics count the missing bytes`() throws {
        let daemon = try Daemon()
        #expect(try daemon.intentctl("run", "Probe/Flood", "--line-count", "100000").code == 0)
        let run = try daemon.newestRun()
        try eventually("the worker has exited") { try daemon.json("show", run)["exitedMilliseconds"] != nil }
        let logs = try daemon.intentctl("logs", run)
        #expect(logs.code == 0)
        #expect(logs.output.hasPrefix("line 0 of 100000"))
        let pattern = /a part \((.+)\) of the output was not recorded/
        #expect(logs.errors.firstMatch(of: pattern) != nil, "\(logs.errors)")
        let command = try daemon.start(["--output", "json", "logs", run])
        #expect(command.exitCode() == 0)
        var kept = 0
        var missing = 0
        for line in command.output.split(separator: "\n") {
            let piece = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            kept += (piece?["text"] as? String)?.utf8.count ?? 0
            missing += piece?["leftOutByteCount"] as? Int ?? 0
        }
        let printed = (0..<100_000).reduce(0) { $0 + "line \($1) of 100000, printed to fill buffers\n".utf8.count }
        #expect(kept + missing == printed)
        let metrics = try daemon.intentctl("metrics").output
        #expect(metrics.contains("intentd_unrecorded_output_bytes_total \(missing)\n"), "\(missing): \(metrics)")
    }

    @Test func `a repeated key finds the same run, even after a crash, and refuses other parameters`() throws {
        let daemon = try Daemon()
        let first = try daemon.intentctl("run", "--key", "daily", "Probe/Echo", "--text", "a")
        #expect(first.output == "a\n")
        let again = try daemon.intentctl("run", "--key", "daily", "Probe/Echo", "--text", "a")
        #expect(again.output == "a\n")
        let other = try daemon.intentctl("run", "--key", "daily", "Probe/Echo", "--text", "b")
        #expect(other.code == 64)
        #expect(other.errors.contains("text was \"a\" and is now \"b\""))
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let second = try Daemon(after: daemon)
        #expect(try second.intentctl("run", "--key", "daily", "Probe/Echo", "--text", "a").output == "a\n")
        // wait also reports the outcome of a run from before the crash.
        let run = try #require((try second.json("history")["runs"] as? [[String: Any]])?.first?["run"] as? String)
        #expect(try second.intentctl("wait", run).output == "a\n")
        #expect(try second.intentctl("cancel", run).code == 0)
        #expect((try second.json("history")["runs"] as? [Any])?.count == 1)
        // A repeated key joins a live run.
        let running = try second.start(["run", "--key", "slow", "Probe/Slow"])
        let live = try second.run()
        let joined = try second.intentctl("run", "--detach", "--key", "slow", "Probe/Slow")
        #expect(joined.output == live + "\n")
        running.signal(SIGINT)
        #expect(running.exitCode() == 130)
    }
}
