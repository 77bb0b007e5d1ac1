import Foundation
import Glibc
import TestSupport
import Testing

/// Tests that UserDefaults, documents and caches outlive a run, in the app's state.
@Suite(.ownThread) struct KeptDefaultsTests {
    private func remembered(_ daemon: Daemon, _ arguments: String...) throws -> String {
        let run = try daemon.start(["run", "Probe/Remember", "--key"] + arguments)
        #expect(run.exitCode() == 0, "\(run.errors)")
        return run.output.replacing("\n", with: " ")
    }

    @Test func `a run sees what earlier runs wrote, also in a worker that was forked before they ended`() throws {
        // An app that starts programs has a root for each run.
        for sandbox in [[], ["Subprocesses=yes"]] {
            let daemon = try Daemon(sandbox: sandbox)
            for count in 1...4 {
                #expect(try remembered(daemon, "k1") == "k1=\(count)+\(count) note-k1 note-k1 note-k1 ", "\(sandbox)")
            }
        }
        let without = try Daemon(app: ["State=no"])
        #expect(try without.intentctl("run", "Probe/Remember", "--key", "k1").output.hasPrefix("k1=1+1\n"))
        #expect(try without.intentctl("run", "Probe/Remember", "--key", "k1").output.hasPrefix("k1=1+1\n"))
    }

    @Test func `private runs keep them in the caller's folder of states`() throws {
        let folder = try TemporaryFolder()
        for count in 1...2 {
            let run = try Command(
                Programs.intentctl,
                ["run", "--local", Programs.url("Probe").path, "Remember", "--key", "k1"],
                environment: ["HOME": folder.url.path, "XDG_STATE_HOME": folder.appending("states").path]
            )
            #expect(run.exitCode() == 0, "\(run.errors)")
            #expect(run.output.hasPrefix("k1=\(count)+\(count)\n"))
        }
    }

    @Test func `the keys of concurrent runs are merged, and a run that is killed leaves its keys unchanged`() throws {
        let daemon = try Daemon()
        #expect(try remembered(daemon, "k1") == "k1=1+1 note-k1 note-k1 note-k1 ")
        let killed = try daemon.detach("Probe/Remember", "--key", "k4", "--waits", "true")
        try eventually("it asks") { try daemon.json("status")["waitingCount"] as? Int == 1 }
        kill(try #require(try daemon.settledWorkers().keys.first), SIGKILL)
        #expect(try daemon.intentctl("wait", killed).code == 70)
        let waiting = try daemon.detach("Probe/Remember", "--key", "k2", "--removed-key", "k1", "--waits", "true")
        try eventually("it asks") { try daemon.json("status")["waitingCount"] as? Int == 1 }
        #expect(try remembered(daemon, "k3").hasPrefix("k1=1+1 k3=1+1 "))
        #expect(try daemon.intentctl("answer", waiting, "yes").code == 0)
        #expect(try daemon.intentctl("wait", waiting).code == 0)
        #expect(try remembered(daemon, "k5").hasPrefix("k2=1+1 k3=1+1 k5=1+1 "))
        // A suite of which the run removes the only key, and a run that empties its folder.
        #expect(try remembered(daemon, "only", "--removed-key", "only").hasPrefix("k2=1+1"))
        #expect(try remembered(daemon, "k6", "--empties", "true").hasPrefix("k2=1+1 k3=1+1 k5=1+1 k6=1+1 "))
        #expect(try remembered(daemon, "k7").hasPrefix("k2=1+1 k3=1+1 k5=1+1 "))
    }
}
