import CIntentLinux
import Glibc

/// A descriptor that becomes readable when it is signalled (eventfd(2)): one thread wakes the loop of another.
package struct EventCounter: ~Copyable, Sendable {
    private let counter: FileDescriptor

    package init() throws(SystemError) {
        counter = FileDescriptor(owning: try syscall("eventfd") { intentd_event_counter() })
    }

    package var rawValue: Int32 { counter.rawValue }

    package func signal() {
        // Fails only when the count is at its maximum, and then the other side is being woken already.
        _ = intentd_event_add(counter.rawValue)
    }

    /// Takes all signals back.
    package func reset() {
        _ = intentd_event_take(counter.rawValue)
    }

    /// Waits until it is signalled, or that long; nil: as long as it takes.
    ///
    /// - Returns: False when the time has passed.
    @discardableResult
    package func wait(milliseconds: Int32?) -> Bool {
        var ready = pollfd(fd: counter.rawValue, events: Int16(POLLIN), revents: 0)
        // An interruption counts as a wake-up: the caller checks its state again.
        return poll(&ready, 1, milliseconds ?? -1) != 0
    }
}
