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
        // This fails only if the counter is at its maximum, and then the descriptor is already readable.
        _ = intentd_event_add(counter.rawValue)
    }

    /// Resets the counter.
    package func reset() {
        _ = intentd_event_take(counter.rawValue)
    }

    /// Waits until the counter is signalled or the time has passed; nil: no time limit.
    ///
    /// - Returns: False if the time has passed.
    @discardableResult
    package func wait(milliseconds: Int32?) -> Bool {
        var ready = pollfd(fd: counter.rawValue, events: Int16(POLLIN), revents: 0)
        // An interruption counts as a wake-up: the caller checks its state again.
        return poll(&ready, 1, milliseconds ?? -1) != 0
    }
}
