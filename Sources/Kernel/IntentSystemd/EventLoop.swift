import CIntentSystemd
import Glibc
package import IntentLinux
import Synchronization

/// libsystemd's event loop (sd-event(3)) on one thread, and the executor of the actor that runs on this thread.
///
/// Sources are added and fire on the loop's thread. Only ``enqueue(_:)`` may be called from other threads. Signals that
/// the loop handles must be blocked before another thread starts. Code on `@MainActor` never runs, because the main
/// thread is in ``run()``.
package final class EventLoop: SerialExecutor {
    // SAFETY: only the thread that created the loop and runs it uses the pointer. Every package method that uses it
    // calls `checkIsolated()`.
    private nonisolated(unsafe) let event: OpaquePointer
    private let wakeUp: EventCounter
    private let thread: pthread_t
    private let inbox = Mutex(Inbox())
    /// The buffer for all data received on the loop's thread, at most 128 KiB at a time.
    // SAFETY: only code on the loop's thread uses the buffer.
    package nonisolated(unsafe) let receiveBuffer = ReceiveBuffer(byteCount: 128 << 10)

    private struct Inbox {
        var jobs: [UnownedJob] = []
        var isSignalled = false
    }

    /// Creates a loop for the calling thread.
    package init() throws(SystemError) {
        var made: OpaquePointer?
        try Self.check("sd_event_new", sd_event_new(&made))
        guard let made else { throw SystemError("sd_event_new", code: Errno(rawValue: ENOMEM)) }
        event = made
        thread = pthread_self()
        wakeUp = try EventCounter()
        var source: OpaquePointer?
        try Self.check(
            "sd_event_add_io",
            sd_event_add_io(
                event,
                &source,
                wakeUp.rawValue,
                PollEvents.readable.rawValue,
                { _, _, _, loop in
                    // The loop outlives its callbacks, and passes itself as userdata below.
                    if let loop { Unmanaged<EventLoop>.fromOpaque(loop).takeUnretainedValue().drain() }
                    return 0
                },
                Unmanaged.passUnretained(self).toOpaque()
            )
        )
        try Self.check("sd_event_source_set_priority", sd_event_source_set_priority(source, Priority.early.rawValue))
        try Self.check("sd_event_source_set_floating", sd_event_source_set_floating(source, 1))
        sd_event_source_unref(source)
    }

    deinit { sd_event_unref(event) }

    // MARK: The executor

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = inbox.withLock { inbox in
            inbox.jobs.append(job)
            defer { inbox.isSignalled = true }
            return !inbox.isSignalled
        }
        if isFirst { wakeUp.signal() }
    }

    package func isIsolatingCurrentContext() -> Bool? { pthread_equal(thread, pthread_self()) != 0 }

    package func checkIsolated() {
        precondition(pthread_equal(thread, pthread_self()) != 0, "not on the event loop's thread")
    }

    private func drain() {
        wakeUp.reset()
        let jobs = inbox.withLock { inbox in
            inbox.isSignalled = false
            defer { inbox.jobs = [] }
            return inbox.jobs
        }
        for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    // MARK: Running

    /// Runs the loop until ``exit(_:)`` is called, and returns the exit code.
    package func run() throws(SystemError) -> Int32 {
        checkIsolated()
        return try Self.check("sd_event_loop", sd_event_loop(event))
    }

    package func exit(_ code: Int32) {
        checkIsolated()
        // Ignore a failure. The call fails only if the loop has already finished.
        _ = sd_event_exit(event, code)
    }

    /// Makes the loop send WATCHDOG=1 in time, if the unit has a watchdog (sd_event_set_watchdog(3)).
    package func enableWatchdog() throws(SystemError) {
        checkIsolated()
        try Self.check("sd_event_set_watchdog", sd_event_set_watchdog(event, 1))
    }

    // MARK: Sources

    /// The order of sources that are ready at the same time.
    package enum Priority: Int64, Sendable {
        case early = -100
        case normal = 0
        /// Handled after other sources that are ready. A deferred source is ready as soon as it is created, so at
        /// normal priority it would always be handled first.
        case deferred = 50
        /// Handled after all other sources, so that messages from a process are read before its exit is handled.
        case late = 100
    }

    /// Watches a descriptor, and calls `body` whenever one of these events of epoll_ctl(2) occurs. Releasing the
    /// returned source ends the watch.
    package func descriptor(
        _ descriptor: SharedFileDescriptor,
        _ events: PollEvents,
        priority: Priority = .normal,
        _ body: @escaping (PollEvents) -> Void
    ) throws(SystemError) -> EventSource {
        let source = try self.descriptor(descriptor.rawValue, events, priority: priority, body)
        source.descriptor = descriptor
        return source
    }

    /// Watches a descriptor. The caller must keep it open for as long as the source exists, and must not share it with
    /// another process.
    package func descriptor(
        _ descriptor: Int32,
        _ events: PollEvents,
        priority: Priority = .normal,
        _ body: @escaping (PollEvents) -> Void
    ) throws(SystemError) -> EventSource {
        let source = try add("sd_event_add_io", { body(PollEvents(rawValue: $0)) }) { event, raw, source in
            sd_event_add_io(
                event,
                raw,
                descriptor,
                events.rawValue,
                { _, _, events, source in EventSource.fire(source, events) },
                source
            )
        }
        try source.setPriority(priority)
        return source
    }

    /// Adds a source to the loop.
    private func add(
        _ operation: String,
        _ body: @escaping (UInt32) -> Void,
        by call: (OpaquePointer, UnsafeMutablePointer<OpaquePointer?>, UnsafeMutableRawPointer) -> Int32
    ) throws(SystemError) -> EventSource {
        checkIsolated()
        let source = EventSource(body)
        try Self.check(operation, call(event, &source.raw, source.opaque))
        return source
    }

    /// The clock that a timer uses.
    package enum Clock: Sendable {
        /// The clock stops while the host is suspended.
        case monotonic
        /// The clock continues while the host is suspended.
        case boottime

        var number: clockid_t {
            switch self {
            case .monotonic: CLOCK_MONOTONIC
            case .boottime: CLOCK_BOOTTIME
            }
        }
    }

    /// Calls `body` once, at an instant on the clock or shortly afterwards.
    package func timer(
        atNanoseconds instant: Int64,
        clock: Clock = .monotonic,
        _ body: @escaping () -> Void
    ) throws(SystemError) -> EventSource {
        let microseconds = EventSource.microseconds(instant)
        return try add("sd_event_add_time", { _ in body() }) { event, raw, source in
            // Accuracy 0 would mean 250 ms (sd_event_add_time(3)).
            sd_event_add_time(event, raw, clock.number, microseconds, 1, { EventSource.fire($2, 0) }, source)
        }
    }

    /// Calls `body` after each ``EventSource/fireOnce()``, once the sources that are already ready have been handled.
    package func deferred(_ body: @escaping () -> Void) throws(SystemError) -> EventSource {
        let source = try add("sd_event_add_defer", { _ in body() }) { event, raw, source in
            sd_event_add_defer(event, raw, { EventSource.fire($1, 0) }, source)
        }
        try source.enable(SD_EVENT_OFF)
        try source.setPriority(.deferred)
        return source
    }

    /// Calls `body` each time the signal arrives. The signal must be blocked.
    package func signal(_ signal: Int32, _ body: @escaping () -> Void) throws(SystemError) -> EventSource {
        try add("sd_event_add_signal", { _ in body() }) { event, raw, source in
            sd_event_add_signal(event, raw, signal, { EventSource.fire($2, 0) }, source)
        }
    }

    @discardableResult
    static func check(_ operation: String, _ result: Int32) throws(SystemError) -> Int32 {
        if result < 0 { throw SystemError(operation, code: Errno(rawValue: -result)) }
        return result
    }
}
