/// What the figures with a thousand live runs share.
enum ManyRuns {
    static let count = 1000

    /// Places for all of them, and some for others.
    static let limits = ["MaxRuns=1100", "MaxRunsPerUser=1100", "MaxRunsPerApp=1100", "MaxQueued=2048"]
}
