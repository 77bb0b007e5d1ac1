import CIntentSystemd
package import IntentLinux

/// A source of events on a loop. It fires until its owner releases it.
///
/// Use an instance only on the loop's thread.
package final class EventSource {
    var raw: OpaquePointer?
    private let body: (UInt32) -> Void
    /// The watched descriptor. It is closed only after the source has been removed, because epoll continues to report
    /// an open file that another process shares (epoll(7)).
    var descriptor: SharedFileDescriptor?

    init(_ body: @escaping (UInt32) -> Void) {
        self.body = body
    }

    deinit {
        if let raw { sd_event_source_disable_unref(raw) }
    }

    var opaque: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func fire(_ source: UnsafeMutableRawPointer?, _ events: UInt32) -> Int32 {
        // The source still exists, because it is disabled before it is freed. No callback receives a pointer to a freed
        // source.
        if let source { Unmanaged<EventSource>.fromOpaque(source).takeUnretainedValue().body(events) }
        return 0
    }

    /// Changes the set of events that the source waits for on its descriptor.
    package func watch(_ events: PollEvents) throws(SystemError) {
        try EventLoop.check("sd_event_source_set_io_events", sd_event_source_set_io_events(raw, events.rawValue))
    }

    /// Changes the set of events, and ignores the descriptor while the set is empty: the kernel reports the end of a
    /// connection even to a source that waits for no event.
    package func watchOnly(_ events: PollEvents) throws(SystemError) {
        if !events.isEmpty { try watch(events) }
        try enable(events.isEmpty ? SD_EVENT_OFF : SD_EVENT_ON)
    }

    /// Sets the instant of a timer, even if the timer has already fired.
    package func rearm(atNanoseconds instant: Int64) throws(SystemError) {
        try EventLoop.check("sd_event_source_set_time", sd_event_source_set_time(raw, Self.microseconds(instant)))
        try fireOnce()
    }

    /// Makes a deferred source fire once.
    package func fireOnce() throws(SystemError) { try enable(SD_EVENT_ONESHOT) }

    /// Sets whether and how often the source fires: SD_EVENT_OFF, SD_EVENT_ONESHOT or SD_EVENT_ON.
    func enable(_ state: Int) throws(SystemError) {
        try EventLoop.check("sd_event_source_set_enabled", sd_event_source_set_enabled(raw, Int32(state)))
    }

    func setPriority(_ priority: EventLoop.Priority) throws(SystemError) {
        try EventLoop.check("sd_event_source_set_priority", sd_event_source_set_priority(raw, priority.rawValue))
    }

    /// Converts nanoseconds to microseconds. Rounds up, because a timer must not fire early.
    static func microseconds(_ nanoseconds: Int64) -> UInt64 {
        nanoseconds <= 0 ? 0 : (UInt64(nanoseconds) + 999) / 1000
    }
}

/// Events of epoll_ctl(2).
package struct PollEvents: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    // Replaces the protocol's generic implementation, which other modules would call without specialisation.
    package init(arrayLiteral events: PollEvents...) {
        self.init(rawValue: events.reduce(0) { $0 | $1.rawValue })
    }

    package static let readable = PollEvents(rawValue: 0x001)
    /// A change of a kernel file such as `cgroup.events`.
    package static let changed = PollEvents(rawValue: 0x002)
    package static let writable = PollEvents(rawValue: 0x004)
    package static let failed = PollEvents(rawValue: 0x008)
    package static let hungUp = PollEvents(rawValue: 0x010)
    /// The peer has shut down its sending side (EPOLLRDHUP).
    package static let endOfInput = PollEvents(rawValue: 0x2000)
    /// Edge-triggered: each event is reported once when it occurs, even if its cause remains (EPOLLET).
    package static let edge = PollEvents(rawValue: 1 << 31)
}
