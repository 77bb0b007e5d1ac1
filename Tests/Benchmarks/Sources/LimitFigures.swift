import IntentLinux

/// How late a run is stopped that uses up its time, among a thousand that live.
enum LimitFigures {
    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [.crowd], limits: ManyRuns.limits)
        let peers = PeerGroup([.celery], options)
        var told = Samples(), gone = Samples()
        for _ in 0..<options.count(2, quick: 1) {
            let live = LiveRuns(on: try daemon.connect())
            // All live when the first limit is reached, and then 100 to 200 are reached every second. One starts after
            // the other, so that intentd's word that a run runs comes when its clock starts.
            let first = options.count(12_000, quick: 8000)
            let limits = (0..<ManyRuns.count).map { Int64(first + 5 * $0) }
            try live.start(
                try limits.map { try PreparedPerform(app: "Crowd", intent: "WaitForCancel", limitMilliseconds: $0) },
                atOnce: 1
            )
            guard live.endedCount == 0 else { throw BenchmarkError("limits were reached before all runs lived") }
            try live.pump(seconds: 30) { live.endedCount == ManyRuns.count }
            for (run, limit) in zip(live.runs, limits) where run.told != 0 {
                told.append(nanoseconds: run.told - run.running - limit * 1_000_000)
                gone.append(nanoseconds: run.ended - run.running - limit * 1_000_000)
            }
            peers.measure("overshoot \(options.count(8, quick: 3))")
        }
        return [
            Figure("limit", "limit → handler, of 1,000 live runs", .milliseconds, told, goals: [.atMost(.p99, 2)]),
            Figure("limit", "limit → nothing left", .milliseconds, gone)
                .beside(peers: peers.comparisons() + [workbench.systemd("overshoot")]),
        ]
    }
}
