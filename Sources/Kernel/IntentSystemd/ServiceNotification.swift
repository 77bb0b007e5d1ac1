import CIntentSystemd
import IntentLinux

/// A notification that a service sends to systemd (sd_notify(3)). It has no effect without systemd.
package enum ServiceNotification {
    /// The service is ready.
    case ready
    /// A line of text that `systemctl status` shows.
    case status(String)
    /// The service is stopping.
    case stopping
    /// Extends the stop timeout so that it expires after this duration, starting now.
    case extendTimeout(Duration)
    /// Sets the watchdog timeout (WATCHDOG_USEC).
    case watchdog(Duration)

    /// The watchdog timeout; nil if the service has no watchdog (sd_watchdog_enabled(3)).
    package static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        return sd_watchdog_enabled(0, &microseconds) > 0 ? .microseconds(Int64(clamping: microseconds)) : nil
    }

    package func send() {
        let text =
            switch self {
            case .ready: "READY=1"
            // A line feed would start another assignment. Control characters from apps' files must not reach a
            // terminal.
            case .status(let line): "STATUS=\(SafeText.line(line))"
            case .stopping: "STOPPING=1"
            case .watchdog(let timeout): "WATCHDOG_USEC=\(Self.microseconds(timeout))"
            case .extendTimeout(let timeout): "EXTEND_TIMEOUT_USEC=\(Self.microseconds(timeout))"
            }
        // sd_notify does nothing without NOTIFY_SOCKET. Ignore a failure, because it does not affect the service.
        _ = sd_notify(0, text)
    }

    private static func microseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000
    }
}
