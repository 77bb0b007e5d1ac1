/// What happens to a run.
public enum RunUpdate: Hashable, Sendable {
    /// It went on to another phase; a reason is given when it is stopping.
    case phase(RunPhase, reason: StopReason?)
    case progress(RunProgress)
    /// It asks something, and waits; open until ``answered(_:)`` or the next phase.
    case question(RunQuestion)
    /// Its question is answered: nobody else has to.
    case answered(QuestionAnswer)
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
