import IntentLauncherMessages
import IntentLifecycle

/// A plan that matches an earlier `intentd`'s runs, workers and notes with each other.
struct AdoptionPlan: Equatable {
    /// The notes of recorded runs. A note belongs to a run if the run was recorded with the note's slot.
    private(set) var notes: [RunID: RunNote] = [:]
    /// Slots that have a worker, but no recorded run with a matching note.
    let unclaimed: [SlotID]
    /// Slots that have a note, but neither a worker nor a recorded run that matches the note.
    let forgotten: [SlotID]
    /// The highest slot number in any note, record or launcher report. A number is never reused, even if its worker was
    /// never launched.
    let lastSlot: UInt64

    /// - Parameters:
    ///   - workers: The slots for which the launcher has workers.
    ///   - lastSlot: The highest slot number that the launcher has ever received.
    init(runs: [UnfinishedRun], notes: [RunNote], workers: [SlotID], lastSlot: UInt64) {
        let noteOfSlot = Dictionary(notes.map { ($0.slot, $0) }, uniquingKeysWith: { first, _ in first })
        var noteOfRun: [RunID: RunNote] = [:]
        for run in runs {
            if let note = run.slot.flatMap({ noteOfSlot[$0] }), note.run == run.run { noteOfRun[run.run] = note }
        }
        self.notes = noteOfRun
        unclaimed = workers.filter { slot in noteOfSlot[slot].map { noteOfRun[$0.run]?.slot != slot } ?? true }
        let known = Set(workers)
        forgotten = notes.filter { !known.contains($0.slot) && noteOfRun[$0.run]?.slot != $0.slot }.map(\.slot)
        self.lastSlot = (notes.map(\.slot.number) + runs.compactMap(\.slot?.number) + [lastSlot]).max() ?? lastSlot
    }

    /// Returns how long `intentd` waits for a history that cannot be read, for example because another process has
    /// locked it; nil if `intentd` does not wait. Without the history, `intentd` cannot adopt live runs.
    static func patience(hasWorkers: Bool, mayPass: Bool) -> Duration? {
        if hasWorkers { return .seconds(10) }
        return mayPass ? .seconds(3) : nil
    }
}
