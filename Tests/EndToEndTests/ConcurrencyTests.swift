import Foundation
import Glibc
import TestSupport
import Testing

/// `Concurrency=` and `Exclusive=` with a real intentd. The runs sleep, and end when the test cancels them.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct ConcurrencyTests {
    @Test func `runs wait for runs with the same value, and for the total of all values`() throws {
        let daemon = try Daemon(limits: ["Concurrency=1 by=seconds", "Concurrency=2"])
        let first = try slow(600, on: daemon)
        let second = try slow(600, on: daemon)
        let third = try slow(601, on: daemon)
        let fourth = try slow(602, on: daemon)
        try expect(daemon, working: [first, third], waiting: [second, fourth])
        let why = try daemon.intentctl("why", second)
        #expect(
            why.output.contains(
                "it waits for a slot: other runs of Probe with seconds=600 have not ended (Concurrency=1 by=seconds)"
            ),
            "\(why.output)"
        )
        #expect(try daemon.intentctl("ps").output.contains("waits: other runs of Probe have not ended (Concurrency=2)"))
        #expect(try daemon.intentctl("cancel", third).code == 0)
        // The second run is older, and its value is still in use.
        try expect(daemon, working: [first, fourth], waiting: [second])
        #expect(try daemon.intentctl("cancel", first).code == 0)
        try expect(daemon, working: [second, fourth], waiting: [])
    }

    @Test func `with refuse, a run above the limit fails with exit code 75 and names the limit`() throws {
        let daemon = try Daemon(limits: ["Concurrency=1 by=seconds refuse"])
        let first = try slow(600, on: daemon)
        let refused = try daemon.intentctl("run", "Probe/Slow", "--seconds", "600")
        #expect(refused.code == 75)
        #expect(refused.errors.contains("with seconds=600 have not ended (Concurrency=1 by=seconds refuse)"))
        let other = try slow(601, on: daemon)
        try expect(daemon, working: [first, other], waiting: [])
        #expect(try daemon.intentctl("cancel", first).code == 0)
        #expect(try daemon.intentctl("run", "--detach", "Probe/Slow", "--seconds", "600").code == 0)
    }

    @Test func `with replace, the older run ends with the reason, then the newer one begins`() throws {
        let daemon = try Daemon(limits: ["Concurrency=1 by=seconds replace"])
        let first = try slow(600, on: daemon)
        try expect(daemon, working: [first], waiting: [])
        let second = try slow(600, on: daemon)
        let ended = try daemon.intentctl("wait", first)
        #expect(ended.code == 130)
        #expect(ended.errors.contains("replaced by a newer run"), "\(ended.errors)")
        try expect(daemon, working: [second], waiting: [])
        #expect(try daemon.intentctl("why", first).output.contains("replaced by a newer run"))
    }

    @Test func `limits count the runs that outlive intentd`() throws {
        let limits = ["Concurrency=1 by=seconds", "Concurrency=2", "QueueTimeout=10min"]
        let daemon = try Daemon(limits: limits, sharesLauncher: true)
        let first = try slow(600, on: daemon)
        let third = try slow(601, on: daemon)
        let second = try slow(600, on: daemon)
        try expect(daemon, working: [first, third], waiting: [second])
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        let fourth = try slow(602, on: next)
        try expect(next, working: [first, third], waiting: [second, fourth])
        #expect(try next.intentctl("cancel", third).code == 0)
        try expect(next, working: [first, fourth], waiting: [second])
        #expect(try next.intentctl("cancel", first).code == 0)
        try expect(next, working: [second, fourth], waiting: [])
    }

    @Test func `exclusive runs of a user follow each other, and other intents work beside them`() throws {
        let daemon = try Daemon(app: ["[Intent Slow]", "Exclusive=state"])
        let first = try slow(600, on: daemon)
        let second = try slow(601, on: daemon)
        try expect(daemon, working: [first], waiting: [second])
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "beside").output == "beside\n")
        #expect(try daemon.intentctl("cancel", first).code == 0)
        try expect(daemon, working: [second], waiting: [])
    }

    @Test func `an unknown parameter keeps the app from running, with the next step`() throws {
        let daemon = try Daemon(app: ["[Intent Slow]", "Concurrency=1 by=second"])
        let run = try daemon.intentctl("run", "Probe/Slow", "--seconds", "0")
        #expect(run.code == 78)
        let words = "by=second, which is not the name of a parameter; did you mean 'seconds'"
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(run.errors.contains("intentctl reload"))
        let reload = try daemon.intentctl("reload")
        #expect(reload.errors.contains(words), "\(reload.errors)")
        #expect(try daemon.intentctl("status").output.contains(words))
    }

    @Test(.enabled(if: Daemon.canBecomeOthers, "needs root to act as several users"))
    func `a run replaces only a run of its user, and waits for the run of another user`() throws {
        let daemon = try Daemon(app: ["[Intent Slow]", "Concurrency=1 replace"])
        try daemon.admitEverybody()
        let first = try daemon.start(as: 41_001, ["run", "Probe/Slow", "--seconds", "600"])
        _ = try daemon.run()
        let second = try daemon.start(as: 41_002, ["run", "Probe/Slow", "--seconds", "600"])
        _ = try daemon.run(in: "queued")
        #expect(first.isRunning && second.isRunning)
        let third = try daemon.start(as: 41_002, ["run", "Probe/Slow", "--seconds", "600"])
        #expect(second.exitCode() == 130)
        #expect(second.errors.contains("replaced"))
        first.signal(SIGINT)
        #expect(first.exitCode() == 130)
        _ = try daemon.run()
        third.signal(SIGINT)
        #expect(third.exitCode() == 130)
    }

    @Test(.enabled(if: Daemon.canBecomeOthers, "needs root to act as several users"))
    func `a user with twice the weight gets twice as many slots, and no user waits for all runs of the other`() throws {
        let (heavy, light): (UInt32, UInt32) = (41_003, 41_004)
        let daemon = try Daemon(
            limits: ["QueueTimeout=10min"],
            configuration: ["MaxRuns=1", "Weight=\(heavy):200", "Weight=\(light):100"]
        )
        try daemon.admitEverybody()
        var owners: [String: UInt32] = [:]
        func submit(as user: UInt32) throws {
            let answer = try daemon.intentctl(as: user, "run", "--detach", "Probe/Slow", "--seconds", "600")
            try #require(answer.code == 0, "\(answer.errors)")
            owners[answer.output.trimmingCharacters(in: .whitespacesAndNewlines)] = user
        }
        // The only slot is in use until both backlogs are complete.
        let first = try slow(600, on: daemon)
        try expect(daemon, working: [first], waiting: [])
        for _ in 0..<9 { try submit(as: heavy) }
        for _ in 0..<9 { try submit(as: light) }
        var turns: [UInt32] = []
        var working = first
        for _ in 0..<9 {
            #expect(try daemon.intentctl("cancel", working).code == 0)
            working = try daemon.run()
            turns.append(try #require(owners[working]))
        }
        #expect(turns.filter { $0 == heavy }.count == 6, "\(turns)")
        #expect(turns.prefix(3).contains(light), "\(turns)")
    }

    @Test func `of a user's waiting runs, those with the higher priority begin first, and equal ones in their order`()
        throws
    {
        let daemon = try Daemon(
            limits: ["QueueTimeout=10min"],
            app: ["[Intent Ticking]", "Priority=10", "[Intent AskSomething]", "Priority=-10"],
            configuration: ["MaxRuns=1"]
        )
        let first = try slow(600, on: daemon)
        try expect(daemon, working: [first], waiting: [])
        let asking = try daemon.detach("Probe/AskSomething", "--way", "value")
        let slow = [try slow(601, on: daemon), try slow(602, on: daemon)]
        let ticking = [
            try daemon.detach("Probe/Ticking", "--seconds", "600"),
            try daemon.detach("Probe/Ticking", "--seconds", "601"),
        ]
        try expect(daemon, working: [first], waiting: Set([asking] + slow + ticking))
        var waiting = ticking + slow
        var working = first
        while !waiting.isEmpty {
            #expect(try daemon.intentctl("cancel", working).code == 0)
            working = waiting.removeFirst()
            try expect(daemon, working: [working], waiting: Set([asking] + waiting))
        }
    }

    private func slow(_ seconds: Int, on daemon: Daemon) throws -> String {
        try daemon.detach("Probe/Slow", "--seconds", "\(seconds)")
    }

    private func expect(_ daemon: Daemon, working: Set<String>, waiting: Set<String>) throws {
        var found: [Set<String>] = []
        try eventually("\(working) work and \(waiting) wait: \(found)") {
            let runs = try daemon.json("ps")["runs"] as? [[String: Any]] ?? []
            func with(_ states: [String]) -> Set<String> {
                Set(runs.filter { states.contains($0["state"] as? String ?? "") }.compactMap { $0["run"] as? String })
            }
            found = [with(["running"]), with(["queued"])]
            return found == [working, waiting]
        }
    }
}
