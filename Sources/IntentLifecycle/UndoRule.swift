package import IntentWire

/// Which run takes another one back: nothing is taken back twice, and what did not work can be tried again.
package struct UndoRule: Equatable, Sendable {
    /// The run of this key is the one, there already or new.
    package var key: UndoKey
    /// A new one begins when nothing is left of this one.
    package var retryOf: RunID?

    /// - Parameter last: The newest attempt that is on record.
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

    /// Late is never success, and yet it was taken back then.
    private static func tookEffect(_ end: RunEnd) -> Bool {
        if case .done = end.outcome { return true }
        return end.account.hadLateResult
    }
}
