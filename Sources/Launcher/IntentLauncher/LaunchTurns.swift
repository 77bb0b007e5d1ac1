import IntentLauncherMessages
import IntentLinux
import IntentSystemd

/// A queue of launches that have not begun, in which users take turns.
///
/// The launcher spends most of its time on launches, so a user who starts many runs must not delay a user who starts
/// few.
final class LaunchTurns {
    /// The waiting launch, if only one launch is waiting. This case is common, and faster without the queue.
    private var only: LaunchRequest?
    /// The waiting launches, if several launches are waiting.
    private var waiting = FairQueue<UInt32?, LaunchRequest>()
    private let journal: Journal
    /// Called with each launch that begins.
    var begin: (LaunchRequest) -> Void = { _ in }
    /// The source that begins the next launch, after the event loop has handled all events that are ready.
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

    /// Begins one launch, and schedules the next launch.
    func beginNext() {
        guard let request = next() else { return }
        begin(request)
        guard only != nil || !waiting.isEmpty else { return }
        do {
            try turn?.fireOnce()
        } catch {
            journal.write(.error, "cannot schedule the waiting launches (\(error)); beginning all of them now")
            beginAll()
        }
    }

    func beginAll() {
        while let request = next() { begin(request) }
    }

    private func next() -> LaunchRequest? { only.take() ?? waiting.next() }

    /// Removes the launch for a slot from the queue. Returns false if it is not queued.
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
