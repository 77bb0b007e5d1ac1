import Foundation
import Testing

/// Programs that are replaced while they run.
@Suite struct UpgradeTests {
    @Test func `both programs become what took their places, each in its process, and a run goes on`() throws {
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
        #expect(upgraded.output.hasSuffix("; 1 run goes on\n"), "\(upgraded.output)")
        #expect(daemon.runs("intentd", in: daemon.number))
        #expect(daemon.runs("intentd-launcher", in: launcher))
        #expect(try daemon.settledWorkers() == workers)

        try daemon.bring()
        #expect(command.exitCode() == 0, "\(command.errors)")
        #expect(try daemon.json("show", run)["outcome"] as? String == "done")
        // The launcher knows whom to count, and what to remove.
        try eventually("nothing of it is left") { daemon.workers.isEmpty && daemon.isCleared }
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "after").output == "after\n")
        #expect(try daemon.json("status")["isolationGrade"] as? String != "none")
    }

    @Test func `a run changes modes of its files, and of no others, while its launcher becomes another program`() throws
    {
        let daemon = try Daemon(sharesLauncher: true, hasOwnPrograms: true)
        try daemon.install("Attacker", as: "Attacker")
        let command = try daemon.start(["run", "Attacker/Attack", "--attempt", "change for long", "--detail", "15"])
        _ = try daemon.run()
        try daemon.replace("intentd-launcher", with: Programs.url("intentd-launcher"))
        let upgraded = try daemon.intentctl("upgrade")
        #expect(upgraded.output.hasSuffix("; 1 run goes on\n"), "\(upgraded.output)\(upgraded.errors)")
        #expect(command.exitCode() == 0, "\(command.errors)")
        #expect(command.output == "done changed\n")
    }

    @Test func `a worker that ends while its launcher becomes another program is told of as it ended`() throws {
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
            try eventually("nothing of it is left") { daemon.workers.isEmpty && daemon.isCleared }
        }
        #expect(daemon.runs("intentd-launcher", in: launcher))
    }

    @Test func `a new program that cannot take over changes nothing`() throws {
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

    @Test func `a daemon with a launcher of its own says that its runs would not outlive it`() throws {
        let daemon = try Daemon()
        let refused = try daemon.intentctl("upgrade")
        #expect(refused.code == 78)
        #expect(refused.errors.contains("it has a launcher of its own"), "\(refused.errors)")
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "still").output == "still\n")
    }
}
