/// The reason why a run is cancelled.
///
/// Source: Apple's IntentCancellationReason page, which lists `timeout` and `userCancelled`. The other reasons are
/// specific to Linux. Later versions may add reasons, so a `switch` needs a `default`.
public struct IntentCancellationReason: Sendable {
    /// The reason's name in the protocol, the history and the journal.
    let name: String
    private let remaining: (@Sendable () -> Duration)?

    init(name: String, deadline: SuspendingClock.Instant) {
        self.init(name: name, graceRemaining: { SuspendingClock.now.duration(to: deadline) })
    }

    package init(name: String, graceRemaining: (@Sendable () -> Duration)? = nil) {
        self.name = name
        remaining = graceRemaining
    }

    /// The run made no progress within its limit, exceeded its ceiling, or asked a question that was not answered
    /// in time.
    public static let timeout = IntentCancellationReason(name: "timeout")
    /// The owner or an operator cancelled the run.
    public static let userCancelled = IntentCancellationReason(name: "userCancelled")
    /// A reason that Apple's system does not know. Linux always states another reason.
    public static let unknown = IntentCancellationReason(name: "unknown")
    /// `intentd` is stopping. Specific to Linux.
    public static let serviceStopping = IntentCancellationReason(name: "serviceStopping")
    /// The client that requested the run disconnected. Specific to Linux.
    public static let clientDisconnected = IntentCancellationReason(name: "clientDisconnected")
    /// A newer run of the user replaced this run: `Concurrency=` with `replace`. Specific to Linux.
    public static let replaced = IntentCancellationReason(name: "replaced")

    /// The time until the process is killed; nil if the process will not be killed.
    ///
    /// Specific to Linux.
    public var graceRemaining: Duration? {
        remaining.map { max(.zero, $0()) }
    }
}

extension IntentCancellationReason: Hashable {
    // Compare only the names: a received reason, which has a remaining time, must equal its constant.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}

extension IntentCancellationReason: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { name }
    public var debugDescription: String { "IntentCancellationReason.\(name)" }
}
