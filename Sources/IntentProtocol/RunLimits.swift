/// The clocks of a run, as the operator set them for its app or intent.
public struct RunLimits: Hashable, Sendable {
    /// `Runtime=`: the whole time of a plain intent; the longest silence of one that reports progress.
    public var runtime: Duration = .seconds(30)
    /// `RuntimeMax=`: the most that a caller may ask for in the place of `Runtime=`; nil: as much as `Ceiling=`.
    public var runtimeMax: Duration?
    /// `Ceiling=`: what progress cannot pass.
    public var ceiling: Duration = .seconds(600)
    /// `LongCeiling=`: the same inside `performBackgroundTask`.
    public var longCeiling: Duration = .seconds(86_400)
    /// `Grace=`: from the word to stop to SIGTERM.
    public var grace: Duration = .seconds(1)
    /// `GraceCancellable=`: the same for a `CancellableIntent`.
    public var graceCancellable: Duration = .seconds(5)
    /// `KillDelay=`: from SIGTERM to SIGKILL.
    public var killDelay: Duration = .seconds(1)
    /// `QuestionTimeout=`: how long a question stays open, sleep of the machine included.
    public var questionTimeout: Duration = .seconds(3600)
    /// `QueueTimeout=`: how long a run waits for a place.
    public var queueTimeout: Duration = .seconds(60)

    public init() {}

    /// The most that a caller may ask for in the place of `Runtime=`; he can always have what everybody has.
    public var grantableRuntime: Duration { max(runtimeMax ?? ceiling, runtime) }

    public var description: LimitsDescription {
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

/// As a record has them: in milliseconds, in the order of the members; ``runtimeMax`` is on no record.
extension RunLimits: Codable {
    public init(from decoder: any Decoder) throws {
        self.init()
        var spans = try decoder.unkeyedContainer()
        runtime = try spans.decodeMilliseconds()
        ceiling = try spans.decodeMilliseconds()
        longCeiling = try spans.decodeMilliseconds()
        grace = try spans.decodeMilliseconds()
        graceCancellable = try spans.decodeMilliseconds()
        killDelay = try spans.decodeMilliseconds()
        questionTimeout = try spans.decodeMilliseconds()
        queueTimeout = try spans.decodeMilliseconds()
    }

    public func encode(to encoder: any Encoder) throws { try recordedMilliseconds.encode(to: encoder) }

    public var recordedMilliseconds: [Int64] {
        [runtime, ceiling, longCeiling, grace, graceCancellable, killDelay, questionTimeout, queueTimeout]
            .map(\.milliseconds)
    }
}

extension UnkeyedDecodingContainer {
    fileprivate mutating func decodeMilliseconds() throws -> Duration { .milliseconds(try decode(Int64.self)) }
}
