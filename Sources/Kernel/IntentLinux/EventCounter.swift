import CIntentLinux
import Glibc

/// A descriptor that becomes readable when it is signalled (eventfd(2)). A thread uses it to wake another thread's
/// event loop.
package struct EventCounter: ~Copyable, Sendable {
    private let counter: FileDescriptor

    package init() throws(SystemError) {
        counter = FileDescriptor(owning: try syscall("eventfd") { intentd_event_counter() })
    }

    package var rawValue: Int32 { counter.rawValue }

    package func signal() {
        // Ignore a failure. The call fails only if the counter is at its maximum, in which case the descriptor is
        // readable.
        _ = intentd_event_add(counter.rawValue)
    }

    /// Resets the counter to 0, so that the descriptor is no longer readable.
    package func reset() {
        _ = intentd_event_take(counter.rawValue)
    }

    /// Waits until the counter is signalled, or until the time limit expires.
    ///
    /// - Parameter milliseconds: The maximum time to wait; nil to wait without a limit.
    /// - Returns: False if the time limit expired.
    @discardableResult
    package func wait(milliseconds: Int32?) -> Bool {
        var ready = pollfd(fd: counter.rawValue, events: Int16(POLLIN), revents: 0)
        // Treat an interrupted wait as a wake-up, because callers check their state after every wait.
        return poll(&ready, 1, milliseconds ?? -1) != 0
    }
}
