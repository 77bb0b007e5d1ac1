/// The idempotency key of a run that undoes another run.
///
/// A key identifies at most one run, so two clients that request an undo at the same time start only one run.
package struct UndoKey: Equatable, Sendable {
    /// The run to undo.
    package var run: RunID
    /// The number of the attempt, starting at 1.
    package var attempt: Int

    package init(run: RunID, attempt: Int) {
        self.run = run
        self.attempt = attempt
    }

    /// Parses `undo:RUN` or `undo:RUN:ATTEMPT`. Returns nil for any other string.
    package init?(_ text: String) {
        let parts = text.split(scalar: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts[0] == "undo", let run = RunID(parts[1]) else { return nil }
        var attempt = 1
        if parts.count == 3 {
            guard let number = Int(parts[2]), (2..<Int(Int32.max)).contains(number), parts[2] == "\(number)" else {
                return nil
            }
            attempt = number
        }
        self.init(run: run, attempt: attempt)
    }

    package var text: String { attempt == 1 ? "undo:\(run)" : "undo:\(run):\(attempt)" }

    /// Returns the range, in byte order, that contains the keys of all attempts to undo a run.
    package static func range(of run: RunID) -> Range<String> { "undo:\(run)"..<"undo:\(run);" }
}

/// A run that was started to undo another run.
package struct UndoAttempt: Equatable, Sendable {
    package var key: UndoKey
    package var run: RunID
    /// The end of the undoing run; nil until that run has ended.
    package var end: RunEnd?

    package init(key: UndoKey, run: RunID, end: RunEnd?) {
        self.key = key
        self.run = run
        self.end = end
    }
}
