import IntentLinux

/// The delay with which a limit is enforced among a thousand live runs.
enum LimitFigures {
    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [.crowd], limits: ManyRuns.limits)
        let peers = PeerGroup([.celery], options)
        var handled = Samples(), ended = Samples()
        for _ in 0..<options.count(2, quick: 1) {
            let live = LiveRuns(on: try daemon.connect())
            // All runs are live when the first limit is reached; after that, 200 limits are reached per second. The
            // runs start one after the other, so that each `running` event arrives when its clock starts.
            let first = options.count(12_000, quick: 8000)
            let limits = (0..<ManyRuns.count).map { Int64(first + 5 * $0) }
            try live.start(
                try limits.map { try PreparedPerform(app: "Crowd", intent: "WaitForCancel", limitMilliseconds: $0) },
                atOnce: 1
            )
            guard live.endedCount == 0 else { throw BenchmarkError("limits were reached before all runs had started") }
            try live.pump(seconds: 30) { live.endedCount == ManyRuns.count }
            for (run, limit) in zip(live.runs, limits) where run.handled != 0 {
                handled.append(nanoseconds: run.handled - run.running - limit * 1_000_000)
                ended.append(nanoseconds: run.ended - run.running - limit * 1_000_000)
            }
            peers.measure("overshoot \(options.count(8, quick: 3))")
        }
        return [
            Figure("limit", "limit → handler, of 1,000 live runs", .milliseconds, handled, goals: [.atMost(.p99, 2)]),
            Figure("limit", "limit → worker exited", .milliseconds, ended)
                .beside(peers: peers.comparisons() + [workbench.systemd("overshoot")]),
        ]
    }
}
