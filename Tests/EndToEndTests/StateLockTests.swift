import Foundation
import Glibc
import TestSupport
import Testing

/// Tests `IntentState.withLock` with real workers that share a state folder.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct StateLockTests {
    @Test func `one run at a time has the lock, and the next one gets it when the holder ends or crashes`() throws {
        let daemon = try Daemon()
        for crashes in [false, true] {
            let holder = try daemon.detach("Probe/HoldLock")
            let worker = try #require(try daemon.settledWorkers().keys.first)
            _ = try daemon.runFolder(holding: "go.awaited")
            let waiting = try daemon.start(["run", "Probe/CountUp"])
            _ = try daemon.settledWorkers(2)
            #expect(waiting.isRunning)
            if crashes { kill(worker, SIGKILL) } else { try daemon.bring() }
            #expect(waiting.exitCode() == 0, "\(waiting.errors)")
            #expect(waiting.output == (crashes ? "2\n" : "1\n"))
            #expect(try daemon.intentctl("wait", holder).code == (crashes ? 70 : 0))
        }
    }

    @Test func `a run that waits for the lock ends when it is cancelled`() throws {
        let daemon = try Daemon()
        _ = try daemon.detach("Probe/HoldLock")
        _ = try daemon.settledWorkers()
        _ = try daemon.runFolder(holding: "go.awaited")
        let waiting = try daemon.detach("Probe/CountUp")
        _ = try daemon.settledWorkers(2)
        #expect(try daemon.intentctl("cancel", waiting).code == 0)
        #expect(try daemon.intentctl("wait", waiting).code == 130)
        #expect(try daemon.intentctl("cancel", "--all").code == 0)
    }

    @Test(
        .enabled(if: Daemon.canBecomeOthers, "needs root to act as several users"),
        arguments: [true, false]
    )
    func `users wait for each other only if they share the folder`(isShared: Bool) throws {
        let daemon = try Daemon(app: isShared ? ["State=shared"] : [])
        try daemon.admitEverybody()
        let holder = try daemon.start(as: 41_001, ["run", "Probe/HoldLock"])
        _ = try daemon.runFolder(holding: "go.awaited")
        let other = try daemon.start(as: 41_002, ["run", "Probe/CountUp"])
        if isShared {
            _ = try daemon.settledWorkers(2)
            #expect(other.isRunning)
            try daemon.bring()
            #expect(holder.exitCode() == 0)
        }
        #expect(other.exitCode() == 0, "\(other.errors)")
        #expect(other.output == "1\n")
        if !isShared {
            try daemon.bring()
            #expect(holder.exitCode() == 0, "\(holder.errors)")
        }
    }

    @Test func `concurrent tasks and runs lose no increment`() throws {
        let daemon = try Daemon()
        let runs = try (0..<4).map { _ in try daemon.start(["run", "Probe/CountUp", "--times", "20"]) }
        for run in runs { #expect(run.exitCode() == 0, "\(run.errors)") }
        #expect(try daemon.intentctl("run", "Probe/CountUp").output == "81\n")
    }

    @Test func `a nested lock, and a lock without a state folder, are errors`() throws {
        let daemon = try Daemon()
        let twice = try daemon.intentctl("run", "Probe/LockTwice")
        #expect(twice.code == 1)
        #expect(twice.errors.contains("this task already holds the lock of the state folder"))
        let without = try Daemon(app: ["State=no"])
        let none = try without.intentctl("run", "Probe/HoldLock")
        #expect(none.code == 1)
        #expect(none.errors.contains("the app has no state folder"))
    }
}
