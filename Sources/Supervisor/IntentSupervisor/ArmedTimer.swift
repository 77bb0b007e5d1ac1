import IntentLifecycle
import IntentLinux
import IntentSystemd

/// The timer for one limit, on one clock.
///
/// Most limits move to a later instant each time the run advances. To save system calls, `ArmedTimer` then leaves the
/// kernel's timer unchanged, and sets it to the new instant only after it has fired.
final class ArmedTimer {
    private let clock: EventLoop.Clock
    private var source: EventSource?
    /// The instant at which the kernel's timer fires; nil once it has fired.
    private var sourceInstant: Int64?
    private var instant: Int64
    private let fired: () -> Void

    init(_ instant: Now.Instant, on loop: EventLoop, fired: @escaping () -> Void) throws(SystemError) {
        (clock, self.instant) = instant.parts
        self.fired = fired
        sourceInstant = self.instant
        source = try loop.timer(atNanoseconds: self.instant, clock: clock) { [weak self] in self?.sourceFired() }
    }

    /// True if the limit has moved to a later instant, and the timer is still armed for it.
    var isAhead: Bool { sourceInstant != nil }

    /// Moves the limit to another instant.
    ///
    /// - Returns: False if the instant is not on this timer's clock.
    func move(to instant: Now.Instant) throws(SystemError) -> Bool {
        let (clock, nanoseconds) = instant.parts
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
        // If the timer cannot be armed, treat the limit as reached, because no run may continue without a limit.
        fired()
    }
}

extension Now.Instant {
    /// The clock, and its reading at this instant in nanoseconds.
    fileprivate var parts: (EventLoop.Clock, Int64) {
        switch self {
        case .monotonic(let instant): (.monotonic, instant.nanoseconds)
        case .boottime(let instant): (.boottime, instant.nanoseconds)
        }
    }
}
