/// The time limits of a run, configured by the operator for the app or the intent.
public struct RunLimits: Hashable, Sendable, Codable {
    /// `Runtime=`: the maximum time without progress for an intent that reports progress, and the maximum total time
    /// for any other intent.
    @Milliseconds public var runtime: Duration = .seconds(30)
    /// `RuntimeMax=`: the longest time that a caller may request instead of `Runtime=`; nil for the value of
    /// `Ceiling=`.
    @OptionalMilliseconds public var runtimeMax: Duration?
    /// `Ceiling=`: the maximum total time. Progress does not extend it.
    @Milliseconds public var ceiling: Duration = .seconds(600)
    /// `LongCeiling=`: the ceiling inside `performBackgroundTask`.
    @Milliseconds public var longCeiling: Duration = .seconds(86_400)
    /// True if the caller requested a ceiling below `LongCeiling=`; nil otherwise. The requested ceiling then replaces
    /// ``ceiling`` and ``longCeiling``.
    public var isCeilingRequested: Bool?
    /// `Grace=`: the time between cancellation and SIGTERM.
    @Milliseconds public var grace: Duration = .seconds(1)
    /// `GraceCancellable=`: the grace period of a `CancellableIntent`.
    @Milliseconds public var graceCancellable: Duration = .seconds(5)
    /// `KillDelay=`: the time between SIGTERM and SIGKILL.
    @Milliseconds public var killDelay: Duration = .seconds(1)
    /// `QuestionTimeout=`: the time for which a question stays open, including time during which the machine is
    /// suspended.
    @Milliseconds public var questionTimeout: Duration = .seconds(3600)
    /// `QueueTimeout=`: the maximum time that a run waits for a slot.
    @Milliseconds public var queueTimeout: Duration = .seconds(60)

    /// Creates the default limits.
    public init() {}

    /// The longest time that a caller may request instead of `Runtime=`. It is never shorter than `Runtime=`.
    public var grantableRuntime: Duration { max(runtimeMax ?? ceiling, runtime) }

    /// The limits as sent to clients, in which ``runtimeMax`` is always set.
    package var forClients: RunLimits {
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
