import Foundation
import TestSupport
import Testing

/// Tests upgrades of running programs.
@Suite(.ownThread) struct UpgradeTests {
    @Test func `both programs execute their new versions in the same processes, and a run continues`() throws {
        let daemon = try Daemon(sharesLauncher: true, hasOwnPrograms: true)
        let launcher = try #require(daemon.sharedLauncherNumber)
        let command = try daemon.start(["run", "Probe/TickUntilFile"])
        let run = try daemon.run()
        let workers = try daemon.settledWorkers()
        try daemon.replace("intentd", with: Programs.intentd)
        try daemon.replace("intentd-launcher", with: Programs.url("intentd-launcher"))
        #expect(!daemon.runs("intentd", in: daemon.number))

        let upgraded = try daemon.intentctl("upgrade")
        #expect(upgraded.code == 0, "\(upgraded.errors)")
        #expect(upgraded.output.hasSuffix("; 1 run continues\n"), "\(upgraded.output)")
        #expect(daemon.runs("intentd", in: daemon.number))
        #expect(daemon.runs("intentd-launcher", in: launcher))
        #expect(try daemon.settledWorkers() == workers)

        try daemon.bring()
        #expect(command.exitCode() == 0, "\(command.errors)")
        #expect(try daemon.json("show", run)["outcome"] as? String == "done")
        // The new launcher still tracks the worker, and removes its folder.
        try eventually("no worker and no run folder remains") { daemon.workers.isEmpty && daemon.isCleared }
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "after").output == "after\n")
        #expect(try daemon.json("status")["isolationGrade"] as? String != "none")
    }

    @Test func `during an upgrade of the launcher, a run can change modes of its own files only`() throws {
        let daemon = try Daemon(sharesLauncher: true, hasOwnPrograms: true)
        try daemon.install("Attacker", as: "Attacker")
        let command = try daemon.start(["run", "Attacker/Attack", "--attempt", "change for long", "--detail", "15"])
        _ = try daemon.run()
        try daemon.replace("intentd-launcher", with: Programs.url("intentd-launcher"))
        let upgraded = try daemon.intentctl("upgrade")
        #expect(upgraded.output.hasSuffix("; 1 run continues\n"), "\(upgraded.output)\(upgraded.errors)")
        #expect(command.exitCode() == 0, "\(command.errors)")
        #expect(command.output == "done changed\n")
    }

    @Test func `the exit status of a worker that crashes during an upgrade of the launcher is reported`() throws {
        let daemon = try Daemon(sharesLauncher: true, hasOwnPrograms: true)
        let launcher = try #require(daemon.sharedLauncherNumber)
        for _ in 0..<5 {
            let command = try daemon.start(["run", "Probe/Slow", "--seconds", "600"])
            let run = try daemon.run()
            let worker = try #require(try daemon.settledWorkers().keys.first)
            try daemon.replace("intentd-launcher", with: Programs.url("intentd-launcher"))
            kill(worker, SIGABRT)
            #expect(try daemon.intentctl("upgrade").code == 0)
            #expect(command.exitCode() == 70, "\(command.errors)")
            let shown = try daemon.json("show", run)
            #expect(shown["outcome"] as? String == "crashed", "\(shown)")
            try eventually("no worker and no run folder remains") { daemon.workers.isEmpty && daemon.isCleared }
        }
        #expect(daemon.runs("intentd-launcher", in: launcher))
    }

    @Test func `an upgrade to a program that cannot take over is refused, and changes nothing`() throws {
        let daemon = try Daemon(sharesLauncher: true, hasOwnPrograms: true)
        let command = try daemon.start(["run", "Probe/AwaitFile"])
        _ = try daemon.run()
        try daemon.replace("intentd", with: URL(fileURLWithPath: "/bin/false"))
        let refused = try daemon.intentctl("upgrade")
        #expect(refused.code == 78, "\(refused.output)")
        #expect(refused.errors.contains("cannot take over"), "\(refused.errors)")
        #expect(daemon.isRunning)

        try daemon.replace("intentd", with: Programs.intentd)
        try daemon.replace("intentd-launcher", with: URL(fileURLWithPath: "/bin/false"))
        #expect(try daemon.intentctl("upgrade").code == 0)
        #expect(daemon.launcherErrors.contains("the new program cannot take over"), "\(daemon.launcherErrors)")
        try daemon.bring()
        #expect(command.exitCode() == 0, "\(command.errors)")
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "still").output == "still\n")
    }

    @Test func `a daemon with a private launcher refuses an upgrade`() throws {
        let daemon = try Daemon()
        let refused = try daemon.intentctl("upgrade")
        #expect(refused.code == 78)
        #expect(refused.errors.contains("its launcher is a child process"), "\(refused.errors)")
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "still").output == "still\n")
    }
}
