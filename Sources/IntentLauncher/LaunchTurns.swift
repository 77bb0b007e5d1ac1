import IntentLinux
import IntentSystemd
import IntentWire

/// Launches that have not begun: users take turns.
///
/// Launches take most of the launcher's time. One user's many launches must not delay another user's few.
final class LaunchTurns {
    private var waiting = FairQueue<UInt32?, LaunchRequest>()
    private let journal: Journal
    /// Called with each launch that begins.
    var begin: (LaunchRequest) -> Void = { _ in }
    /// Fires after the events that are ready before it.
    private var turn: EventSource?

    init(on loop: EventLoop, journal: Journal) throws(SystemError) {
        self.journal = journal
        turn = try loop.deferred { [weak self] in self?.beginNext() }
    }

    func append(_ request: LaunchRequest) { waiting.append(request, of: request.user) }

    /// Begins one launch. The next one follows after the events that are ready by then.
    func beginNext() {
        guard let request = waiting.next() else { return }
        begin(request)
        guard !waiting.isEmpty else { return }
        do {
            try turn?.fireOnce()
        } catch {
            journal.write(.error, "cannot schedule launches (\(error)), beginning all of them at once")
            beginAll()
        }
    }

    func beginAll() {
        while let request = waiting.next() { begin(request) }
    }

    /// Removes a launch that has not begun; false when none of that slot waits.
    func remove(_ id: SlotID) -> Bool { waiting.remove { $0.slot == id } }

    func removeAll() { waiting = FairQueue() }
}
