package import IntentLauncherMessages

/// A record to be written to the disk, with its time.
package struct HistoryEntry: Equatable, Sendable {
    package var record: RunRecord
    package var time: RecordTime
    /// True if the record survives a crash of this process even before it is on the disk. No client or worker then has
    /// to wait for the disk.
    package var isKept: Bool
    /// The account that pays for the run; nil if it is unknown.
    package var account: Account?

    package init(_ record: RunRecord, at time: RecordTime, isKept: Bool = false, of account: Account? = nil) {
        self.record = record
        self.time = time
        self.isKept = isKept
        self.account = account
    }

    var isAwaited: Bool { record.isAwaited && !isKept }

    /// The approximate memory use of the entry, in bytes.
    var byteCount: Int {
        let fixed = 256
        switch record.fact {
        case .printed(_, let text): return fixed + text.utf8.count
        case .accepted(let run):
            return fixed + run.values.byName.reduce(512) { $0 + $1.key.utf8.count + $1.value.byteCount }
        case .ended(let end):
            guard case .done(let value, let dialog) = end.outcome else { return 1024 }
            return fixed + (value?.byteCount ?? 0) + (dialog?.utf8.count ?? 0)
        // Assume the maximum size, although most observations are small.
        case .observed: return 16 << 10
        case .asked(let question): return fixed + question.text.utf8.count + 1024
        case .answered(let answer): return fixed + (answer.value?.byteCount ?? 0)
        case .stored(let name, let value): return fixed + name.utf8.count + (value?.utf8.count ?? 0)
        case .state, .cancelRequested, .signalled, .sampled, .leftOut, .exited: return fixed
        }
    }

    /// The size of the run's output in this entry, in bytes.
    var printedByteCount: Int64 { if case .printed(_, let text) = record.fact { Int64(text.utf8.count) } else { 0 } }

    /// True if the entry may be dropped while the disk is too slow.
    var isDispensable: Bool {
        switch record.fact {
        case .printed, .observed, .sampled: true
        case .accepted, .state, .asked, .answered, .cancelRequested, .signalled, .leftOut, .ended, .exited, .stored:
            false
        }
    }
}

/// The time of a record on three clocks, in nanoseconds.
package struct RecordTime: Equatable, Sendable {
    /// The time on CLOCK_REALTIME. It is used only for display and never for measuring, because the clock can be set.
    package var wall: Int64
    package var monotonic: Int64
    package var boottime: Int64

    package init(wall: Int64, monotonic: Int64, boottime: Int64) {
        self.wall = wall
        self.monotonic = monotonic
        self.boottime = boottime
    }

    /// Returns the instant on CLOCK_MONOTONIC that precedes this time by `age`.
    func monotonic(before age: Duration) -> Int64 {
        let age = min(age, .nanoseconds(monotonic)).components
        return monotonic - age.seconds * 1_000_000_000 - age.attoseconds / 1_000_000_000
    }
}

/// A run that the history did not record, with the reason.
package struct RecordRejection: Equatable, Sendable {
    package var run: RunID
    package var cause: Cause

    package enum Cause: Equatable, Sendable {
        /// No records can be written at present.
        case unavailable(HistoryProblem)
        /// The request is already recorded as this run.
        case known(KnownRun)
        /// The request's key is already used by a request of the same requester with different values.
        case keyTaken(by: RunID, differences: [String])
        /// The request or its key is already used by a run that the requester may not access. The requester must not
        /// receive the run's identifier or values.
        case keyUnavailable
        /// The run to retry is not recorded, or belongs to another requester.
        case unknownPredecessor(RunID)
    }
}
