import IntentLinux
import IntentSystemd
import IntentWire

/// Launches that have not begun. Users take turns.
///
/// Launches take most of the launcher's time, so one user's many launches must not delay another user's few.
final class LaunchTurns {
    /// The waiting launch, if it is the only one. This is the usual case, and a queue would cost more than the rest of
    /// a turn.
    private var only: LaunchRequest?
    /// The waiting launches, if there are several.
    private var waiting = FairQueue<UInt32?, LaunchRequest>()
    private let journal: Journal
    /// Called with each launch that begins.
    var begin: (LaunchRequest) -> Void = { _ in }
    /// Fires after all events that are already ready.
    private var turn: EventSource?

    init(on loop: EventLoop, journal: Journal) throws(SystemError) {
        self.journal = journal
        turn = try loop.deferred { [weak self] in self?.beginNext() }
    }

    func append(_ request: LaunchRequest) {
        guard only != nil || !waiting.isEmpty else { return only = request }
        if let first = only.take() { waiting.append(first, of: first.user) }
        waiting.append(request, of: request.user)
    }

    /// Begins one launch. The next launch begins after all events that are ready by then.
    func beginNext() {
        guard let request = next() else { return }
        begin(request)
        guard only != nil || !waiting.isEmpty else { return }
        do {
            try turn?.fireOnce()
        } catch {
            journal.write(.error, "cannot schedule launches (\(error)); beginning all of them now")
            beginAll()
        }
    }

    func beginAll() {
        while let request = next() { begin(request) }
    }

    private func next() -> LaunchRequest? { only.take() ?? waiting.next() }

    /// Removes a launch that has not begun; false if no launch for this slot waits.
    func remove(_ id: SlotID) -> Bool {
        guard only?.slot == id else { return waiting.remove { $0.slot == id } }
        only = nil
        return true
    }

    func removeAll() {
        only = nil
        waiting = FairQueue()
    }
}
