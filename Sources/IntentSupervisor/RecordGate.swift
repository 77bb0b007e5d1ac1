import IntentLifecycle
import IntentWire

/// Holds back what may be said or done only when the run's record is on disk. A value, and no more.
///
/// What was held of a run keeps its order. A run's clock and its end by force are never held: a disk that does not
/// answer stops neither.
struct RecordGate {
    private struct Held {
        var ticket: UInt64
        var action: RunTable.Action
    }

    private struct Waiting {
        /// Of the newest record that somebody waits for.
        var ticket: UInt64
        var actions: [Held] = []
    }

    private var settled: UInt64 = 0
    private var waiting: [RunID: Waiting] = [:]
    private var runs: [SlotID: RunID] = [:]

    /// True when nothing is held.
    var isOpen: Bool { waiting.allSatisfy(\.value.actions.isEmpty) }

    /// A record is on its way to the disk with this ticket; one that is kept until then holds nothing back.
    mutating func recorded(_ record: RunRecord, ticket: UInt64, isKept: Bool = false) {
        if case .state(_, _, let slot?) = record.fact { runs[slot] = record.run }
        // What waits for an earlier record of the run stays before what waits for this one.
        guard record.isAwaited, !isKept || waiting[record.run] != nil else { return }
        waiting[record.run, default: Waiting(ticket: ticket)].ticket = ticket
    }

    /// True when the action may be carried out now; else it is held.
    mutating func admits(_ action: RunTable.Action) -> Bool {
        guard let run = run(of: action), var entry = waiting[run] else { return true }
        if entry.actions.isEmpty, entry.ticket <= settled {
            waiting[run] = nil
            return true
        }
        entry.actions.append(Held(ticket: entry.ticket, action: action))
        waiting[run] = entry
        return false
    }

    /// Everything up to this ticket is on disk: what was held for it, in order.
    mutating func settle(_ ticket: UInt64) -> [RunTable.Action] {
        settled = ticket
        var actions: [RunTable.Action] = []
        for (run, entry) in waiting {
            let rest = entry.actions.drop { $0.ticket <= ticket }
            actions += entry.actions[..<rest.startIndex].map(\.action)
            if rest.isEmpty, entry.ticket <= ticket {
                waiting[run] = nil
            } else if rest.count < entry.actions.count {
                waiting[run]?.actions = Array(rest)
            }
        }
        return actions
    }

    /// A run cannot be put on record: what was held for it, to be taken back or carried out.
    mutating func reject(_ run: RunID) -> [RunTable.Action] {
        waiting.removeValue(forKey: run)?.actions.map(\.action) ?? []
    }

    /// A run of an earlier `intentd`, in the slot that it has.
    mutating func adopt(_ run: RunID, in slot: SlotID) { runs[slot] = run }

    /// The slot's worker is nobody's any more.
    mutating func forget(_ slot: SlotID) { runs[slot] = nil }

    /// The run whose record the action must follow; nil when it waits for none.
    private func run(of action: RunTable.Action) -> RunID? {
        switch action {
        case .answer(_, _, .accepted(let run)): run
        case .answer(_, _, .ended(let end)): end.run
        case .answer(_, _, .watching(let watched)): watched.run
        case .answer(_, _, .answerAccepted(let run, _)): run
        case .publish(_, let event, _): event.run
        // A worker begins, or lets go of its result, when that is on record.
        case .tell(_, .perform(let perform)): perform.run
        case .tell(let slot, .acknowledge), .tell(let slot, .answer), .release(let slot): runs[slot]
        case .forget(let run), .handOver(let run): run
        case .keep, .answer, .tell, .record, .note, .launch, .signal, .collect, .discardFiles, .armTimer, .disarmTimer,
            .log,
            .quit,
            .catalogued,
            .reportBroken:
            nil
        }
    }
}
