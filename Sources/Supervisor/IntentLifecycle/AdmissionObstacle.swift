package import IntentLauncherMessages

extension AdmissionQueue {
    /// The reason why a run stays in the backlog.
    package enum Obstacle: Equatable, Sendable {
        /// `--retry-of`: the run to retry has not ended.
        case predecessor(RunID)
        /// The run's app has not described its intents since `intentd` started.
        case undescribed
        /// A `Concurrency=` or `Exclusive=` limit has been reached. The value is the run's claim under that limit.
        case concurrency(ConcurrencyClaim)
        /// The app has reached this limit (`MaxRunsPerApp=`).
        case appLimit(Int)
        /// The user has all of the app's slots except one, which is kept for another user.
        case appShare(Int)
        /// The user has reached this limit (`MaxRunsPerUser=`).
        case userLimit(Int)
        /// All runs together have reached this limit (`MaxRuns=`).
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
        case .appShare(let count):
            "other runs of the user occupy the app's slots except the one for another user (MaxRunsPerApp=\(count))"
        case .userLimit(let count): "other runs of the user occupy all of the user's slots (MaxRunsPerUser=\(count))"
        case .limit(let count): "other runs occupy all slots (MaxRuns=\(count))"
        }
    }
}
