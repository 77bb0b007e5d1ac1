import IntentLinux
import IntentWire

/// The state that the launcher keeps for the next intentd, apart from slots.
final class AdoptionState {
    /// The highest number that a slot has had.
    private(set) var lastSlot: UInt64
    /// The notes of an intentd about its runs.
    private(set) var notes: SharedFileDescriptor?
    /// The sockets in which files of clients wait for runs without a worker. The launcher never receives the files: closing
    /// one can take as long as its file system likes.
    private(set) var inputs: [RunID: SharedFileDescriptor]
    /// When the last intentd was lost that had taken over, on CLOCK_MONOTONIC.
    private(set) var lostNanoseconds: Int64?

    private let closer: SocketCloser

    init(after state: LauncherState?, closer: SocketCloser) {
        self.closer = closer
        lastSlot = state?.lastSlot ?? 0
        notes = state?.notes.map { SharedFileDescriptor(owning: $0) }
        inputs = [:]
        for input in state?.inputs ?? [] { inputs[input.run] = SharedFileDescriptor(owning: input.socket) }
        lostNanoseconds = state?.lostNanoseconds
    }

    func note(_ slot: SlotID) { lastSlot = max(lastSlot, slot.number) }

    /// The intentd of now has taken over. Its notes replace the earlier ones.
    func keepNotes(_ notes: SharedFileDescriptor?) {
        // A descriptor is lost on its way when this process has no number for it: the earlier notes are the best then.
        if let notes { self.notes = notes }
        lostNanoseconds = nil
    }

    func keepInputs(_ socket: SharedFileDescriptor?, of run: RunID) { inputs[run] = socket }

    func dropInputs(of run: RunID) {
        if let socket = inputs.removeValue(forKey: run) { closer.close(socket) }
    }

    func supervisorLost(atNanoseconds now: Int64) {
        // An intentd that ends before it has taken over held no clocks: the earlier time counts.
        if lostNanoseconds == nil { lostNanoseconds = now }
    }

    /// Reports the inputs, and last the notes: they complete what an intentd adopts.
    func report(to supervisor: SupervisorConnection) {
        for (run, socket) in inputs { supervisor.send(.keptInputs(run: run), descriptors: [socket]) }
        supervisor.send(message, descriptors: notes.map { [$0] } ?? [])
    }

    var message: LaunchReport { .adopted(Adopted(lastSlot: lastSlot, lostNanoseconds: lostNanoseconds)) }
}
