import Foundation
import Glibc
import Testing

/// What the launcher does with what runs leave behind.
@Suite(.timeLimit(.minutes(5))) struct LauncherTests {
    /// What twenty runs may cost the launcher, in clock ticks: several times what they do.
    private static let tickLimit = 150

    @Test func `a run of an app that was built for another version says that the app must be built again`() throws {
        let daemon = try Daemon()
        try daemon.install("Attacker", as: "Older", app: ["Environment=ATTACKER_SERVER=older"])
        let run = try daemon.intentctl("run", "Older/Attack", "--attempt", "processes")
        #expect(run.code != 0)
        #expect(run.errors.contains("does not understand this launcher's commands"), "\(run.errors)")
        #expect(run.errors.contains("Build '\(daemon.folder.appending("apps/Older").path)' again"), "\(run.errors)")
    }

    @Test(arguments: [Daemon.Owner.tester, .ordinaryUser])
    func `the launcher works when something happens, and not in between`(_ owner: Daemon.Owner) throws {
        let daemon = try Daemon(limits: ["Spare=0"], owner: owner)
        let launcher = try daemon.launcher()
        let client = try SocketClient(daemon)
        func ticksOfTwentyRuns() throws -> Int {
            let before = try ProcessFamily.ticks(of: launcher)
            for _ in 0..<20 {
                let run = try client.perform("Slow", ["seconds": 0.2])
                #expect(try client.outcome(of: run)["kind"] as? String == "done")
            }
            return try ProcessFamily.ticks(of: launcher) - before
        }
        // Started, and its app known.
        _ = try ticksOfTwentyRuns()
        // Four seconds and more with a live worker: one that spins uses the larger part of them.
        #expect(try ticksOfTwentyRuns() < Self.tickLimit)
        for _ in 0..<5 {
            let run = try client.perform("Grandchild")
            #expect(try client.outcome(of: run)["kind"] as? String == "done")
        }
        // Two that live on while the others come and go, one of them with a family.
        _ = try client.perform("Slow")
        _ = try client.perform("ForkStorm", ["stays": true, "name": "storm"])
        #expect(try ticksOfTwentyRuns() < Self.tickLimit)
    }

    @Test func `with its intentd a private launcher goes, whatever it was making at that moment`() throws {
        for round in 0..<20 {
            let daemon = try Daemon(limits: ["Spare=32"])
            let launcher = try daemon.launcher()
            let client = try SocketClient(daemon)
            for _ in 0..<2 {
                let run = try client.perform("Echo", ["text": "a"])
                if round % 2 == 0 { _ = try client.outcome(of: run) }
            }
            // Another moment in each round.
            usleep(UInt32(round * 500))
            daemon.signal(SIGKILL)
            try eventually("it is gone") { !ProcessFamily.lives(launcher) }
        }
    }

    @Test(arguments: [false, true])
    func `where there are no cgroups, a storm of processes leaves none behind`(_ stays: Bool) throws {
        let daemon = try Daemon(
            limits: ["Spare=0", "GraceCancellable=500ms", "KillDelay=200ms"],
            owner: .ordinaryUser
        )
        let launcher = try daemon.launcher()
        let client = try SocketClient(daemon)
        let name = "storm-" + SocketClient.newRequest.prefix(8)
        let run = try client.perform("ForkStorm", ["stays": stays, "name": name])
        if stays {
            // The first line of it comes when the storm has begun.
            while try client.nextEvent()["type"] as? String != "output" {}
            let answer = try client.ask(["type": "cancel", "run": run])
            #expect(answer["type"] as? String == "ended", "\(answer)")
            // It answers when nothing is left, and not before.
            #expect(ProcessFamily.named(name) == [])
            #expect((answer["outcome"] as? [String: Any])?["kind"] as? String == "cancelled", "\(answer)")
        } else {
            let outcome = try client.outcome(of: run)
            #expect(outcome["kind"] as? String == "done", "\(outcome)")
        }
        try eventually("nothing of it is left") { daemon.workers.isEmpty && daemon.isCleared }
        #expect(ProcessFamily.named(name) == [])
        #expect(try daemon.launcher() == launcher)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "on").output == "on\n")
    }

    @Test func `a launcher that is killed while it removes a large folder leaves nothing to stay`() throws {
        let daemon = try Daemon()
        let launcher = try daemon.launcher()
        let remover = try removerAtWork(daemon, below: launcher)
        kill(launcher, SIGKILL)
        #expect(daemon.exitCode() == 1)
        try eventually("the one who removes goes with its launcher") { !ProcessFamily.lives(remover) }
        // A service manager starts another one, which finds what is left.
        let next = try Daemon(after: daemon)
        #expect(try next.intentctl("run", "Probe/Echo", "--text", "on").output == "on\n")
        try eventually("no folder is left: \(next.runFolders)") { next.isCleared }
        #expect(try Daemon.cgroups(of: launcher) == [])
    }

    /// A process of the launcher's that is removing a folder, caught and stopped in the middle of it.
    private func removerAtWork(_ daemon: Daemon, below launcher: Int32) throws -> Int32 {
        for _ in 0..<20 {
            let run = try daemon.start(["run", "Probe/ManyFiles"])
            while run.isRunning || !daemon.isCleared {
                let children = ProcessFamily.children(of: launcher)
                // A worker has that name too, until its exec.
                guard !run.isRunning, let child = children.first(where: { $0.value == Daemon.launcherName })?.key
                else { continue }
                kill(child, SIGSTOP)
                if ProcessFamily.lives(child), !daemon.isCleared { return child }
                // It was done already.
                kill(child, SIGCONT)
            }
        }
        throw NeverHappened(description: "a folder is caught while it is removed")
    }
}
