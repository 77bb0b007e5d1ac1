import IntentDaemon
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux

/// An object that passes events to the run table one at a time, and performs the resulting actions.
///
/// Must be used only on the event loop's thread.
final class RunDecisions {
    private var decided: RunTable
    /// The table after the newest event. It is passed read-only, because a copy retains each of its many collections.
    var table: RunTable { _read { yield decided } }
    private let events = EventQueue<RunTable.Event>()
    /// True while the body of ``batch(_:)`` is running. Its messages are sent when it returns.
    private var isInBatch = false
    /// The check before a spare is used; nil if the launcher passed none.
    var fence: SpareFence?
    /// Called to perform an action.
    private var perform: (RunTable.Action) -> Void = { _ in }
    /// Called to send the messages that were posted to clients.
    private var sendPosted: () -> Void = {}
    /// Called when all actions of an event, and of the events that it caused, have been performed.
    private var performed: () -> Void = {}

    init(_ table: RunTable) {
        decided = table
    }

    func start(
        perform: @escaping (RunTable.Action) -> Void,
        sendPosted: @escaping () -> Void,
        performed: @escaping () -> Void
    ) {
        self.perform = perform
        self.sendPosted = sendPosted
        self.performed = performed
    }

    /// Passes an event to the run table, after all earlier events.
    func handle(_ event: RunTable.Event) {
        let isHandled = events.handle(event) { event in
            if let fence { decided.checkSpares(fence.isOpen) }
            for action in decided.handle(event, at: .current) { perform(action) }
        }
        guard isHandled else { return }
        // Send messages to clients first. The recorder posts a message only once the records that it depends on are
        // safe.
        sendUnlessInBatch()
        performed()
    }

    /// Handles the launcher's report that runs must not begin in these slots.
    func outdated(_ slots: [SlotID], path: String?) {
        fence?.received()
        handle(.outdated(slots, path: path))
    }

    /// Calls a body that may post many messages, and sends all messages when the body returns.
    func batch(_ body: () -> Void) {
        let isNested = isInBatch
        isInBatch = true
        body()
        isInBatch = isNested
        if !events.isHandling { sendUnlessInBatch() }
    }

    /// Sends the posted messages, unless the body of ``batch(_:)`` is still running and may post more.
    func sendUnlessInBatch() { if !isInBatch { sendPosted() } }
}

extension Now.Monotonic {
    /// The current reading of the clock.
    static var current: Self { Self(nanoseconds: ClockReading.monotonicNanoseconds()) }
}

extension Now {
    /// The current readings of the clocks.
    static var current: Now {
        Now(
            monotonic: .current,
            boottime: Boottime(nanoseconds: ClockReading.boottimeNanoseconds()),
            wall: ClockReading.realtimeNanoseconds()
        )
    }
}
