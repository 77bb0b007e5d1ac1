import IntentLifecycle
import IntentWire

/// What `systemctl status` shows of the daemon.
enum StatusLine {
    static func text(_ status: DaemonStatus, nextDeadline: Duration?) -> String {
        var parts = [
            "\(status.runningCount) running",
            "\(status.queuedCount) queued",
            "\(status.endedCount) done",
        ]
        if let nextDeadline {
            parts.append("next limit in \(max(0, nextDeadline.milliseconds / 1000)) s")
        }
        return parts.joined(separator: " · ")
    }
}
