/// What happens to a run.
public enum RunUpdate: Hashable, Sendable {
    /// It went on to another phase; a reason is given when it is stopping.
    case phase(RunPhase, reason: StopReason?)
    case progress(RunProgress)
    /// A piece of what the run printed, cut anywhere.
    case output(RunOutput, text: String)
    /// The last update.
    case ended(RunResult)
}

/// Where a run that has not ended is.
public enum RunPhase: String, Hashable, Sendable {
    /// Accepted; waits for its app or for a free place.
    case queued
    /// Its process is being made.
    case starting
    /// `perform()` runs.
    case running
    /// It waits for the answer to a question; its clock stands still.
    case asking
    /// Told to stop, and not gone yet.
    case stopping
}

/// Which of a run's two outputs.
public enum RunOutput: String, Hashable, Sendable {
    case stdout
    case stderr
}
