package import IntentWire

extension AdmissionQueue {
    /// The limit that keeps a run in the backlog.
    package enum Obstacle: Equatable, Sendable {
        /// `--retry-of`: the run to retry has not ended.
        case predecessor(RunID)
        /// The run's app has not described its intents since `intentd` started.
        case undescribed
        /// The run's claim under `Concurrency=` or `Exclusive=`.
        case concurrency(ConcurrencyClaim)
        /// The limit of `MaxRunsPerApp=`.
        case appLimit(Int)
        /// The limit of `MaxRunsPerUser=`.
        case userLimit(Int)
        /// The limit of `MaxRuns=`.
        case limit(Int)
    }
}

extension AdmissionQueue.Obstacle: CustomStringConvertible {
    package var description: String {
        switch self {
        case .predecessor(let run): "the run that it retries (\(run)) has not ended"
        case .undescribed: "its app has not described its intents yet"
        case .concurrency(let claim): "\(claim)"
        case .appLimit(let count): "other runs of the app occupy all of the app's slots (MaxRunsPerApp=\(count))"
        case .userLimit(let count): "other runs of the user occupy all of the user's slots (MaxRunsPerUser=\(count))"
        case .limit(let count): "other runs occupy all slots (MaxRuns=\(count))"
        }
    }
}
