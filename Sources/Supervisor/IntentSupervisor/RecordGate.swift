import IntentLauncherMessages
import IntentLifecycle

/// A gate that delays actions until the record of their run is on disk. A value type that performs no I/O.
///
/// The delayed actions of a run keep their order.
struct RecordGate {
    private struct Held {
        var ticket: UInt64
        var action: RunTable.Action
    }

    private struct Waiting {
        /// The ticket of the newest record that a client or a worker is waiting for.
        var ticket: UInt64
        var actions: [Held] = []
    }

    private var settled: UInt64 = 0
    private var waiting: [RunID: Waiting] = [:]

    /// True if no action is delayed.
    var isOpen: Bool { waiting.allSatisfy(\.value.actions.isEmpty) }

    /// Delays later actions of the run until the record with this ticket is on disk. A record in memory that survives a
    /// crash (`isKept`) does not delay actions.
    mutating func recorded(_ record: RunRecord, ticket: UInt64, isKept: Bool = false) {
        // If actions are already waiting for an earlier record of the run, later actions must wait too, to preserve
        // their order.
        guard record.isAwaited, !isKept || waiting[record.run] != nil else { return }
        waiting[record.run, default: Waiting(ticket: ticket)].ticket = ticket
    }

    /// Returns true if the action may be performed now. Otherwise stores the action for later.
    mutating func admits(_ action: RunTable.Action) -> Bool {
        guard let run = action.recordedRun, var entry = waiting[run] else { return true }
        if entry.actions.isEmpty, entry.ticket <= settled {
            waiting[run] = nil
            return true
        }
        entry.actions.append(Held(ticket: entry.ticket, action: action))
        waiting[run] = entry
        return false
    }

    /// Removes and returns the delayed actions that may be performed once all records up to this ticket are on disk.
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

    /// Removes and returns the delayed actions of a run that cannot be recorded. The recorder drops or performs them.
    mutating func reject(_ run: RunID) -> [RunTable.Action] {
        waiting.removeValue(forKey: run)?.actions.map(\.action) ?? []
    }
}
