/// The settings of the figures with a thousand live runs.
enum ManyRuns {
    static let count = 1000

    /// Limits with slots for all of them and some more.
    static let limits = ["MaxRuns=1100", "MaxRunsPerUser=1100", "MaxRunsPerApp=1100", "MaxQueued=2048"]
}
