package import IntentWire

/// A record with its time, on its way to the disk.
package struct HistoryEntry: Equatable, Sendable {
    package var record: RunRecord
    package var time: RecordTime
    /// It survives our death already, and nobody waits for the disk.
    package var isKept: Bool

    package init(_ record: RunRecord, at time: RecordTime, isKept: Bool = false) {
        self.record = record
        self.time = time
        self.isKept = isKept
    }

    var isAwaited: Bool { record.isAwaited && !isKept }

    /// About how much memory it takes, for bounds.
    var byteCount: Int {
        let fixed = 256
        switch record.fact {
        case .printed(_, let text): return fixed + text.utf8.count
        case .accepted(let run): return fixed + run.values.reduce(512) { $0 + $1.key.utf8.count + $1.value.byteCount }
        case .ended(let end):
            guard case .done(let value, let dialog) = end.outcome else { return 1024 }
            return fixed + (value?.byteCount ?? 0) + (dialog?.utf8.count ?? 0)
        case .observed: return 16 << 10
        // As much as one may have; most have little.
        case .asked(let question): return fixed + question.text.utf8.count + 1024
        case .answered(let answer): return fixed + (answer.value?.byteCount ?? 0)
        case .state, .cancelRequested, .signalled, .leftOut, .exited: return fixed
        }
    }

    /// What it has of a run's output.
    var printedByteCount: Int64 {
        if case .printed(_, let text) = record.fact { return Int64(text.utf8.count) }
        return 0
    }

    /// True when it may be left out while the disk keeps others waiting.
    var isDispensable: Bool {
        switch record.fact {
        case .printed, .observed: true
        case .accepted, .state, .asked, .answered, .cancelRequested, .signalled, .leftOut, .ended, .exited: false
        }
    }
}

/// One moment on three clocks, in nanoseconds.
package struct RecordTime: Equatable, Sendable {
    /// CLOCK_REALTIME, which people set: for showing, never for measuring.
    package var wall: Int64
    package var monotonic: Int64
    package var boottime: Int64

    package init(wall: Int64, monotonic: Int64, boottime: Int64) {
        self.wall = wall
        self.monotonic = monotonic
        self.boottime = boottime
    }
}

/// Why a run is not on record after all.
package struct RecordRejection: Equatable, Sendable {
    package var run: RunID
    package var cause: Cause

    package enum Cause: Equatable, Sendable {
        /// It cannot be recorded.
        case unavailable(HistoryProblem)
        /// The same wish was recorded before: this run.
        case known(KnownRun)
        /// Its key belongs to another wish.
        case keyTaken(by: RunID, differences: [String])
        /// It is to be another try of a run that there is not.
        case unknownPredecessor(RunID)
    }
}

extension IntentValue {
    var byteCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .array(let values): values.reduce(0) { $0 + $1.byteCount + 8 }
        case .file(let file): file.name.utf8.count
        case .object(let members): members.reduce(0) { $0 + $1.key.utf8.count + $1.value.byteCount + 16 }
        case .null, .bool, .int, .double: 8
        }
    }
}
