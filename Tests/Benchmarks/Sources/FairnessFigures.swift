import Glibc
import IntentLauncherMessages
import IntentLinux

/// The cost of one user's flood for another user.
enum FairnessFigures {
    /// A uid that no distribution assigns.
    private static let flooder: UInt32 = 42_425

    static func measure(_ workbench: Workbench) throws -> [Figure] {
        guard getuid() == 0 else { throw BenchmarkError("needs root to act as two users") }
        let options = workbench.options
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [.plain, .withoutSpares])
        try daemon.admitEverybody()
        let client = try daemon.connect()
        var request = try PreparedPerform.trivial(app: "Plain")
        _ = try SubmitFigures.calls(50, &request, on: client)
        let count = options.count(400, quick: 150)
        var quiet = (status: Samples(), submit: Samples()), flooded = quiet, ended = 0
        for _ in 0..<options.count(3, quick: 1) {
            quiet.status += try status(count, on: client)
            quiet.submit += try SubmitFigures.calls(count, &request, on: client)
            let flood = try start(daemon)
            defer { end(flood) }
            // Wait until the flood is at its full rate.
            usleep(2_000_000)
            let before = try endedCount(client)
            flooded.status += try status(count, on: client)
            flooded.submit += try SubmitFigures.calls(count, &request, on: client)
            ended += try endedCount(client) - before - count
        }
        guard ended > 0 else { throw BenchmarkError("no run of the flood was performed") }
        return [
            Figure("fairness", "status, alone", .milliseconds, quiet.status),
            Figure("fairness", "status, another user floods", .milliseconds, flooded.status),
            Figure("fairness", "submit → result, alone", .milliseconds, quiet.submit),
            Figure("fairness", "submit → result, another user floods", .milliseconds, flooded.submit),
        ] + ratios("status", flooded.status, quiet.status) + ratios("submit", flooded.submit, quiet.submit)
    }

    private static func ratios(_ what: String, _ above: Samples, _ below: Samples) -> [Figure] {
        guard let above = above.summary, let below = below.summary else { return [] }
        return [
            Figure(
                "fairness",
                "\(what): flood over quiet, p50",
                .ratio,
                value: above.p50 / below.p50,
                goals: [.atMost(.p50, 2)]
            ),
            Figure(
                "fairness",
                "\(what): flood over quiet, p99",
                .ratio,
                value: above.p99 / below.p99,
                goals: [.atMost(.p50, 5)]
            ),
        ]
    }

    static func status(_ count: Int, on client: DaemonConnection) throws -> Samples {
        var samples = Samples(room: count)
        for _ in 0..<count {
            usleep(Pause.betweenCalls)
            let begin = ClockReading.monotonicNanoseconds()
            _ = try client.ask(.status)
            samples.append(nanoseconds: ClockReading.monotonicNanoseconds() - begin)
        }
        return samples
    }

    private static func endedCount(_ client: DaemonConnection) throws -> Int {
        guard case .status(let status) = try client.ask(.status) else { return 0 }
        return status.endedCount
    }

    private static func start(_ daemon: BenchmarkDaemon) throws -> ChildProcess {
        let process = try ChildProcess.start(
            "/usr/bin/setpriv",
            arguments: [
                "--reuid=\(flooder)", "--regid=\(flooder)", "--clear-groups", "--", try daemon.copyOfOwnProgram(),
                "--flood",
                "\(daemon.folder.path)/intentd.sock",
            ]
        )
        Cleanup.add(process.number)
        return process
    }

    private static func end(_ flood: ChildProcess) {
        kill(flood.number, SIGKILL)
        _ = flood.waitForEnd()
        Cleanup.remove(flood.number)
    }
}
