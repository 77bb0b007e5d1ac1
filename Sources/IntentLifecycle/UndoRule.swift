package import IntentWire

/// Which run undoes another one. No run is undone twice, and a failed attempt can be repeated.
package struct UndoRule: Equatable, Sendable {
    /// The key of the run that undoes it, whether that run exists already or begins now.
    package var key: UndoKey
    /// The failed attempt; the new one begins when it has ended and released its slot.
    package var retryOf: RunID?

    /// - Parameter last: The newest attempt that history has.
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

    /// True if the undo took effect. So did an undo with a late result, although it is reported as failed.
    private static func tookEffect(_ end: RunEnd) -> Bool {
        if case .done = end.outcome { return true }
        return end.account.hadLateResult
    }
}
