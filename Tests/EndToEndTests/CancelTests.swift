import Foundation
import Glibc
import Testing

@Suite struct CancelTests {
    @Test func `cancel answers when nothing of the run is left`() throws {
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

    @Test func `an interrupt cancels and waits for the clean-up`() throws {
        let daemon = try Daemon()
        let running = try daemon.start(["run", "Probe/Cleanup"])
        _ = try daemon.run()
        running.signal(SIGINT)
        #expect(running.exitCode() == 130)
        #expect(running.errors.contains("cleaned up: userCancelled"))
    }

    @Test func `a second interrupt gives up waiting and names the run`() throws {
        // Longer than this takes on any machine.
        let daemon = try Daemon(limits: ["GraceCancellable=10min"])
        let running = try daemon.start(["run", "Probe/Cleanup", "--milliseconds", "600000"])
        let run = try daemon.run()
        running.signal(SIGINT)
        _ = try daemon.run(in: "stopping")
        // One that follows the first too closely counts as the same press.
        try eventually("it gives up") {
            running.signal(SIGINT)
            return !running.isRunning
        }
        #expect(running.exitCode() == 75)
        #expect(running.errors.contains(run))
        // Which does not wait for the clean-up.
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
    }

    @Test func `a client that vanishes takes its run along`() throws {
        let daemon = try Daemon()
        let running = try daemon.start(["run", "Probe/Slow"])
        _ = try daemon.run()
        running.signal(SIGKILL)
        try eventually("no worker is left") { daemon.workers.isEmpty }
        // The launcher knew before intentd did.
        try eventually("nothing is under way") { try daemon.json("ps")["runs"] as? [String] == [] }
    }

    @Test func `a detached run goes on without its client`() throws {
        let daemon = try Daemon()
        let started = try daemon.intentctl("run", "--detach", "Probe/Slow")
        #expect(started.code == 0)
        let run = started.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try daemon.run() == run)
        _ = try daemon.settledWorkers()
        #expect(try daemon.intentctl("cancel", run).code == 0)
        #expect(daemon.workers.isEmpty)
    }

    @Test func `a process that the worker left behind goes with it`() throws {
        let daemon = try Daemon()
        let run = try daemon.intentctl("run", "Probe/Grandchild")
        #expect(run.code == 0, "\(run.errors)")
        // Its number is one of its own PID namespace.
        #expect(Int32(run.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 0)
        try eventually("no worker is left") { daemon.workers.isEmpty }
    }

    @Test func `stop cancels every run with its reason, and leaves nothing`() throws {
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

    @Test func `a launcher that is killed ends its runs with the truth, and no worker outlives it`() throws {
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

    @Test func `an intentd that is killed takes its workers along`() throws {
        let daemon = try Daemon()
        let running = try daemon.start(["run", "Probe/Spin"])
        _ = try daemon.run()
        let family = daemon.family.keys
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        #expect(running.exitCode() != 0)
        try eventually("nothing is left") { !family.contains(where: ProcessFamily.lives) }
    }
}
