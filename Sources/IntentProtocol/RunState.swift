/// Where a run that has not ended is.
public enum RunState: String, Hashable, Sendable, Codable {
    /// Accepted; waits for its app's catalogue or for a free place.
    case queued
    /// Its process is being made.
    case starting
    /// `perform()` runs.
    case running
    /// A question of its is open: its clock stands still, and the question's own runs.
    case asking
    /// Told to stop, and not gone yet.
    case stopping
}
