package import IntentWire

/// Decides which run undoes another run. No run is undone twice, but a failed undo can be repeated.
package struct UndoRule: Equatable, Sendable {
    /// The key of the run that undoes it. That run may already exist.
    package var key: UndoKey
    /// The failed undo. The new one begins when it has ended and released its slot.
    package var retryOf: RunID?

    /// - Parameter last: The newest undo of the run on record.
    package init(undoing run: RunID, after last: UndoAttempt?) {
        guard let last else {
            key = UndoKey(run: run, attempt: 1)
            return
        }
        key = last.key
        guard let end = last.end, !Self.tookEffect(end) else { return }
        key.attempt += 1
        retryOf = last.run
    }

    /// True if the undo took effect. An undo with a late result also did, although it is reported as failed.
    private static func tookEffect(_ end: RunEnd) -> Bool {
        if case .done = end.outcome { return true }
        return end.account.hadLateResult
    }
}
