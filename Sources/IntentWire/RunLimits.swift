/// The clocks of a run, as the operator set them for its app or intent.
package struct RunLimits: Hashable, Sendable {
    /// `Runtime=`: the whole time of a plain intent; the longest silence of one that reports progress.
    package var runtime: Duration = .seconds(30)
    /// `RuntimeMax=`: the most that a caller may ask for in the place of `Runtime=`; nil: as much as `Ceiling=`.
    package var runtimeMax: Duration?
    /// `Ceiling=`: what progress cannot pass.
    package var ceiling: Duration = .seconds(600)
    /// `LongCeiling=`: the same inside `performBackgroundTask`.
    package var longCeiling: Duration = .seconds(86_400)
    /// `Grace=`: from the word to stop to SIGTERM.
    package var grace: Duration = .seconds(1)
    /// `GraceCancellable=`: the same for a `CancellableIntent`.
    package var graceCancellable: Duration = .seconds(5)
    /// `KillDelay=`: from SIGTERM to SIGKILL.
    package var killDelay: Duration = .seconds(1)
    /// `QuestionTimeout=`: how long a question stays open, sleep of the machine included.
    package var questionTimeout: Duration = .seconds(3600)
    /// `QueueTimeout=`: how long a run waits for a place.
    package var queueTimeout: Duration = .seconds(60)

    package init() {}

    /// The most that a caller may ask for in the place of `Runtime=`; he can always have what everybody has.
    package var grantableRuntime: Duration { max(runtimeMax ?? ceiling, runtime) }

    package var description: LimitsDescription {
        LimitsDescription(
            runtimeMilliseconds: runtime.milliseconds,
            runtimeMaxMilliseconds: grantableRuntime.milliseconds,
            ceilingMilliseconds: ceiling.milliseconds,
            longCeilingMilliseconds: longCeiling.milliseconds,
            graceMilliseconds: grace.milliseconds,
            graceCancellableMilliseconds: graceCancellable.milliseconds
        )
    }
}

extension Duration {
    /// Whole milliseconds, rounded down; the largest number for one that does not fit.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return carry ? .max : sum
    }
}
