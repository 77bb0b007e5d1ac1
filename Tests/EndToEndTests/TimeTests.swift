import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct TimeTests {
    @Test func `an intent without progress is cancelled at its limit`() throws {
        let daemon = try Daemon(limits: ["Runtime=300ms"])
        let run = try daemon.intentctl("run", "Probe/Slow")
        #expect(run.code == 124)
        #expect(run.errors.contains("timeout"))
        try eventually("no worker is left") { daemon.workers.isEmpty }
    }

    @Test func `progress extends the deadline up to the ceiling`() throws {
        let daemon = try Daemon(limits: ["Runtime=2s", "Ceiling=4s"])
        #expect(try daemon.intentctl("run", "--ceiling", "1min", "Probe/Ticking", "--seconds", "3").code == 0)
        #expect(try daemon.intentctl("run", "Probe/Ticking", "--seconds", "60").code == 124)
        #expect(try daemon.intentctl("why", daemon.newestRun()).output.contains("reached its 4 s ceiling"))
    }

    @Test func `the long ceiling applies inside a background task`() throws {
        let daemon = try Daemon(limits: ["Runtime=2s", "Ceiling=2s", "LongCeiling=1min"])
        #expect(try daemon.intentctl("run", "Probe/Background", "--seconds", "3").code == 0)
    }

    @Test func `with many concurrent runs, progress extends only the deadline of its own run`() throws {
        let daemon = try Daemon(limits: ["Runtime=3s", "Ceiling=60s"])
        func detached(_ words: String...) throws -> String {
            let started = try daemon.start(["run", "--detach"] + words)
            #expect(started.exitCode() == 0, "\(started.errors)")
            return started.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        // Ten reports per second and run, so that intentd reads many of them together.
        let ticking = try (0..<40).map { _ in try detached("Probe/Ticking", "--seconds", "6") }
        let stuck = try detached("Probe/Stuck")
        for run in ticking { #expect(try daemon.intentctl("wait", run).code == 0) }
        #expect(try daemon.intentctl("wait", stuck).code == 124)
        #expect(try daemon.intentctl("why", stuck).output.contains("made no progress for 3 s"))
    }

    @Test func `progress messages alone do not extend the deadline`() throws {
        // Long enough for the app to start on a busy machine.
        let daemon = try Daemon(limits: ["Runtime=3s", "Ceiling=20s"])
        #expect(try daemon.intentctl("run", "Probe/Stuck").code == 124)
        let why = try daemon.intentctl("why", daemon.newestRun()).output
        #expect(why.contains("made no progress for 3 s"), "\(why)")
    }

    @Test func `a caller may shorten the limit, or extend it up to the ceiling`() throws {
        let daemon = try Daemon(limits: ["Runtime=500ms", "Ceiling=10s"])
        #expect(try daemon.intentctl("run", "--limit", "5s", "Probe/Slow", "--seconds", "1").code == 0)
        #expect(try daemon.intentctl("run", "--limit", "100ms", "Probe/Slow").code == 124)
        // The wording depends on whether the app had started by then. The limit is the caller's in both cases.
        let why = try daemon.intentctl("why", daemon.newestRun()).output
        #expect(why.contains("within 100 ms") || why.contains("exceeded its 100 ms limit"), "\(why)")
    }

    @Test func `requests above the operator's limits are reduced with a note, and why names the caller's ceiling`()
        throws
    {
        let daemon = try Daemon(limits: ["Runtime=2s", "Ceiling=4s", "LongCeiling=1min"])
        let cut = try daemon.intentctl("run", "--limit", "1h", "--ceiling", "2h", "Probe/Echo", "--text", "a")
        #expect(cut.code == 0)
        #expect(cut.errors.contains("--ceiling 2 h is reduced to 1 min (the app's LongCeiling=)\n"), "\(cut.errors)")
        #expect(
            cut.errors.contains("--limit 1 h is reduced to 4 s (the app's RuntimeMax= or Ceiling=)\n"),
            "\(cut.errors)"
        )
        let granted = try daemon.intentctl("run", "--limit", "3s", "Probe/Echo", "--text", "a")
        #expect(!granted.errors.contains("is reduced"))
        #expect(try daemon.intentctl("run", "--ceiling", "3s", "Probe/Ticking", "--seconds", "60").code == 124)
        let why = try daemon.intentctl("why", daemon.newestRun()).output
        #expect(why.contains("reached its 3 s ceiling, which the caller requested (--ceiling)"), "\(why)")
    }

    @Test func `why names the operator's ceiling if both are equal, or if the caller's request was reduced`()
        throws
    {
        let daemon = try Daemon(limits: ["Runtime=2s", "Ceiling=3s", "LongCeiling=3s"])
        #expect(try daemon.intentctl("run", "Probe/Ticking", "--seconds", "60").code == 124)
        let equal = try daemon.intentctl("why", daemon.newestRun()).output
        #expect(equal.contains("reached its 3 s ceiling (LongCeiling=)") && !equal.contains("caller"), "\(equal)")
        #expect(try daemon.intentctl("run", "--ceiling", "1h", "Probe/Ticking", "--seconds", "60").code == 124)
        let cut = try daemon.intentctl("why", daemon.newestRun()).output
        #expect(cut.contains("reached its 3 s ceiling (LongCeiling=)") && !cut.contains("caller"), "\(cut)")
        let story = try daemon.json("show", daemon.newestRun())
        #expect((story["limits"] as? [String: Any])?["isCeilingRequested"] == nil)
    }

    @Test func `the cancellation handler receives the reason, and intentd waits for its clean-up`() throws {
        // The limit includes the app's start, which may be slow on a busy host.
        let daemon = try Daemon(limits: ["Runtime=2s"])
        let run = try daemon.intentctl("run", "Probe/Cleanup")
        #expect(run.code == 124)
        #expect(run.errors.contains("cleaned up: timeout, grace true"))
    }

    @Test func `a run is killed if its clean-up exceeds the grace period`() throws {
        let daemon = try Daemon(limits: ["Runtime=300ms", "GraceCancellable=300ms", "KillDelay=100ms"])
        let run = try daemon.intentctl("run", "Probe/Cleanup", "--milliseconds", "60000")
        #expect(run.code == 124)
        #expect(!run.errors.contains("cleaned up"))
        try eventually("no worker is left") { daemon.workers.isEmpty }
    }

    @Test(arguments: ["false", "true"])
    func `a worker that ignores its cancellation is killed`(_ isBlocking: String) throws {
        let daemon = try Daemon(limits: ["Runtime=2s", "GraceCancellable=2s", "KillDelay=200ms"])
        let run = try daemon.intentctl("run", "Probe/Spin", "--is-blocking=\(isBlocking)")
        #expect(run.code == 124)
        #expect(run.errors.contains("told: timeout"))
        #expect(run.errors.contains("SIGKILL"))
        try eventually("no worker is left") { daemon.workers.isEmpty }
    }
}
