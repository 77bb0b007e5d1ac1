import CIntentSystemd
import Glibc
package import IntentLinux

/// Descriptors that are polled together. The first descriptor that becomes ready wakes the loop immediately.
/// Descriptors that become ready during the following pause are handled when the pause ends. This limits the number of
/// wake-ups for many descriptors that are often ready.
///
/// Use an instance only on the loop's thread.
package final class GatheredEvents {
    /// The maximum number of events per call, and of calls per poll. Both limits ensure that the loop also serves other
    /// sources.
    private static let eventsPerCall = 64
    private static let callsPerPoll = 16

    fileprivate let epoll: SharedFileDescriptor
    private let loop: EventLoop
    private let pause: Int64
    private var source: EventSource?
    private var timer: EventSource?
    private var bodies: [UInt64: (PollEvents) -> Void] = [:]
    private var lastNumber: UInt64 = 0
    private var ready = [epoll_event](repeating: epoll_event(), count: eventsPerCall)
    /// Wraps the delivery of all events of one poll.
    package var batch: (() -> Void) -> Void = { $0() }

    package init(on loop: EventLoop, pauseNanoseconds: Int64) throws(SystemError) {
        self.loop = loop
        pause = pauseNanoseconds
        epoll = SharedFileDescriptor(owning: try syscall("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
        source = try loop.descriptor(epoll, .readable) { [weak self] _ in self?.poll() }
    }

    /// Watches a descriptor, and calls `body` whenever one of these events occurs. Releasing the returned source ends
    /// the watch.
    package func descriptor(
        _ descriptor: SharedFileDescriptor,
        _ events: PollEvents,
        _ body: @escaping (PollEvents) -> Void
    ) throws(SystemError) -> GatheredSource {
        lastNumber += 1
        let source = GatheredSource(descriptor, number: lastNumber, in: self)
        try source.control(EPOLL_CTL_ADD, events)
        bodies[lastNumber] = body
        return source
    }

    fileprivate func remove(_ number: UInt64) { bodies[number] = nil }

    private func poll() {
        var isAnyReady = false
        batch { isAnyReady = deliverEvents() }
        do {
            if isAnyReady {
                try armTimer()
                try source?.watch([])
            } else {
                try source?.watch(.readable)
            }
        } catch {
            // If the source cannot be changed, it may never fire again, so rely on the timer.
            _ = try? armTimer()
        }
    }

    /// Delivers all pending events. Returns false if no event was pending.
    private func deliverEvents() -> Bool {
        var isAnyReady = false
        for _ in 0..<Self.callsPerPoll {
            // Treat a failure as no events. epoll_wait(2) fails only if a signal interrupts it, and the next poll then
            // delivers the events.
            let count = Int(max(0, epoll_wait(epoll.rawValue, &ready, Int32(Self.eventsPerCall), 0)))
            // Continue even if fewer events than the maximum arrived, because descriptors may have become ready again.
            if count == 0 { break }
            isAnyReady = true
            for index in 0..<count {
                let event = ready[index]
                // Skip the event if the handler of another event has released its source.
                bodies[event.data.u64]?(PollEvents(rawValue: event.events))
            }
        }
        return isAnyReady
    }

    /// Arms the timer for the next poll.
    private func armTimer() throws(SystemError) {
        let next = ClockReading.monotonicNanoseconds() + pause
        if let timer { return try timer.rearm(atNanoseconds: next) }
        timer = try loop.timer(atNanoseconds: next) { [weak self] in self?.poll() }
    }
}

/// The source for one descriptor in ``GatheredEvents``. It fires until its owner releases it.
package final class GatheredSource: DescriptorSource {
    private let descriptor: SharedFileDescriptor
    private let number: UInt64
    private let owner: GatheredEvents

    fileprivate init(_ descriptor: SharedFileDescriptor, number: UInt64, in owner: GatheredEvents) {
        self.descriptor = descriptor
        self.number = number
        self.owner = owner
    }

    deinit {
        owner.remove(number)
        // Ignore a failure. The call fails only if the descriptor was never added.
        _ = epoll_ctl(owner.epoll.rawValue, EPOLL_CTL_DEL, descriptor.rawValue, nil)
    }

    package func watch(_ events: PollEvents) throws(SystemError) { try control(EPOLL_CTL_MOD, events) }

    fileprivate func control(_ operation: Int32, _ events: PollEvents) throws(SystemError) {
        var event = epoll_event(events: events.rawValue, data: epoll_data_t(u64: number))
        try syscall("epoll_ctl") { epoll_ctl(owner.epoll.rawValue, operation, descriptor.rawValue, &event) }
    }
}

/// A source of a descriptor's events.
package protocol DescriptorSource: AnyObject {
    /// Changes the set of events that the source waits for on its descriptor.
    func watch(_ events: PollEvents) throws(SystemError)
}

extension EventSource: DescriptorSource {}
