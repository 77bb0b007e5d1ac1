import Glibc
import IntentLinux

/// From a client's word to stop until the app's handler hears it, and until nothing of the run is left.
enum CancelFigures {
    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [.plain])
        let client = try daemon.connect()
        let withHandler = try PreparedPerform(app: "Plain", intent: "WaitForCancel")
        let plain = try PreparedPerform(app: "Plain", intent: "Wait")
        for _ in 0..<3 { _ = try cancel(withHandler, on: client) }

        let peers = PeerGroup([.celery], options)
        var told = Samples(), gone = Samples()
        for _ in 0..<options.count(20, quick: 5) {
            for _ in 0..<10 {
                told.append(nanoseconds: try cancel(withHandler, on: client).told)
                gone.append(nanoseconds: try cancel(plain, on: client).gone)
            }
            peers.measure("revoke \(options.count(2, quick: 1))")
        }
        return [
            Figure("cancel", "cancel → handler's first line", .milliseconds, told, goals: [.atMost(.p99, 2)]),
            Figure("cancel", "cancel → nothing left, no grace work", .milliseconds, gone, goals: [.atMost(.p99, 5)])
                .beside(peers: peers.comparisons()),
        ]
    }

    /// Starts a run, lets it settle, and cancels it.
    private static func cancel(
        _ wish: PreparedPerform,
        on client: DaemonConnection
    ) throws -> (told: Int64, gone: Int64) {
        let live = LiveRuns(on: client)
        try live.start([wish])
        usleep(Pause.betweenCalls)
        let begin = ClockReading.monotonicNanoseconds()
        try live.cancel(0)
        try live.pump(seconds: 20) { live.endedCount == 1 }
        // The answer comes as well; whoever asks next passes over it.
        return (live.runs[0].told - begin, live.runs[0].ended - begin)
    }
}
