package import IntentWire

extension AdmissionQueue {
    /// The limit that keeps a run in the backlog.
    package enum Obstacle: Equatable, Sendable {
        /// `--retry-of`: the run that it retries has not ended.
        case predecessor(RunID)
        /// The run's app has not described its intents since `intentd` started.
        case undescribed
        /// The run's claim under `Concurrency=` or `Exclusive=`.
        case concurrency(ConcurrencyClaim)
        /// `MaxRunsPerApp=`.
        case appLimit(Int)
        /// `MaxRunsPerUser=`.
        case userLimit(Int)
        /// `MaxRuns=`.
        case limit(Int)
    }
}

extension AdmissionQueue.Obstacle: CustomStringConvertible {
    package var description: String {
        switch self {
        case .predecessor(let run): "run \(run), which it retries, has not ended"
        case .undescribed: "its app has not described its intents yet"
        case .concurrency(let claim): "\(claim)"
        case .appLimit(let count): "other runs of its app occupy all slots of the app (MaxRunsPerApp=\(count))"
        case .userLimit(let count): "other runs of its user occupy all slots of the user (MaxRunsPerUser=\(count))"
        case .limit(let count): "other runs occupy all slots (MaxRuns=\(count))"
        }
    }
}
