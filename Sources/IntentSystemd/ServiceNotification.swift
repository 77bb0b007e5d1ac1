import CSystemd

/// What a service tells systemd (sd_notify(3)). Without systemd it is told to nobody.
package enum ServiceNotification {
    /// The service can be used from now on.
    case ready
    /// A line for people, shown by `systemctl status`.
    case status(String)
    case stopping
    /// The stop may take this much longer, counted from now.
    case extendTimeout(Duration)
    /// WATCHDOG_USEC: the watchdog bites after so long a silence from now on.
    case watchdog(Duration)

    /// As long as systemd lets this service be silent; nil when it has no watchdog (sd_watchdog_enabled(3)).
    package static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        return sd_watchdog_enabled(0, &microseconds) > 0 ? .microseconds(Int64(clamping: microseconds)) : nil
    }

    package func send() {
        let (seconds, attoseconds) = duration.components
        let text =
            switch self {
            case .ready: "READY=1"
            // A line feed would begin another assignment; and what stands in files of apps ends on terminals.
            case .status(let line): "STATUS=\(JournalText.clean(String(line.map { $0.isNewline ? " " : $0 })))"
            case .stopping: "STOPPING=1"
            case .watchdog: "WATCHDOG_USEC=\(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)"
            case .extendTimeout: "EXTEND_TIMEOUT_USEC=\(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)"
            }
        // Without NOTIFY_SOCKET nobody wants to know; a failing send changes nothing about the service.
        _ = sd_notify(0, text)
    }

    private var duration: Duration {
        switch self {
        case .extendTimeout(let duration), .watchdog(let duration): duration
        case .ready, .status, .stopping: .zero
        }
    }
}
