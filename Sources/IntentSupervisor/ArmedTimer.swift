import IntentLifecycle
import IntentLinux
import IntentSystemd

/// The timer of a limit, on one clock.
///
/// Every advance of progress moves most limits to a later instant. The kernel's timer is not moved each time: when it
/// fires, it is set to the new instant.
final class ArmedTimer {
    private let clock: EventLoop.Clock
    private var source: EventSource?
    /// When the source fires; nil when it has.
    private var sourceInstant: Int64?
    private var instant: Int64
    private let fired: () -> Void

    init(_ instant: Now.Instant, on loop: EventLoop, fired: @escaping () -> Void) throws(SystemError) {
        (clock, self.instant) = Self.parts(of: instant)
        self.fired = fired
        sourceInstant = self.instant
        source = try loop.timer(atNanoseconds: self.instant, clock: clock) { [weak self] in self?.sourceFired() }
    }

    /// The limit was moved since the timer fired, and it fires again.
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
        // Without a timer for the rest of the time, the limit counts as reached: no run may continue without its clock.
        fired()
    }

    private static func parts(of instant: Now.Instant) -> (EventLoop.Clock, Int64) {
        switch instant {
        case .monotonic(let instant): (.monotonic, instant.nanoseconds)
        case .boottime(let instant): (.boottime, instant.nanoseconds)
        }
    }
}
