import Foundation
import Glibc
import TestSupport
import Testing

/// Tests the launcher's processor time, its exit and its clean-up.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct LauncherTests {
    /// The processor time that the launcher may use for twenty runs, in clock ticks: several times the usual amount.
    private static let tickLimit = 150

    @Test func `the error of an app built for another version asks the operator to rebuild it`() throws {
        let daemon = try Daemon()
        try daemon.install("Attacker", as: "Older", app: ["Environment=ATTACKER_SERVER=older"])
        let run = try daemon.intentctl("run", "Older/Attack", "--attempt", "processes")
        #expect(run.code != 0)
        #expect(run.errors.contains("does not support this launcher's commands"), "\(run.errors)")
        #expect(run.errors.contains("Rebuild '\(daemon.folder.appending("apps/Older").path)'"), "\(run.errors)")
    }

    @Test(arguments: [Daemon.Owner.tester, .ordinaryUser])
    func `the launcher uses no processor time while runs are idle`(_ owner: Daemon.Owner) throws {
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
        // The first run includes the start and the app's description.
        _ = try client.outcome(of: client.perform("Slow", ["seconds": 0.2]))
        // These runs take more than four seconds. A launcher that polled would use most of that time.
        #expect(try ticksOfTwentyRuns() < Self.tickLimit)
        for _ in 0..<5 {
            let run = try client.perform("Grandchild")
            #expect(try client.outcome(of: run)["kind"] as? String == "done")
        }
        // Two long runs stay active meanwhile, one of them with many processes.
        _ = try client.perform("Slow")
        _ = try client.perform("ForkStorm", ["stays": true, "name": "storm"])
        #expect(try ticksOfTwentyRuns() < Self.tickLimit)
    }

    @Test func `a private launcher exits with its intentd, whatever it is doing at that moment`() throws {
        for round in stride(from: 0, to: 20, by: Endurance.isWhole ? 1 : 3) {
            let daemon = try Daemon(limits: ["Spare=32"])
            let launcher = try daemon.launcher()
            let client = try SocketClient(daemon)
            for _ in 0..<2 {
                let run = try client.perform("Echo", ["text": "a"])
                if round % 2 == 0 { _ = try client.outcome(of: run) }
            }
            // Each round kills intentd at another moment.
            usleep(UInt32(round * 500))
            daemon.signal(SIGKILL)
            try eventually("the launcher has exited") { !ProcessFamily.lives(launcher) }
        }
    }

    /// Joins a process group. The kernel continues the stopped processes of a group without a process that has a parent in
    /// another group of the session (setpgid(2)).
    private static let joining = """
        import os, subprocess, sys
        member = subprocess.Popen(["cat"], stdin=subprocess.PIPE, preexec_fn=lambda: os.setpgid(0, int(sys.argv[1])))
        print("joined", flush=True)
        member.wait()
        """

    @Test func `the launcher of a killed intentd removes nothing of the next launcher's runs`() throws {
        let daemon = try Daemon()
        _ = try daemon.detach("Probe/AwaitFile")
        _ = try daemon.runFolder(holding: "go.awaited")
        let earlier = try daemon.launcher()
        // The earlier launcher notices the death of its intentd only after the next launcher has started.
        let group = try Command(URL(filePath: "/usr/bin/python3"), ["-c", Self.joining, "\(getpgid(earlier))"])
        try group.waitFor("joined")
        kill(earlier, SIGSTOP)
        daemon.signal(SIGKILL)
        // Until it has exited, it has the folder's lock.
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        // A busy machine may need the 30 s of the default limit for the rest of the test.
        let waiting = try next.start(["run", "--limit", "9min", "Probe/AwaitFile", "--file", "next"])
        _ = try next.runFolder(holding: "next.awaited")
        #expect(kill(earlier, SIGCONT) == 0, "the launcher has exited too early")
        try eventually("the earlier launcher has exited") { !ProcessFamily.lives(earlier) }
        #expect(try next.intentctl("run", "Probe/Echo", "--text", "after").output == "after\n")
        try next.bring("next")
        #expect(waiting.exitCode() == 0, "\(waiting.errors)")
        #expect(waiting.output == "waited\n")
        group.signal(SIGKILL)
    }

    @Test(arguments: [false, true])
    func `without cgroups, all processes of a fork storm are killed`(_ stays: Bool) throws {
        let daemon = try Daemon(
            limits: ["Spare=0", "GraceCancellable=500ms", "KillDelay=200ms"],
            owner: .ordinaryUser
        )
        let launcher = try daemon.launcher()
        let client = try SocketClient(daemon)
        let name = "storm-" + SocketClient.newRequest.prefix(8)
        let run = try client.perform("ForkStorm", ["stays": stays, "name": name])
        if stays {
            // The first output shows that the storm has started.
            while try client.nextEvent()["type"] as? String != "output" {}
            let answer = try client.ask(["type": "cancel", "run": run])
            #expect(answer["type"] as? String == "ended", "\(answer)")
            // The answer arrives only after all processes have exited.
            #expect(ProcessFamily.named(name) == [])
            #expect((answer["outcome"] as? [String: Any])?["kind"] as? String == "cancelled", "\(answer)")
        } else {
            let outcome = try client.outcome(of: run)
            #expect(outcome["kind"] as? String == "done", "\(outcome)")
        }
        try eventually("no worker and no run folder remains") { daemon.workers.isEmpty && daemon.isCleared }
        #expect(ProcessFamily.named(name) == [])
        #expect(try daemon.launcher() == launcher)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "on").output == "on\n")
    }

    @Test func `before Landlock 6, nothing is missing for programs, because each run has its own sandbox`() throws {
        let earlier = try Daemon()
        earlier.signal(SIGTERM)
        #expect(earlier.exitCode() == 0)
        let daemon = try Daemon(after: earlier, environment: ["INTENTD_LANDLOCK_MAX": "5"])
        try daemon.writeCommands("[Intent Sleep]\nExec=/usr/bin/sleep infinity")
        for _ in 0..<2 { _ = try daemon.detach("tools/Sleep") }
        // Two workers, and the program of each.
        let namespaces = try daemon.settledWorkers(4).keys.map {
            try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/ns/pid")
        }
        #expect(Set(namespaces).count == 2)
        let isolation = try #require(try daemon.json("describe", "tools")["isolation"] as? [String: Any])
        let missing = try #require(isolation["missing"] as? [String])
        #expect(!missing.contains { $0.contains("Landlock") }, "\(missing)")
        let parts = try #require(try daemon.json("status")["isolation"] as? [String])
        #expect(parts.contains { $0.hasPrefix("a sandbox for each run of an app that starts programs") }, "\(parts)")
    }

    @Test func `a large folder is removed even if the launcher is killed meanwhile`() throws {
        let daemon = try Daemon()
        let launcher = try daemon.launcher()
        let remover = try removerAtWork(daemon, below: launcher)
        kill(launcher, SIGKILL)
        #expect(daemon.exitCode() == 1)
        try eventually("the process that removes the folder exits with its launcher") { !ProcessFamily.lives(remover) }
        // A service manager would start a new daemon, which removes the rest.
        let next = try Daemon(after: daemon)
        #expect(try next.intentctl("run", "Probe/Echo", "--text", "on").output == "on\n")
        try eventually("no folder is left: \(next.runFolders)") { next.isCleared }
        #expect(try Daemon.cgroups(of: launcher) == [])
    }

    /// Stops a process of the launcher while it removes a folder, and returns its pid.
    private func removerAtWork(_ daemon: Daemon, below launcher: Int32) throws -> Int32 {
        for _ in 0..<20 {
            let run = try daemon.start(["run", "Probe/ManyFiles"])
            while run.isRunning || !daemon.isCleared {
                let children = ProcessFamily.children(of: launcher)
                // A worker has this name, too, until its exec.
                guard !run.isRunning, let child = children.first(where: { $0.value == Daemon.launcherName })?.key
                else { continue }
                kill(child, SIGSTOP)
                if ProcessFamily.lives(child), !daemon.isCleared { return child }
                // The folder was already removed.
                kill(child, SIGCONT)
            }
        }
        throw NeverHappened(description: "a process is stopped while it removes a folder")
    }
}
