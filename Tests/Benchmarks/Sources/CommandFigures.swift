import Glibc
import IntentLinux

/// `/bin/true` as an intent (intentd.command(5)), compared with the other ways of running a program for a request.
enum CommandFigures {
    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let daemon = try BenchmarkDaemon(
            workbench.programs,
            apps: [],
            commands: ["[Intent True]", "Exec=/bin/true"]
        )
        let roots = try rootFigure(workbench)
        let client = try daemon.connect()
        var request = try PreparedPerform(app: "Tools", intent: "True")
        // The first calls create the catalogue, the fork server and the spares.
        _ = try SubmitFigures.calls(20, &request, on: client)
        let peers = PeerGroup([.celery], options)
        var ours = Samples(), forks = Samples(), bubbles = Samples()
        let rounds = options.count(20, quick: 6)
        for _ in 0..<rounds {
            ours += try SubmitFigures.calls(50, &request, on: client)
            forks += try workbench.floor.forks(50)
            if let round = try bubblewrap(10) { bubbles += round }
            peers.measure("command 20")
        }
        let bubblewrap =
            bubbles.count > 0 ? Comparison("bwrap", bubbles) : Comparison("bwrap", problem: "not installed")
        let compared = peers.comparisons() + [bubblewrap, workbench.systemd("command")]
        // The goal is to be faster than the fastest of the others.
        let goals = compared.compactMap(\.p50).min().map { [Goal.atMost(.p50, $0)] } ?? []
        return [
            Figure("command", "/bin/true as an intent, submit → result", .milliseconds, ours, goals: goals)
                .beside([Comparison("fork", forks)], peers: compared),
            roots,
        ]
    }

    /// The price of a root of its own: a run that finds the folder and the root of the run before it, and one that waits
    /// for new ones, because the run before it left a file.
    private static func rootFigure(_ workbench: Workbench) throws -> Figure {
        let daemon = try BenchmarkDaemon(
            workbench.programs,
            apps: [],
            limits: ["Spare=0"],
            commands: [
                "[Intent Clean]", "Exec=/usr/bin/touch /state/left", "[Intent Leave]", "Exec=/usr/bin/touch left",
            ]
        )
        let client = try daemon.connect()
        var clean = try PreparedPerform(app: "Tools", intent: "Clean")
        var leave = try PreparedPerform(app: "Tools", intent: "Leave")
        _ = try SubmitFigures.calls(20, &leave, on: client)
        var reused = Samples(), made = Samples()
        for _ in 0..<workbench.options.count(20, quick: 6) {
            made += try SubmitFigures.calls(25, &leave, on: client)
            // The first call of these gets a new root.
            _ = try SubmitFigures.calls(1, &clean, on: client)
            reused += try SubmitFigures.calls(25, &clean, on: client)
        }
        return Figure("command", "touch, Spare=0, with a new folder and root", .milliseconds, made)
            .beside([Comparison("both reused", reused)])
    }

    /// The latency of `/bin/true` in a bubblewrap sandbox; nil if bubblewrap is not installed.
    private static func bubblewrap(_ count: Int) throws -> Samples? {
        let program = "/usr/bin/bwrap"
        guard access(program, X_OK) == 0 else { return nil }
        let arguments = [
            "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs",
            "/run", "/bin/true",
        ]
        var samples = Samples(room: count)
        for _ in 0..<count {
            usleep(Pause.betweenCalls)
            let begin = ClockReading.monotonicNanoseconds()
            try QuietProgram.run(program, arguments)
            samples.append(nanoseconds: ClockReading.monotonicNanoseconds() - begin)
        }
        return samples
    }
}
