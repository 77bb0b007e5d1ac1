package import IntentLinux

extension EventLoop {
    /// Sets a timer to an instant on CLOCK_MONOTONIC, as the duration since the clock's start. Creates the timer if it
    /// does not exist yet.
    package func arm(
        _ timer: inout EventSource?,
        at instant: Duration,
        _ body: @escaping () -> Void
    ) throws(SystemError) {
        if let timer {
            try timer.rearm(atNanoseconds: instant.nanoseconds)
        } else {
            timer = try self.timer(atNanoseconds: instant.nanoseconds, body)
        }
    }
}

extension Duration {
    /// The duration in whole nanoseconds.
    package var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
