import IntentLauncherMessages
import IntentLinux

/// The cost for the daemon of a thousand runs that report progress once per second.
enum ProgressFigures {
    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let seconds = workbench.options.count(30, quick: 10)
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [.crowd], limits: ManyRuns.limits)
        let live = LiveRuns(on: try daemon.connect())
        let request = try PreparedPerform(app: "Crowd", intent: "Tick", values: ["seconds": .int(600)])
        try live.start(Array(repeating: request, count: ManyRuns.count))
        // Wait until the work that follows the starts is done.
        try live.pump(for: 2_000_000_000)
        let launcher = daemon.family.first { $0.name.hasPrefix("intentd-launche") }?.number
        func used() -> [Int64?] {
            [daemon.number, launcher].map { $0.flatMap(ProcessTable.processorNanoseconds) }
        }
        let (before, reportsBefore, begin) = (used(), live.progressCount, ClockReading.monotonicNanoseconds())
        try live.pump(for: Int64(seconds) * 1_000_000_000)
        let duration = Double(ClockReading.monotonicNanoseconds() - begin)
        let shares = zip(before, used()).map { before, after in
            if let before, let after { Double(after - before) / duration * 100 } else { Double?.none }
        }
        let reports = Double(live.progressCount - reportsBefore) * 1_000_000_000 / duration
        Console.say("  \(Int(reports)) reports per second from \(ManyRuns.count) runs")
        let memory = ProcessTable.megabytes("VmRSS", in: "status", of: daemon.number)
        let launcherMemory = launcher.flatMap { ProcessTable.megabytes("VmRSS", in: "status", of: $0) }
        try live.cancelAll()
        return [
            Figure(
                "progress",
                "intentd, 1,000 runs, a report a second each",
                .percentOfCore,
                value: shares[0],
                goals: [.atMost(.p50, 3)]
            ),
            Figure("progress", "its memory (RSS) meanwhile", .megabytes, value: memory, goals: [.atMost(.p50, 40)]),
            Figure("progress", "launcher meanwhile", .percentOfCore, value: shares[1]),
            Figure("progress", "launcher's memory (RSS)", .megabytes, value: launcherMemory),
        ]
    }
}
