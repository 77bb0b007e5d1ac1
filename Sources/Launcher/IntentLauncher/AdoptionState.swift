import IntentLauncherMessages
import IntentLinux

/// The state that the launcher keeps for the next intentd, in addition to the slots.
final class AdoptionState {
    /// The highest slot number used so far.
    private(set) var lastSlot: UInt64
    /// The memory in which the previous intentd stored notes about its runs.
    private(set) var notes: SharedFileDescriptor?
    /// The sockets that hold files from clients for runs that have no worker yet. The launcher never receives these
    /// files, because closing a file can block for as long as its file system blocks.
    private(set) var inputs: [RunID: SharedFileDescriptor]
    /// The time on CLOCK_MONOTONIC at which the last intentd that adopted the workers disconnected; nil while that
    /// intentd is connected.
    private(set) var lostNanoseconds: Int64?

    init(after state: LauncherState?) {
        lastSlot = state?.lastSlot ?? 0
        notes = state?.notes.map { SharedFileDescriptor(owning: $0) }
        inputs = [:]
        for input in state?.inputs ?? [] { inputs[input.run] = SharedFileDescriptor(owning: input.socket) }
        lostNanoseconds = state?.lostNanoseconds
    }

    func note(_ slot: SlotID) { lastSlot = max(lastSlot, slot.number) }

    /// Replaces the notes with the notes of an intentd that has adopted the workers, and tells it which runs have an outdated
    /// sandbox.
    func keepNotes(_ notes: SharedFileDescriptor?, _ forkServers: ForkServers? = nil) {
        forkServers?.reportOutdated()
        // If this process has reached its descriptor limit, the kernel drops the passed descriptor. In that case, keep
        // the previous notes.
        if let notes { self.notes = notes }
        lostNanoseconds = nil
    }

    func keepInputs(_ socket: SharedFileDescriptor?, of run: RunID) { inputs[run] = socket }

    /// Returns the socket to intentd, which closes the files. intentd knows the account that passed them, and limits the
    /// number of an account's descriptors that wait for close(2).
    func dropInputs(of run: RunID, to supervisor: SupervisorConnection) {
        if let socket = inputs.removeValue(forKey: run) {
            supervisor.send(.keptInputs(run: run), descriptors: [socket])
        }
    }

    func supervisorLost(atNanoseconds now: Int64) {
        // If an intentd exits before it has adopted the workers, the runs have been without a supervisor since the
        // previous intentd disconnected.
        if lostNanoseconds == nil { lostNanoseconds = now }
    }

    /// Sends the sockets of the inputs, and then the notes, to intentd. The report with the notes completes the
    /// adoption.
    func report(to supervisor: SupervisorConnection) {
        for (run, socket) in inputs { supervisor.send(.keptInputs(run: run), descriptors: [socket]) }
        let adopted = Adopted(lastSlot: lastSlot, lostNanoseconds: lostNanoseconds)
        supervisor.send(.adopted(adopted), descriptors: notes.map { [$0] } ?? [])
    }
}
