internal import IntentWire

/// The limits of a run in a test. The initial values are the defaults of `intentd`.
public struct IntentTestLimits: Hashable, Sendable {
    /// `Runtime=`: the total time of an intent that reports no progress, or the time without progress of one that does.
    public var runtime: Duration
    /// `Ceiling=`: the total time, which progress does not extend.
    public var ceiling: Duration
    /// `LongCeiling=`: the ceiling inside `performBackgroundTask`.
    public var longCeiling: Duration
    /// `Grace=`: the time between the cancellation and the end of the process.
    public var grace: Duration
    /// `GraceCancellable=`: the grace period of a `CancellableIntent`.
    public var graceCancellable: Duration
    /// `QuestionTimeout=`: how long a question stays open.
    public var questionTimeout: Duration

    /// Creates the limits that `intentd` has by default.
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
