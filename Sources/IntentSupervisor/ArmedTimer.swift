import IntentLifecycle
import IntentLinux
import IntentSystemd

/// The timer of a limit, on one clock.
///
/// Most limits move to a later instant each time the run advances. To save system calls, the kernel's timer stays where
/// it is: when it fires too early, it is set to the new instant.
final class ArmedTimer {
    private let clock: EventLoop.Clock
    private var source: EventSource?
    /// The instant at which the source fires; nil once it has fired.
    private var sourceInstant: Int64?
    private var instant: Int64
    private let fired: () -> Void

    init(_ instant: Now.Instant, on loop: EventLoop, fired: @escaping () -> Void) throws(SystemError) {
        (clock, self.instant) = Self.parts(of: instant)
        self.fired = fired
        sourceInstant = self.instant
        source = try loop.timer(atNanoseconds: self.instant, clock: clock) { [weak self] in self?.sourceFired() }
    }

    /// True if the limit was moved before the timer fired, so that the timer must fire again.
    var isAhead: Bool { sourceInstant != nil }

    /// - Returns: False for an instant of the other clock.
    func move(to instant: Now.Instant) throws(SystemError) -> Bool {
        let (clock, nanoseconds) = Self.parts(of: instant)
        guard clock == self.clock else { return false }
        self.instant = nanoseconds
        if let sourceInstant, sourceInstant <= nanoseconds { return true }
        try setSource()
        return true
    }

    private func setSource() throws(SystemError) {
        try source?.rearm(atNanoseconds: instant)
        sourceInstant = instant
    }

    private func sourceFired() {
        let isOver = sourceInstant.map { instant <= $0 } ?? true
        sourceInstant = nil
        if !isOver, (try? setSource()) != nil { return }
        // Without a timer, treat the limit as reached: no run may continue without its clock.
        fired()
    }

    private static func parts(of instant: Now.Instant) -> (EventLoop.Clock, Int64) {
        switch instant {
        case .monotonic(let instant): (.monotonic, instant.nanoseconds)
        case .boottime(let instant): (.boottime, instant.nanoseconds)
        }
    }
}
