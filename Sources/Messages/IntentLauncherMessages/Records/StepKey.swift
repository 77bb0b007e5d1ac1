/// The idempotency key of a run that performs a step of a shortcut.
///
/// The key identifies the run's place in the shortcut, so that a supervisor that continues the shortcut finds the run
/// instead of starting another one.
package struct StepKey: Hashable, Sendable {
    /// The run of the shortcut.
    package var shortcut: RunID
    /// The name of the step.
    package var step: String
    /// The number of the element of `ForEach=`, or of the repetition; otherwise 0.
    package var index: Int
    /// The number of the attempt, starting at 1.
    package var attempt: Int

    package init(shortcut: RunID, step: String, index: Int = 0, attempt: Int = 1) {
        self.shortcut = shortcut
        self.step = step
        self.index = index
        self.attempt = attempt
    }

    /// The start of every key of a step. Clients may not choose such a key.
    package static let prefix = "shortcut:"

    /// Parses `shortcut:RUN:STEP:INDEX:ATTEMPT`. Returns nil for any other string.
    package init?(_ text: String) {
        guard text.hasPrefix(utf8: Self.prefix) else { return nil }
        let parts = text.split(scalar: ":", omittingEmptySubsequences: false)
        guard parts.count == 5, let run = RunID(parts[1]), let index = Int(parts[3]), let attempt = Int(parts[4]) else {
            return nil
        }
        self.init(shortcut: run, step: String(parts[2]), index: index, attempt: attempt)
    }

    package var text: String { "\(Self.prefix)\(shortcut):\(step):\(index):\(attempt)" }

    /// Returns the range, in byte order, that contains the keys of all steps of a shortcut's run.
    package static func range(of run: RunID) -> Range<String> { "\(prefix)\(run):"..<"\(prefix)\(run);" }
}

/// A run of a step, or of the undo of a step, as the history has recorded it.
package struct RecordedStep: Equatable, Sendable {
    package var key: String
    package var run: KnownRun

    package init(key: String, run: KnownRun) {
        self.key = key
        self.run = run
    }
}
