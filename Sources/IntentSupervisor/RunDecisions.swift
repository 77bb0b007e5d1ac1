import IntentLifecycle
import IntentLinux

/// Passes events to the run table one at a time, and performs the actions that follow from each.
///
/// Belongs to the loop's thread.
final class RunDecisions {
    private(set) var table: RunTable
    /// Events that arrived while another event was handled, so that actions keep their order.
    private var events: [RunTable.Event] = []
    private var isHandling = false
    /// True while ``together(_:)`` may post more messages. All of them are sent afterwards.
    private var isTogether = false
    /// Performs one action.
    private var perform: (RunTable.Action) -> Void = { _ in }
    /// Sends clients what was posted for them.
    private var sendPosted: () -> Void = {}
    /// Called when all actions of an event, and of the events that it caused, have been performed.
    private var performed: () -> Void = {}

    init(_ table: RunTable) {
        self.table = table
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
        guard !isHandling else { return events.append(event) }
        isHandling = true
        for action in table.handle(event, at: .current) { perform(action) }
        while !events.isEmpty {
            for action in table.handle(events.removeFirst(), at: .current) { perform(action) }
        }
        isHandling = false
        // Send to clients first. Every message for them is on record, or held until its record is.
        sendTogether()
        performed()
    }

    /// Runs a body that may post many messages, and sends all of them afterwards.
    func together(_ body: () -> Void) {
        let isPart = isTogether
        isTogether = true
        body()
        isTogether = isPart
        if !isHandling { sendTogether() }
    }

    /// Sends the posted messages, unless the body of ``together(_:)`` can still post more.
    func sendTogether() { if !isTogether { sendPosted() } }
}

extension Now {
    /// The kernel's time.
    static var current: Now {
        Now(
            monotonic: Monotonic(nanoseconds: ClockReading.monotonicNanoseconds()),
            boottime: Boottime(nanoseconds: ClockReading.boottimeNanoseconds())
        )
    }
}
