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
        var round: UInt64 = 0
        let goal = Endurance.isWhole ? 1000 : 40
        while kills < goal {
            round += 1
            kills += try killThroughout(seed: round)
        }
        print("shortcuts \(round) kills \(kills)")
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

    /// Reads the history without a request, so that the question passes no fault point of intentd.
    private static func hasEnded(_ run: String, in daemon: Daemon) throws -> Bool {
        let query = "SELECT count(*) FROM ends JOIN runs USING (number) WHERE run = '\(run)'"
        let path = daemon.folder.appending("state/history.sqlite").path
        let command = try Command(URL(filePath: "/usr/bin/env"), ["sqlite3", "-readonly", path, query])
        return command.exitCode() == 0 && command.output == "1\n"
    }
}
