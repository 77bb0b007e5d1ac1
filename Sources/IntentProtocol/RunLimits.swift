/// The time limits of a run, as the operator set them for its app or intent.
public struct RunLimits: Hashable, Sendable, Codable {
    /// `Runtime=`: the maximum total time of an intent that reports no progress, or the maximum time without progress
    /// of an intent that reports progress.
    @Milliseconds public var runtime: Duration = .seconds(30)
    /// `RuntimeMax=`: the maximum that a caller may request instead of `Runtime=`; nil for the value of `Ceiling=`.
    @OptionalMilliseconds public var runtimeMax: Duration?
    /// `Ceiling=`: the maximum total time, which progress does not extend.
    @Milliseconds public var ceiling: Duration = .seconds(600)
    /// `LongCeiling=`: the ceiling inside `performBackgroundTask`.
    @Milliseconds public var longCeiling: Duration = .seconds(86_400)
    /// True if the caller's request is less than `LongCeiling=`: it replaces ``ceiling`` and ``longCeiling``. Nil otherwise.
    public var isCeilingRequested: Bool?
    /// `Grace=`: the time between the cancellation and SIGTERM.
    @Milliseconds public var grace: Duration = .seconds(1)
    /// `GraceCancellable=`: the grace period of a `CancellableIntent`.
    @Milliseconds public var graceCancellable: Duration = .seconds(5)
    /// `KillDelay=`: the time between SIGTERM and SIGKILL.
    @Milliseconds public var killDelay: Duration = .seconds(1)
    /// `QuestionTimeout=`: how long a question stays open, including the time that the machine sleeps.
    @Milliseconds public var questionTimeout: Duration = .seconds(3600)
    /// `QueueTimeout=`: how long a run waits for a slot.
    @Milliseconds public var queueTimeout: Duration = .seconds(60)

    /// Creates the default limits.
    public init() {}

    /// The maximum time that a caller may request instead of `Runtime=`. It is at least `Runtime=`.
    public var grantableRuntime: Duration { max(runtimeMax ?? ceiling, runtime) }

    /// The limits as clients receive them, with ``runtimeMax`` always set.
    package var told: RunLimits {
        var limits = self
        limits.runtimeMax = grantableRuntime
        return limits
    }

    private enum CodingKeys: String, CodingKey {
        case runtime = "runtimeMilliseconds"
        case runtimeMax = "runtimeMaxMilliseconds"
        case ceiling = "ceilingMilliseconds"
        case longCeiling = "longCeilingMilliseconds"
        case isCeilingRequested
        case grace = "graceMilliseconds"
        case graceCancellable = "graceCancellableMilliseconds"
        case killDelay = "killDelayMilliseconds"
        case questionTimeout = "questionTimeoutMilliseconds"
        case queueTimeout = "queueTimeoutMilliseconds"
    }
}
