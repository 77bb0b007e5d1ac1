import Glibc
import IntentLinux

/// The time from a client's cancellation to the call of the app's handler, and to the worker's exit.
enum CancelFigures {
    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [.plain])
        let client = try daemon.connect()
        let withHandler = try PreparedPerform(app: "Plain", intent: "WaitForCancel")
        let plain = try PreparedPerform(app: "Plain", intent: "Wait")
        for _ in 0..<3 { _ = try cancel(withHandler, on: client) }

        let peers = PeerGroup([.celery], options)
        var handled = Samples(), ended = Samples()
        for _ in 0..<options.count(20, quick: 5) {
            for _ in 0..<10 {
                handled.append(nanoseconds: try cancel(withHandler, on: client).handled)
                ended.append(nanoseconds: try cancel(plain, on: client).ended)
            }
            peers.measure("revoke \(options.count(2, quick: 1))")
        }
        return [
            Figure("cancel", "cancel → handler's first line", .milliseconds, handled, goals: [.atMost(.p99, 2)]),
            Figure("cancel", "cancel → worker exited, no clean-up", .milliseconds, ended, goals: [.atMost(.p99, 5)])
                .beside(peers: peers.comparisons()),
        ]
    }

    /// Starts a run, and cancels it after a pause.
    private static func cancel(
        _ request: PreparedPerform,
        on client: DaemonConnection
    ) throws -> (handled: Int64, ended: Int64) {
        let live = LiveRuns(on: client)
        try live.start([request])
        usleep(Pause.betweenCalls)
        let begin = ClockReading.monotonicNanoseconds()
        try live.cancel(0)
        try live.pump(seconds: 20) { live.endedCount == 1 }
        // The answer to the cancellation is still unread; the next request skips it.
        return (live.runs[0].handled - begin, live.runs[0].ended - begin)
    }
}
