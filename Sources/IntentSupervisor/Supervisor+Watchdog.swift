import IntentLifecycle
import IntentLinux
import IntentSystemd

/// systemd's watchdog, fed by the loop that does the work.
extension Supervisor {
    /// How much more time it gives while the machine is starved.
    private static let patience = 6

    func startWatchdog() throws(SystemError) {
        try loop.enableWatchdog()
        if let interval = ServiceNotification.watchdogInterval { watchPressure(interval) }
    }

    /// Looks as often as the watchdog is fed. Without PSI a starved daemon is taken for a hung one, as before.
    private func watchPressure(_ interval: Duration) {
        guard let processor = PressureStall.lastTenSeconds(.processor, .some) else { return }
        let memory = PressureStall.lastTenSeconds(.memory, .full) ?? 0
        switch starvation.saw(.init(processor: processor, memory: memory), at: Now.current.monotonic) {
        case .starved:
            ServiceNotification.watchdog(interval * Self.patience).send()
            journal.write(
                .warning,
                "the machine is starved (processor \(processor) %, memory \(memory) % of 10 s): "
                    + "the watchdog waits for \(interval * Self.patience) now",
                .machineStarved
            )
        case .relieved:
            ServiceNotification.watchdog(interval).send()
            journal.write(
                .notice,
                "the machine is no longer starved: the watchdog waits for \(interval)",
                .machineRelieved
            )
        case nil: break
        }
        do {
            let instant = ClockReading.monotonicNanoseconds() + interval.nanoseconds / 2
            pressureTimer = try loop.timer(atNanoseconds: instant) { self.watchPressure(interval) }
        } catch {
            journal.write(.warning, "no timer to look at the machine's pressure (\(error)), continuing without")
        }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
