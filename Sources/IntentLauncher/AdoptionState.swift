import IntentLinux
import IntentWire

/// The state that the launcher keeps for the next intentd, apart from slots.
final class AdoptionState {
    /// The highest slot number so far.
    private(set) var lastSlot: UInt64
    /// The notes of the previous intentd about its runs.
    private(set) var notes: SharedFileDescriptor?
    /// Sockets in which files from clients wait for runs without a worker. The launcher never receives these files,
    /// because closing a file can block for as long as its file system does.
    private(set) var inputs: [RunID: SharedFileDescriptor]
    /// When the launcher lost the last intentd that had adopted its workers, on CLOCK_MONOTONIC.
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

    /// Replaces the notes with those of the intentd that has adopted the workers.
    func keepNotes(_ notes: SharedFileDescriptor?) {
        // The kernel drops a passed descriptor if this process has no free one. Then keep the earlier notes.
        if let notes { self.notes = notes }
        lostNanoseconds = nil
    }

    func keepInputs(_ socket: SharedFileDescriptor?, of run: RunID) { inputs[run] = socket }

    func dropInputs(of run: RunID) {
        if let socket = inputs.removeValue(forKey: run) { closer.close(socket) }
    }

    func supervisorLost(atNanoseconds now: Int64) {
        // An intentd that ended before it adopted the workers stopped no clocks, so the earlier time counts.
        if lostNanoseconds == nil { lostNanoseconds = now }
    }

    /// Reports the inputs, then the notes, which complete the adoption.
    func report(to supervisor: SupervisorConnection) {
        for (run, socket) in inputs { supervisor.send(.keptInputs(run: run), descriptors: [socket]) }
        supervisor.send(message, descriptors: notes.map { [$0] } ?? [])
    }

    var message: LaunchReport { .adopted(Adopted(lastSlot: lastSlot, lostNanoseconds: lostNanoseconds)) }
}
