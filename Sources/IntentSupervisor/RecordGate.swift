import IntentLifecycle
import IntentWire

/// Holds back actions until the record of their run is on disk. A value without side effects.
///
/// The held actions of a run keep their order. A run's clock and its forced end are never held, so a disk that hangs
/// stops neither.
struct RecordGate {
    private struct Held {
        var ticket: UInt64
        var action: RunTable.Action
    }

    private struct Waiting {
        /// The ticket of the newest record that a client or a worker waits for.
        var ticket: UInt64
        var actions: [Held] = []
    }

    private var settled: UInt64 = 0
    private var waiting: [RunID: Waiting] = [:]
    private var runs: [SlotID: RunID] = [:]

    /// True when no action is held.
    var isOpen: Bool { waiting.allSatisfy(\.value.actions.isEmpty) }

    /// A record with this ticket is on its way to the disk. A record that survives a crash in memory meanwhile holds
    /// back no action.
    mutating func recorded(_ record: RunRecord, ticket: UInt64, isKept: Bool = false) {
        if case .state(_, _, let slot?) = record.fact { runs[slot] = record.run }
        // Actions that wait for an earlier record of the run stay before those that wait for this record.
        guard record.isAwaited, !isKept || waiting[record.run] != nil else { return }
        waiting[record.run, default: Waiting(ticket: ticket)].ticket = ticket
    }

    /// True when the action may be performed now; otherwise it is held.
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

    /// Returns the held actions of which all records up to this ticket are on disk, in order.
    mutating func settled(upTo ticket: UInt64) -> [RunTable.Action] {
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

    /// Removes and returns the held actions of a run that cannot be recorded. The caller undoes or performs them.
    mutating func reject(_ run: RunID) -> [RunTable.Action] {
        waiting.removeValue(forKey: run)?.actions.map(\.action) ?? []
    }

    /// Adds a run of an earlier `intentd` with its slot.
    mutating func adopt(_ run: RunID, in slot: SlotID) { runs[slot] = run }

    /// Forgets the worker of the slot.
    mutating func forget(_ slot: SlotID) { runs[slot] = nil }

    /// The run with the record that the action must follow; nil when the action follows none.
    private func run(of action: RunTable.Action) -> RunID? {
        switch action {
        case .answer(_, _, .accepted(let run)): run
        case .answer(_, _, .ended(let end)): end.run
        case .answer(_, _, .watching(let watched)): watched.run
        case .answer(_, _, .answerAccepted(let run, _)): run
        case .publish(_, let event, _): event.run
        // A worker begins, or releases its result, only when that is on record.
        case .tell(_, .perform(let perform)): perform.run
        case .tell(let slot, .acknowledge), .tell(let slot, .answer), .release(let slot): runs[slot]
        case .forget(let run), .handOver(let run): run
        case .keep, .answer, .tell, .record, .note, .launch, .signal, .collect, .discardFiles, .armTimer, .disarmTimer,
            .log,
            .notify,
            .quit,
            .catalogued,
            .reportBroken:
            nil
        }
    }
}
