import CSystemd
import Glibc
package import IntentLinux

/// Descriptors that are looked at together: one that is ready wakes the loop at once, and those that follow within the
/// pause after it wait for its end. Many that are ready often cost few wake-ups so.
///
/// Belongs to the loop's thread.
package final class GatheredEvents {
    /// Taken from the kernel at a time, and how often at one look: others on the loop have their turn in between.
    private static let eventsPerCall = 64
    private static let callsPerLook = 16

    fileprivate let epoll: SharedFileDescriptor
    private let loop: EventLoop
    private let pause: Int64
    private var source: EventSource?
    private var timer: EventSource?
    private var bodies: [UInt64: (PollEvents) -> Void] = [:]
    private var lastNumber: UInt64 = 0
    private var ready = [epoll_event](repeating: epoll_event(), count: eventsPerCall)
    /// Does what it is given, in which all is told that came together.
    package var together: (() -> Void) -> Void = { $0() }

    package init(on loop: EventLoop, pauseNanoseconds: Int64) throws(SystemError) {
        self.loop = loop
        pause = pauseNanoseconds
        epoll = SharedFileDescriptor(owning: try syscall("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
        source = try loop.descriptor(epoll, .readable) { [weak self] _ in self?.look() }
    }

    /// Calls `body` when the descriptor has one of these events, until the source goes.
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

    private func look() {
        var isAnyReady = false
        together { isAnyReady = tell() }
        do {
            if isAnyReady {
                try lookAgain()
                try source?.watch([])
            } else {
                try source?.watch(.readable)
            }
        } catch {
            // Where the source stays as it is: it tells of each, or is silent, and then the timer must not be.
            _ = try? lookAgain()
        }
    }

    /// Tells of all that is ready; false when nothing is.
    private func tell() -> Bool {
        var isAnyReady = false
        for _ in 0..<Self.callsPerLook {
            // Interrupted by a signal at worst; nothing is lost by looking again later.
            let count = Int(max(0, epoll_wait(epoll.rawValue, &ready, Int32(Self.eventsPerCall), 0)))
            // Also after a few: those that are ready still have more to say, and were not asked for it.
            if count == 0 { break }
            isAnyReady = true
            for index in 0..<count {
                let event = ready[index]
                // One may have gone by what another brought.
                bodies[event.data.u64]?(PollEvents(rawValue: event.events))
            }
        }
        return isAnyReady
    }

    /// After the pause.
    private func lookAgain() throws(SystemError) {
        let next = ClockReading.monotonicNanoseconds() + pause
        if let timer { return try timer.rearm(atNanoseconds: next) }
        timer = try loop.timer(atNanoseconds: next) { [weak self] in self?.look() }
    }
}

/// One of the descriptors that are looked at together. It fires until its owner lets go of it.
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
        // It may never have been added.
        _ = epoll_ctl(owner.epoll.rawValue, EPOLL_CTL_DEL, descriptor.rawValue, nil)
    }

    package func watch(_ events: PollEvents) throws(SystemError) { try control(EPOLL_CTL_MOD, events) }

    fileprivate func control(_ operation: Int32, _ events: PollEvents) throws(SystemError) {
        var event = epoll_event(events: events.rawValue, data: epoll_data_t(u64: number))
        try syscall("epoll_ctl") { epoll_ctl(owner.epoll.rawValue, operation, descriptor.rawValue, &event) }
    }
}

/// What tells of events of a descriptor.
package protocol DescriptorSource: AnyObject {
    /// Waits for other events of the descriptor from now on.
    func watch(_ events: PollEvents) throws(SystemError)
}

extension EventSource: DescriptorSource {}
