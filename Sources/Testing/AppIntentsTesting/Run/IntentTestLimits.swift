internal import IntentLauncherMessages

/// The limits of a run in a test. The initial values are `intentd`'s defaults.
public struct IntentTestLimits: Hashable, Sendable {
    /// `Runtime=`: the maximum total time of a run; for an intent that reports progress, the maximum time without
    /// progress.
    public var runtime: Duration = defaults.runtime
    /// `Ceiling=`: the maximum total time of a run, which progress does not extend.
    public var ceiling: Duration = defaults.ceiling
    /// `LongCeiling=`: the ceiling inside `performBackgroundTask`.
    public var longCeiling: Duration = defaults.longCeiling
    /// `Grace=`: the time between the cancellation of a run and SIGTERM.
    public var grace: Duration = defaults.grace
    /// `GraceCancellable=`: the grace period of a `CancellableIntent`.
    public var graceCancellable: Duration = defaults.graceCancellable
    /// `QuestionTimeout=`: the maximum time for which a question stays open.
    public var questionTimeout: Duration = defaults.questionTimeout

    /// Creates `intentd`'s default limits.
    public init() {}

    private static let defaults = RunLimits()

    var runLimits: RunLimits {
        var limits = RunLimits()
        limits.runtime = runtime
        limits.ceiling = ceiling
        limits.longCeiling = longCeiling
        limits.grace = grace
        limits.graceCancellable = graceCancellable
        limits.questionTimeout = questionTimeout
        return limits
    }
}
