import IntentLifecycle
import IntentLinux
import IntentSystemd

/// An object that enables systemd's watchdog, and extends its timeout while the machine is starved.
///
/// Runs on the event loop's thread, so that the watchdog detects a hung loop.
final class PressureWatch {
    private let loop: EventLoop
    private let journal: Journal
    private var starvation = StarvationWatch()
    private var timer: EventSource?

    /// The factor by which the watchdog's timeout is extended while the machine is starved.
    private static let extensionFactor = 6

    init(on loop: EventLoop, journal: Journal) {
        self.loop = loop
        self.journal = journal
    }

    func start() throws(SystemError) {
        try loop.enableWatchdog()
        if let interval = ServiceNotification.watchdogInterval { checkPressure(interval) }
    }

    /// Checks the pressure (PSI) twice in each watchdog interval. Without this check, the watchdog would kill a starved
    /// daemon, because such a daemon appears to hang.
    private func checkPressure(_ interval: Duration) {
        guard let processor = PressureStall.lastTenSeconds(.processor, .some) else { return }
        let memory = PressureStall.lastTenSeconds(.memory, .full) ?? 0
        switch starvation.saw(.init(processor: processor, memory: memory), at: Now.current.monotonic) {
        case .starved:
            ServiceNotification.watchdog(interval * Self.extensionFactor).send()
            journal.write(
                .warning,
                "the machine is starved (in the last 10 s, tasks stalled \(processor)% of the time on CPU and \(memory)% on "
                    + "memory): extending the watchdog's timeout to \(interval * Self.extensionFactor)",
                .machineStarved
            )
        case .relieved:
            ServiceNotification.watchdog(interval).send()
            journal.write(
                .notice,
                "the machine is no longer starved: resetting the watchdog's timeout to \(interval)",
                .machineRelieved
            )
        case nil: break
        }
        do {
            let (seconds, attoseconds) = interval.components
            let pause = (seconds * 1_000_000_000 + attoseconds / 1_000_000_000) / 2
            timer = try loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds() + pause) { [weak self] in
                self?.checkPressure(interval)
            }
        } catch {
            journal.write(.warning, "cannot arm the timer for pressure checks (\(error)); continuing without them")
        }
    }
}
