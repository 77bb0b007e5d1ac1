import IntentLauncherMessages
import IntentLinux

/// The cost of runs that use all processors for the daemon's answers.
enum BusyFigures {
    private static let runCount = 100

    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let without = try measure(workbench, nil, "")
        // A daemon that is started directly has no weights, so only the weights of the units have a goal.
        guard let shares = ProcessorShares() else { return without }
        return without + (try measure(workbench, shares, ", CPUWeight= of the units"))
    }

    private static func measure(_ workbench: Workbench, _ shares: ProcessorShares?, _ how: String) throws -> [Figure] {
        let options = workbench.options
        let crowd = BenchmarkDaemon.App(name: "Crowd", sandbox: ["TasksMax=400"])
        let daemon = try BenchmarkDaemon(
            workbench.programs,
            apps: [.plain, crowd],
            limits: ["MaxRuns=\(runCount + 10)", "MaxRunsPerApp=\(runCount + 10)", "MaxRunsPerUser=\(runCount + 10)"],
            shares: shares
        )
        let client = try daemon.connect()
        var request = try PreparedPerform.trivial(app: "Plain")
        _ = try SubmitFigures.calls(50, &request, on: client)
        let count = options.count(400, quick: 100)
        let quiet = (
            status: try FairnessFigures.status(count, on: client),
            submit: try SubmitFigures.calls(count, &request, on: client)
        )
        let runs = LiveRuns(on: try daemon.connect())
        try runs.start(
            try (0..<runCount).map { _ in
                try PreparedPerform(app: "Crowd", intent: "Wait", values: ["isBusy": .bool(true)])
            }
        )
        let busy = (
            status: try FairnessFigures.status(count, on: client),
            submit: try SubmitFigures.calls(count, &request, on: client)
        )
        try runs.cancelAll()
        return [
            Figure("busy", "status, alone\(how)", .milliseconds, quiet.status),
            Figure("busy", "status, \(runCount) runs spin\(how)", .milliseconds, busy.status),
            Figure("busy", "submit → result, alone\(how)", .milliseconds, quiet.submit),
            Figure("busy", "submit → result, \(runCount) runs spin\(how)", .milliseconds, busy.submit),
            ratio("status\(how)", busy.status, quiet.status, hasGoal: shares != nil),
        ].compactMap(\.self)
    }

    private static func ratio(_ what: String, _ above: Samples, _ below: Samples, hasGoal: Bool) -> Figure? {
        guard let above = above.summary, let below = below.summary else { return nil }
        return Figure(
            "busy",
            "\(what): busy over quiet, p99",
            .ratio,
            value: above.p99 / below.p99,
            goals: hasGoal ? [.atMost(.p50, 3)] : []
        )
    }
}
