import IntentLifecycle
import IntentLinux
import IntentSystemd

/// Feeds systemd's watchdog, and makes it more patient while the machine is starved.
///
/// Belongs to the loop's thread, so that a hung loop does not feed the watchdog.
final class PressureWatch {
    private let loop: EventLoop
    private let journal: Journal
    private var starvation = StarvationWatch()
    private var timer: EventSource?

    /// The factor by which the watchdog's interval grows while the machine is starved.
    private static let patience = 6

    init(on loop: EventLoop, journal: Journal) {
        self.loop = loop
        self.journal = journal
    }

    func start() throws(SystemError) {
        try loop.enableWatchdog()
        if let interval = ServiceNotification.watchdogInterval { look(interval) }
    }

    /// Reads the pressure (PSI) each time the watchdog is fed. Without this check a starved daemon looks like a hung
    /// one.
    private func look(_ interval: Duration) {
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
            let (seconds, attoseconds) = interval.components
            let pause = (seconds * 1_000_000_000 + attoseconds / 1_000_000_000) / 2
            timer = try loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds() + pause) { [weak self] in
                self?.look(interval)
            }
        } catch {
            journal.write(.warning, "cannot arm the timer for pressure checks (\(error)); continuing without them")
        }
    }
}
