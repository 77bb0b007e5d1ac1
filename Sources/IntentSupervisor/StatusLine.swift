import IntentHistory
import IntentLifecycle
import IntentWire

/// What `systemctl status` shows of the daemon.
enum StatusLine {
    static func text(_ load: Fleet.Load, nextDeadline: Duration?, problem: HistoryProblem? = nil) -> String {
        var parts = [
            "\(load.runningCount) running",
            "\(load.waitingCount) waiting for an answer",
            "\(load.queuedCount) queued",
            "\(load.endedCount) done",
        ]
        if let nextDeadline {
            parts.append("next limit in \(max(0, nextDeadline.milliseconds / 1000)) s")
        }
        if let problem { parts.append("no new runs, the history cannot be kept: \(problem.phrase)") }
        return parts.joined(separator: " · ")
    }
}
