import Foundation
import Glibc
import TestSupport
import Testing

/// Tests `intentctl retry` and `history --failed --retry`.
@Suite(.ownThread) struct RetryTests {
    /// Performs an intent that fails, and returns its run.
    private func failed(_ message: String, of daemon: Daemon) throws -> String {
        let run = try daemon.intentctl("run", "--detach", "Probe/Throws", "--message", message).output.trimmed
        _ = try daemon.intentctl("wait", run)
        return run
    }

    private func newest(of daemon: Daemon) throws -> String {
        let runs = try #require(try daemon.json("history")["runs"] as? [[String: Any]])
        return try #require(runs.first?["run"] as? String)
    }

    private func runCount(of daemon: Daemon) throws -> Int {
        try #require(try daemon.json("history")["runs"] as? [[String: Any]]).count
    }

    @Test func `a retry has the recorded values, except for replaced ones, and names the run that it retries`() throws {
        let daemon = try Daemon()
        let run = try failed("no such customer", of: daemon)
        let again = try daemon.intentctl("retry", run)
        #expect(again.code == 1 && again.errors.contains("no such customer"), "\(again)")
        #expect(try daemon.json("show", try newest(of: daemon))["retryOf"] as? String == run)
        let other = try daemon.intentctl("retry", run, "--message", "no such product")
        #expect(other.code == 1 && other.errors.contains("no such product"), "\(other)")
        let detached = try daemon.intentctl("retry", "--detach", run)
        let newest = try newest(of: daemon)
        #expect(detached.code == 0 && detached.output.trimmed == newest, "\(detached)")
    }

    @Test func `a repetition reads a schedule's credential again, and other secrets are those of the failed run`()
        throws
    {
        let folder = try TemporaryFolder()
        let secret = folder.appending("password")
        let units = folder.appending("systemd/user")
        try FileManager.default.createDirectory(at: units, withIntermediateDirectories: true)
        let daemon = try Daemon(variables: ["XDG_CONFIG_HOME=\(folder.url.path)"])
        let out = try daemon.makeFolder("out")
        chmod(out.path, 0o777)
        _ = try daemon.writeCommands(
            """
            [Sandbox]
            WritePaths=\(out.path)
            [Intent Sign]
            Exec=/bin/sh -c 'echo "$KEY $OTHER" >>\(out.path)/seen; exit 1'
            Environment=KEY=%{apiKey} OTHER=%{other}
            Retry=1
            Backoff=2s..2s
            [Intent Sign.Parameter apiKey]
            Secret=yes
            [Intent Sign.Parameter other]
            Secret=yes
            """
        )
        #expect(try daemon.intentctl("reload").code == 0)
        func seen() -> String { (try? String(contentsOf: out.appending(path: "seen"), encoding: .utf8)) ?? "" }
        let record = #"{"app":"tools","credentials":{"api-key":"\#(secret.path)"},"intent":"Sign","name":"signs"}"#
        try Data("#\n# intentctl-schedule: \(record)\n".utf8)
            .write(to: units.appending(path: "intent-schedule-signs.timer"))
        for (key, expected) in [("schedule:signs:1", "old a\nnew a\n"), ("schedule:other:1", "old a\nold a\n")] {
            try Data("old\n".utf8).write(to: secret)
            let arguments = ["run", "--key", key, "tools/Sign", "--api-key", "old", "--other", "a"]
            #expect(try daemon.start(arguments).exitCode() == 1)
            try Data("new\n".utf8).write(to: secret)
            try eventually("the run is repeated: \(seen())") { seen().split(separator: "\n").count == 2 }
            #expect(seen() == expected)
            try FileManager.default.removeItem(at: out.appending(path: "seen"))
        }
    }

    @Test func `a secret and a file are not recorded, so a retry requests and accepts them`() throws {
        let daemon = try Daemon()
        #expect(try daemon.intentctl("run", "Probe/SignIn", "--user", "ann", "--password", "pass-1").code == 0)
        let run = try newest(of: daemon)
        let without = try daemon.intentctl("retry", run)
        #expect(without.code == 64 && without.errors.contains("missing: --password"), "\(without)")
        let with = try daemon.intentctl("retry", run, "--password", "pass-2")
        #expect(with.code == 0, "\(with)")
        #expect(
            (try daemon.json("show", try newest(of: daemon))["parameters"] as? [String: Any])?["user"] as? String
                == "ann"
        )

        let file = daemon.folder.appending("numbers.txt")
        try Data("1 2 3".utf8).write(to: file)
        let first = try daemon.intentctl("run", "--out", daemon.folder.url.path, "Probe/EchoFile", "--file", file.path)
        #expect(first.code == 0, "\(first)")
        let echoed = try newest(of: daemon)
        let unnamed = try daemon.intentctl("retry", echoed)
        #expect(unnamed.code == 64 && unnamed.errors.contains("--file"), "\(unnamed)")
        let named = try daemon.intentctl("retry", "--out", daemon.folder.url.path, echoed, "--file", file.path)
        #expect(named.code == 0, "\(named)")
    }

    @Test func `Retry= repeats a run with its file from the beginning and its secret, which is not stored`() throws {
        let daemon = try Daemon()
        let out = try daemon.makeFolder("out")
        chmod(out.path, 0o777)
        _ = try daemon.writeCommands(
            """
            [Sandbox]
            WritePaths=\(out.path)
            [Intent Flaky]
            Exec=/bin/sh -c 'echo "$KEY $(cat)" >> \(out.path)/log; [ $(wc -l < \(out.path)/log) = 3 ]'
            StandardInput=%{file}
            Environment=KEY=%{key}
            Retry=3
            Backoff=1s..1s
            [Intent Flaky.Parameter file]
            Type=file
            [Intent Flaky.Parameter key]
            Secret=yes
            """
        )
        let file = daemon.folder.appending("letters.txt")
        try Data("hello".utf8).write(to: file)
        let ran = try daemon.intentctl("run", "tools/Flaky", "--file", file.path, "--key", "sesame-open")
        #expect(ran.code == 1, "\(ran)")
        let first = try #require(try daemon.json("history")["runs"] as? [[String: Any]]).last?["run"] as? String
        var runs: [[String: Any]] = []
        try eventually("the second repetition succeeds: \(runs)") {
            runs = try daemon.json("history")["runs"] as? [[String: Any]] ?? []
            return runs.count == 3 && runs.first?["outcome"] as? String == "done"
        }
        let second = try daemon.json("show", try newest(of: daemon))["retryOf"] as? String
        #expect(try daemon.json("show", try #require(second))["retryOf"] as? String == first)
        let log = try String(contentsOf: out.appending(path: "log"), encoding: .utf8)
        #expect(log == String(repeating: "sesame-open hello\n", count: 3))
        let state = URL(filePath: Daemon.state(in: daemon.folder))
        for name in try FileManager.default.contentsOfDirectory(atPath: state.path) where name.hasPrefix("history") {
            let bytes = try Data(contentsOf: state.appending(path: name))
            #expect(bytes.range(of: Data("sesame-open".utf8)) == nil, "\(name) contains the secret")
        }
    }

    @Test func `a run that has not ended, an unknown run and values for several runs are refused`() throws {
        let daemon = try Daemon()
        let live = try daemon.intentctl("run", "--detach", "Probe/Slow", "--seconds", "60").output.trimmed
        let early = try daemon.intentctl("retry", live)
        #expect(early.code == 64 && early.errors.contains("has not ended"), "\(early)")
        #expect(try daemon.intentctl("retry", "b0t0pagv5w").code == 66)
        let mixed = try daemon.intentctl("retry", live, live, "--message", "x")
        #expect(mixed.code == 64 && mixed.errors.contains("2 runs"), "\(mixed)")
        #expect(try runCount(of: daemon) == 1)
    }

    @Test func `several runs are retried in the background, and a run that cannot be retried is named`() throws {
        let daemon = try Daemon()
        let first = try failed("one", of: daemon)
        #expect(try daemon.intentctl("run", "Probe/SignIn", "--user", "ann", "--password", "pass-1").code == 0)
        let secret = try newest(of: daemon)
        let retried = try daemon.intentctl("retry", first, secret)
        #expect(retried.code == 64, "\(retried)")
        #expect(retried.output.hasPrefix("\(first) → "), "\(retried)")
        #expect(retried.errors.contains("\(secret): ") && retried.errors.contains("--password"), "\(retried)")
    }

    @Test func `history retries each failed run once, and no other runs`() throws {
        let daemon = try Daemon()
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "fine").code == 0)
        let cancelled = try daemon.intentctl("run", "--detach", "Probe/Slow", "--seconds", "60").output.trimmed
        #expect(try daemon.intentctl("cancel", cancelled).code == 0)
        let runs = [try failed("one", of: daemon), try failed("two", of: daemon)]
        let timedOut = try daemon.intentctl("run", "--limit", "1s", "Probe/Slow", "--seconds", "60")
        #expect(timedOut.code == 124)
        let listed = try #require(try daemon.json("history", "--failed")["runs"] as? [[String: Any]])
        #expect(listed.map { $0["outcome"] as? String } == ["cancelled", "failed", "failed"])

        let unconfirmed = try daemon.intentctl("history", "--failed", "--app", "Probe/Throws", "--retry")
        #expect(unconfirmed.code == 64 && unconfirmed.errors.contains("--yes"), "\(unconfirmed)")
        #expect(try runCount(of: daemon) == 5)
        let retried = try daemon.intentctl("history", "--failed", "--app", "Probe/Throws", "--retry", "--yes")
        #expect(retried.code == 0, "\(retried)")
        let pairs = retried.output.trimmed.split(separator: "\n").map { $0.components(separatedBy: " → ") }
        #expect(pairs.map(\.first) == runs)
        for pair in pairs { _ = try daemon.intentctl("wait", pair[1]) }
        // The retries failed as well. They are retried next, and the first two runs are not retried again.
        let repeated = try daemon.intentctl("history", "--failed", "--app", "Probe/Throws", "--retry", "--yes")
        let earlier = repeated.output.trimmed.split(separator: "\n").map { $0.components(separatedBy: " → ") }
        #expect(Array(earlier.prefix(2)) == pairs, "\(repeated)")
        #expect(try daemon.intentctl("history", "--retry").code == 64)
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
