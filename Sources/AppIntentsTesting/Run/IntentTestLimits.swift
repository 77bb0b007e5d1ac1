internal import IntentWire

/// The limits of a run in a test. The initial values are `intentd`'s defaults.
public struct IntentTestLimits: Hashable, Sendable {
    /// `Runtime=`: the maximum total time of a run; for an intent that reports progress, the maximum time without
    /// progress.
    public var runtime: Duration
    /// `Ceiling=`: the maximum total time of a run, which progress does not extend.
    public var ceiling: Duration
    /// `LongCeiling=`: the ceiling inside `performBackgroundTask`.
    public var longCeiling: Duration
    /// `Grace=`: the time between the cancellation of a run and SIGTERM.
    public var grace: Duration
    /// `GraceCancellable=`: the grace period of a `CancellableIntent`.
    public var graceCancellable: Duration
    /// `QuestionTimeout=`: the maximum time for which a question stays open.
    public var questionTimeout: Duration

    /// Creates `intentd`'s default limits.
    public init() {
        let limits = RunLimits()
        runtime = limits.runtime
        ceiling = limits.ceiling
        longCeiling = limits.longCeiling
        grace = limits.grace
        graceCancellable = limits.graceCancellable
        questionTimeout = limits.questionTimeout
    }

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
