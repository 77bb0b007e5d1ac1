import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.ownThread) struct CancelTests {
    @Test func `cancel returns after the run's processes have exited`() throws {
        let daemon = try Daemon()
        let running = try daemon.start(["run", "Probe/Cleanup"])
        let run = try daemon.run()
        _ = try daemon.settledWorkers()
        let cancel = try daemon.intentctl("cancel", run)
        #expect(cancel.code == 0, "\(cancel.errors)")
        #expect(daemon.workers.isEmpty)
        #expect(running.exitCode() == 130)
        #expect(running.errors.contains("cleaned up: userCancelled"))
    }

    @Test func `cancel selects a caller's own runs by app and state, and nothing without a selection`() throws {
        let daemon = try Daemon(app: ["[Limits]", "MaxRunsPerApp=1"])
        func live() throws -> [String] {
            let runs = try daemon.json("ps")["runs"] as? [[String: Any]] ?? []
            return runs.compactMap { $0["state"] as? String }
        }
        for _ in 0..<3 { #expect(try daemon.intentctl("run", "--detach", "Probe/Slow", "--seconds", "60").code == 0) }
        try eventually("one runs") { try live().sorted() == ["queued", "queued", "running"] }

        #expect(try daemon.intentctl("cancel").code == 64)
        #expect(try daemon.intentctl("cancel", "--all", "0123456789").code == 64)
        #expect(try daemon.intentctl("cancel", "--app", "Other").errors == "no such run\n")
        let queued = try daemon.intentctl("cancel", "--app", "Probe/Slow", "--state", "queued")
        #expect(queued.code == 0 && queued.output.split(separator: "\n").count == 2, "\(queued)")
        #expect(try live() == ["running"])
        #expect(try daemon.intentctl("cancel", "--all").code == 0)
        #expect(try live().isEmpty)
    }

    @Test func `an interrupt cancels the run and waits for its clean-up`() throws {
        let daemon = try Daemon()
        let running = try daemon.start(["run", "Probe/Cleanup"])
        _ = try daemon.run()
        running.signal(SIGINT)
        #expect(running.exitCode() == 130)
        #expect(running.errors.contains("cleaned up: userCancelled"))
    }

    @Test func `a second interrupt stops waiting and names the run`() throws {
        // The grace period is longer than this test on any host.
        let daemon = try Daemon(limits: ["GraceCancellable=10min"])
        let running = try daemon.start(["run", "Probe/Cleanup", "--milliseconds", "600000"])
        let run = try daemon.run()
        running.signal(SIGINT)
        _ = try daemon.run(in: "stopping")
        // An interrupt that follows the first too closely counts as the same key press.
        try eventually("intentctl stops waiting") {
            running.signal(SIGINT)
            return !running.isRunning
        }
        #expect(running.exitCode() == 75)
        #expect(running.errors.contains(run))
        // A regular stop would wait for the clean-up.
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
    }

    @Test func `the run of a client that is killed ends`() throws {
        let daemon = try Daemon()
        let running = try daemon.start(["run", "Probe/Slow"])
        _ = try daemon.run()
        running.signal(SIGKILL)
        try eventually("no worker is left") { daemon.workers.isEmpty }
        // intentd learns of the exit after the launcher.
        try eventually("no run is live") { try daemon.json("ps")["runs"] as? [String] == [] }
    }

    @Test func `a detached run continues without its client`() throws {
        let daemon = try Daemon()
        let started = try daemon.intentctl("run", "--detach", "Probe/Slow")
        #expect(started.code == 0)
        let run = started.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try daemon.run() == run)
        _ = try daemon.settledWorkers()
        #expect(try daemon.intentctl("cancel", run).code == 0)
        #expect(daemon.workers.isEmpty)
    }

    @Test func `a process that a worker left behind is killed with it`() throws {
        let daemon = try Daemon()
        let run = try daemon.intentctl("run", "Probe/Grandchild")
        #expect(run.code == 0, "\(run.errors)")
        // The printed pid is valid only in the sandbox's PID namespace.
        #expect(Int32(run.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 0)
        try eventually("no worker is left") { daemon.workers.isEmpty }
    }

    @Test func `stopping intentd cancels every run with a reason, and leaves no process or cgroup`() throws {
        let daemon = try Daemon()
        let running = try daemon.start(["run", "Probe/Cleanup"])
        _ = try daemon.run()
        let family = daemon.family.keys
        let launcher = try #require(daemon.family.first { $0.value == Daemon.launcherName }?.key)
        daemon.signal(SIGTERM)
        #expect(daemon.exitCode() == 0)
        #expect(try Daemon.cgroups(of: launcher) == [])
        #expect(running.exitCode() == 143)
        #expect(running.errors.contains("cleaned up: serviceStopping"), "\(running.errors)")
        for process in family { #expect(!ProcessFamily.lives(process)) }
    }

    @Test func `when the launcher is killed, its runs fail with that reason and no worker outlives it`() throws {
        let daemon = try Daemon()
        let running = try daemon.start(["run", "Probe/Slow"])
        _ = try daemon.run()
        let workers = try daemon.settledWorkers().keys
        let launcher = try #require(daemon.family.first { $0.value == Daemon.launcherName }?.key)
        kill(launcher, SIGKILL)
        #expect(running.exitCode() == 70)
        #expect(running.errors.contains("launcher"), "\(running.errors)")
        #expect(daemon.exitCode() == 1)
        try eventually("no worker is left") { !workers.contains(where: ProcessFamily.lives) }
    }

    @Test func `workers do not outlive an intentd that is killed`() throws {
        let daemon = try Daemon()
        let running = try daemon.start(["run", "Probe/Spin"])
        _ = try daemon.run()
        let family = daemon.family.keys
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        #expect(running.exitCode() != 0)
        try eventually("all descendants have exited") { !family.contains(where: ProcessFamily.lives) }
    }
}
