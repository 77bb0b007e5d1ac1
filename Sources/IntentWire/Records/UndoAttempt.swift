package import IntentProtocol

/// The key under which a run takes another one back: its first attempt, or a later one.
///
/// As any key it is one run at most, so that two who ask at once make one attempt between them.
package struct UndoKey: Equatable, Sendable {
    /// The run that is taken back.
    package var run: RunID
    /// From 1.
    package var attempt: Int

    package init(run: RunID, attempt: Int) {
        self.run = run
        self.attempt = attempt
    }

    /// Nil for a key of another kind.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
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

    /// What all keys of a run's attempts lie between, as bytes are compared.
    package static func range(of run: RunID) -> Range<String> { "undo:\(run)"..<"undo:\(run);" }
}

/// A run that was to take another one back.
package struct UndoAttempt: Equatable, Sendable {
    package var key: UndoKey
    package var run: RunID
    /// Nil when it has not ended.
    package var end: RunEnd?

    package init(key: UndoKey, run: RunID, end: RunEnd?) {
        self.key = key
        self.run = run
        self.end = end
    }
}
