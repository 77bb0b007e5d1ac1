import CSystemd
import IntentLinux

/// A notification of a service to systemd (sd_notify(3)). Without systemd it has no effect.
package enum ServiceNotification {
    /// The service is ready.
    case ready
    /// A line of text that `systemctl status` shows.
    case status(String)
    case stopping
    /// Extends the stop timeout, counted from now.
    case extendTimeout(Duration)
    /// WATCHDOG_USEC: sets the watchdog timeout.
    case watchdog(Duration)

    /// The watchdog timeout; nil if the service has no watchdog (sd_watchdog_enabled(3)).
    package static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        return sd_watchdog_enabled(0, &microseconds) > 0 ? .microseconds(Int64(clamping: microseconds)) : nil
    }

    package func send() {
        let (seconds, attoseconds) = duration.components
        let text =
            switch self {
            case .ready: "READY=1"
            // A line feed would start another assignment, and text from apps' files would reach terminals.
            case .status(let line): "STATUS=\(SafeText.journal(String(line.map { $0.isNewline ? " " : $0 })))"
            case .stopping: "STOPPING=1"
            case .watchdog: "WATCHDOG_USEC=\(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)"
            case .extendTimeout: "EXTEND_TIMEOUT_USEC=\(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)"
            }
        // Does nothing without NOTIFY_SOCKET. A failure does not affect the service.
        _ = sd_notify(0, text)
    }

    private var duration: Duration {
        switch self {
        case .extendTimeout(let duration), .watchdog(let duration): duration
        case .ready, .status, .stopping: .zero
        }
    }
}
