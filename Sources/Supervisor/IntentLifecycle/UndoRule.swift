package import IntentLauncherMessages

/// The rule that determines whether a new run may undo another run. A run is undone at most once, but a failed undo can
/// be retried.
package struct UndoRule: Equatable, Sendable {
    /// The key of the run that performs the undo. That run may already exist.
    package var key: UndoKey
    /// The failed undo that the new run retries. The new run begins once the failed undo has released its slot.
    package var retryOf: RunID?

    /// - Parameter last: The newest recorded attempt to undo the run; nil if there was no attempt.
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

    /// Returns true if an undo took effect. An undo with a late result also took effect, although it is reported as
    /// failed.
    private static func tookEffect(_ end: RunEnd) -> Bool {
        if case .done = end.outcome { return true }
        return end.account.hadLateResult
    }
}
