import Foundation
import Glibc
import TestSupport
import Testing

/// Kills intentd at its fault points, which precede and follow every action and every write of a record, while it performs a
/// shortcut of twenty steps and undoes them.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct ShortcutCrashTests {
    private static let count = 20

    /// Twenty steps that can be undone, and one that fails.
    private static let shortcut =
        "[Shortcut Long]\nOnFailure=undo\n"
        + (1...count).map { "[Step s\($0)]\nIntent=tools/Add\nValues=word=w\($0)\n" }.joined()
        + "[Step last]\nIntent=tools/Fail\n"

    @Test func `no kill of intentd repeats a step, undoes one twice, or loses one`() throws {
        var kills = 0
        let goal = Endurance.kills(few: 40, many: 1000)
        var seed = goal.seed
        while kills < goal.count {
            kills += try killThroughout(seed: seed)
            seed += 1
        }
        print("kills of intentd \(kills), next seed \(seed)")
    }

    /// Performs the shortcut once. Returns how often intentd was killed.
    private func killThroughout(seed: UInt64) throws -> Int {
        var numbers = SeededNumbers(seed: seed)
        var daemon = try ShortcutTests.daemon(Self.shortcut, sharesLauncher: true)
        let run = try daemon.detach("Test/Long")
        var kills = 0
        while kills < 400 {
            daemon.signal(SIGKILL)
            _ = daemon.exitCode()
            kills += 1
            let fault = Int.random(in: 60..<300, using: &numbers)
            daemon = try Daemon(after: daemon, environment: ["INTENTD_FAULT": "\(fault)"])
            try eventually("intentd is killed, or the shortcut has ended") {
                try !daemon.isRunning || Self.hasEnded(run, in: daemon)
            }
            if daemon.isRunning { break }
        }
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let last = try Daemon(after: daemon)
        let end = try last.intentctl("wait", run)
        #expect(end.code == 1, "seed \(seed): \(end)")
        #expect(end.errors.contains("step 'last'"), "seed \(seed): \(end.errors)")
        let expected =
            (1...Self.count).map { "add w\($0)" } + (1...Self.count).reversed().map { "remove w\($0)" }
        #expect(try last.json("run", "tools/Read")["value"] as? [String] == expected, "seed \(seed)")
        try eventually("no worker is left") { last.workers.isEmpty }
        return kills
    }

    // MARK: Kills of both

    /// Twenty idempotent steps, one that fails and is passed over, and one that fails for good.
    private static let repeated =
        "[Shortcut Long]\nOnFailure=undo\n"
        + (1...count).map { "[Step s\($0)]\nIntent=tools/Add\nValues=word=w\($0)\nRetry=100\n" }.joined()
        + "[Step skipped]\nIntent=tools/Fail\nOnError=continue\nRetry=1\n[Step last]\nIntent=tools/Fail\n"

    /// A kill of both ends all workers, and what only memory had, as a power cut does. Only the disk's own cache survives.
    @Test
    func `no kill of intentd and the launcher loses a step, repeats a recorded end, undoes twice, or leaves a process`()
        throws
    {
        var (kills, cuts) = (0, 0)
        let goal = Endurance.kills(few: 15, many: 1000)
        var seed = goal.seed
        while kills < goal.count {
            let killed = try cutThroughout(seed: seed, upTo: min(goal.count, 60))
            kills += killed.kills
            cuts += killed.cuts
            seed += 1
        }
        print("kills of both \(kills), of the launcher \(cuts), next seed \(seed)")
    }

    private func cutThroughout(seed: UInt64, upTo limit: Int) throws -> (kills: Int, cuts: Int) {
        var numbers = SeededNumbers(seed: seed)
        var daemon = try Daemon(sharesLauncher: true)
        let tools = ShortcutTests.tools.replacing("[Intent Add]", with: "[Intent Add]\nIdempotent=yes")
        try daemon.writeCommands(tools)
        // The setting is in effect once intentd has been killed below.
        try Data("[History]\nDurability=power\n".utf8).write(to: daemon.folder.appending("etc/intentd.conf"))
        try daemon.writeShortcut(Self.repeated, as: "Test")
        let run = try daemon.detach("Test/Long")
        var (kills, cuts) = (0, 0)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        while true {
            kills += 1
            let environment =
                kills < limit ? ["INTENTD_FAULT": "\(Int.random(in: 40..<260, using: &numbers))"] : [:]
            // The first intentd has recorded the run with Durability=process: its record is in the launcher's memory at first.
            if Int.random(in: 0..<3, using: &numbers) == 0, kills > 1 {
                cuts += 1
                daemon = try Self.nextOfBoth(after: daemon, environment)
            } else {
                daemon = try Daemon(after: daemon, environment: environment)
            }
            try eventually("intentd is killed, or the shortcut has ended") {
                try !daemon.isRunning || Self.hasEnded(run, in: daemon)
            }
            if daemon.isRunning { break }
        }
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let last = try Daemon(after: daemon)
        let end = try last.intentctl("wait", run)
        #expect(end.code == 1, "seed \(seed): \(end)")
        #expect(end.errors.contains("step 'last'"), "seed \(seed): \(end.errors)")
        try check(run, in: last, seed: seed)
        try eventually("no worker is left") { last.workers.isEmpty }
        return (kills, cuts)
    }

    private static func nextOfBoth(after daemon: Daemon, _ environment: [String: String]) throws -> Daemon {
        let launcher = try #require(daemon.sharedLauncherNumber)
        kill(launcher, SIGKILL)
        try eventually("the launcher has exited") { !ProcessFamily.lives(launcher) }
        return try Daemon(afterLauncherOf: daemon, environment: environment)
    }

    /// Compares the records of the steps with what the programs did.
    private func check(_ run: String, in daemon: Daemon, seed: UInt64) throws {
        let client = try SocketClient(daemon)
        let answer = try client.ask(["type": "history", "shortcut": run, "count": 1000])
        let runs = try #require((answer["history"] as? [String: Any])?["runs"] as? [[String: Any]], "\(answer)")
        let log = try daemon.json("run", "tools/Read")["value"] as? [String] ?? []
        #expect(runs.allSatisfy { $0["outcome"] != nil }, "seed \(seed): a run has no end")
        for number in 1...Self.count {
            let attempts = runs.filter { ($0["step"] as? [String: Any])?["name"] as? String == "s\(number)" }
            let done = attempts.filter { $0["outcome"] as? String == "done" }
            #expect(done.count == 1, "seed \(seed): s\(number) is done \(done.count) times")
            let added = log.count { $0 == "add w\(number)" }
            #expect(added >= 1 && added <= attempts.count, "seed \(seed): s\(number) was performed \(added) times")
            let undos = runs.filter { $0["undoOf"] as? String == done.first?["run"] as? String }
            #expect(undos.count == 1, "seed \(seed): s\(number) was undone \(undos.count) times")
            let removed = log.count { $0 == "remove w\(number)" }
            let isUndone = undos.first?["outcome"] as? String == "done"
            #expect(isUndone ? removed == 1 : removed <= 1, "seed \(seed): w\(number) was removed \(removed) times")
        }
    }

    /// Reads the history without a request, so that the question passes no fault point of intentd.
    private static func hasEnded(_ run: String, in daemon: Daemon) throws -> Bool {
        let query = "SELECT count(*) FROM ends JOIN runs USING (number) WHERE run = '\(run)'"
        let path = daemon.folder.appending("state/history.sqlite").path
        let command = try Command(URL(filePath: "/usr/bin/env"), ["sqlite3", "-readonly", path, query])
        return command.exitCode() == 0 && command.output == "1\n"
    }
}
