import IntentLinux
import IntentWire

/// What the launcher keeps for the next intentd, besides its slots.
struct AdoptionState {
    /// The highest number that a slot has had.
    private(set) var lastSlot: UInt64
    /// What an intentd noted of its runs.
    private(set) var notes: SharedFileDescriptor?
    /// The sockets in which files of clients wait for runs without a worker. The launcher never receives the files: closing
    /// one can take as long as its file system likes.
    private(set) var inputs: [RunID: SharedFileDescriptor]
    /// When the last intentd was lost that had taken over, on CLOCK_MONOTONIC.
    private(set) var lostNanoseconds: Int64?

    init(after state: LauncherState?) {
        lastSlot = state?.lastSlot ?? 0
        notes = state?.notes.map { SharedFileDescriptor(owning: $0) }
        inputs = [:]
        for input in state?.inputs ?? [] { inputs[input.run] = SharedFileDescriptor(owning: input.socket) }
        lostNanoseconds = state?.lostNanoseconds
    }

    mutating func note(_ slot: SlotID) { lastSlot = max(lastSlot, slot.number) }

    /// The intentd of now has taken over. Its notes replace the earlier ones.
    mutating func keepNotes(_ notes: SharedFileDescriptor?) {
        // A descriptor is lost on its way when this process has no number for it: the earlier notes are the best then.
        if let notes { self.notes = notes }
        lostNanoseconds = nil
    }

    mutating func keepInputs(_ socket: SharedFileDescriptor?, of run: RunID) { inputs[run] = socket }

    mutating func removeInputs(of run: RunID) -> SharedFileDescriptor? { inputs.removeValue(forKey: run) }

    mutating func supervisorLost(atNanoseconds now: Int64) {
        // An intentd that ends before it has taken over held no clocks: the earlier time counts.
        if lostNanoseconds == nil { lostNanoseconds = now }
    }

    var message: LaunchReport { .adopted(Adopted(lastSlot: lastSlot, lostNanoseconds: lostNanoseconds)) }
}
