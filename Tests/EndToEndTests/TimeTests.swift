import Foundation
import Testing

@Suite struct TimeTests {
    @Test func `an intent that says nothing is cancelled at its limit, and told why`() throws {
        let daemon = try Daemon(limits: ["Runtime=300ms"])
        let run = try daemon.intentctl("run", "Probe/Slow")
        #expect(run.code == 124)
        #expect(run.errors.contains("timeout"))
        try eventually("no worker is left") { daemon.workers.isEmpty }
    }

    @Test func `progress that advances extends the time, as far as the ceiling`() throws {
        let daemon = try Daemon(limits: ["Runtime=2s", "Ceiling=4s"])
        #expect(try daemon.intentctl("run", "--ceiling", "1min", "Probe/Ticking", "--seconds", "3").code == 0)
        #expect(try daemon.intentctl("run", "Probe/Ticking", "--seconds", "60").code == 124)
        #expect(try daemon.intentctl("why", daemon.newestRun()).output.contains("it reached 4 s"))
    }

    @Test func `inside a background task the long ceiling holds`() throws {
        let daemon = try Daemon(limits: ["Runtime=2s", "Ceiling=2s", "LongCeiling=1min"])
        #expect(try daemon.intentctl("run", "Probe/Background", "--seconds", "3").code == 0)
    }

    @Test func `where very many report, each has the time that its own progress buys`() throws {
        let daemon = try Daemon(limits: ["Runtime=3s", "Ceiling=60s"])
        func detached(_ words: String...) throws -> String {
            let started = try daemon.start(["run", "--detach"] + words)
            #expect(started.exitCode() == 0, "\(started.errors)")
            return started.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        // Ten reports a second each, so that they are taken in together.
        let ticking = try (0..<40).map { _ in try detached("Probe/Ticking", "--seconds", "6") }
        let stuck = try detached("Probe/Stuck")
        for run in ticking { #expect(try daemon.intentctl("wait", run).code == 0) }
        #expect(try daemon.intentctl("wait", stuck).code == 124)
        #expect(try daemon.intentctl("why", stuck).output.contains("for 3 s its progress did not advance"))
    }

    @Test func `text alone buys no time`() throws {
        let daemon = try Daemon(limits: ["Runtime=700ms", "Ceiling=10s"])
        #expect(try daemon.intentctl("run", "Probe/Stuck").code == 124)
        let why = try daemon.intentctl("why", daemon.newestRun()).output
        #expect(why.contains("for 700 ms its progress did not advance"), "\(why)")
    }

    @Test func `a caller may ask for less time, or for more up to the ceiling`() throws {
        let daemon = try Daemon(limits: ["Runtime=500ms", "Ceiling=10s"])
        #expect(try daemon.intentctl("run", "--limit", "5s", "Probe/Slow", "--seconds", "1").code == 0)
        #expect(try daemon.intentctl("run", "--limit", "100ms", "Probe/Slow").code == 124)
        // Which of the clocks it was depends on whether the app had begun by then; the time is the caller's.
        let why = try daemon.intentctl("why", daemon.newestRun()).output
        #expect(why.contains("within 100 ms") || why.contains("for 100 ms"), "\(why)")
    }

    @Test func `the handler hears the reason, and its clean-up is waited for`() throws {
        // Long enough for the app's start, which is part of it, on a busy machine.
        let daemon = try Daemon(limits: ["Runtime=2s"])
        let run = try daemon.intentctl("run", "Probe/Cleanup")
        #expect(run.code == 124)
        #expect(run.errors.contains("cleaned up: timeout, grace true"))
    }

    @Test func `a clean-up that outlasts the grace is ended`() throws {
        let daemon = try Daemon(limits: ["Runtime=300ms", "GraceCancellable=300ms", "KillDelay=100ms"])
        let run = try daemon.intentctl("run", "Probe/Cleanup", "--milliseconds", "60000")
        #expect(run.code == 124)
        #expect(!run.errors.contains("cleaned up"))
        try eventually("no worker is left") { daemon.workers.isEmpty }
    }

    @Test(arguments: ["false", "true"])
    func `a worker that ignores everything is killed`(_ isBlocking: String) throws {
        let daemon = try Daemon(limits: ["Runtime=2s", "GraceCancellable=2s", "KillDelay=200ms"])
        let run = try daemon.intentctl("run", "Probe/Spin", "--is-blocking=\(isBlocking)")
        #expect(run.code == 124)
        #expect(run.errors.contains("told: timeout"))
        #expect(run.errors.contains("SIGKILL"))
        try eventually("no worker is left") { daemon.workers.isEmpty }
    }
}
