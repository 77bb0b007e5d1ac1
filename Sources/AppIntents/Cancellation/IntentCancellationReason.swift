/// Why a run was told to stop.
///
/// Source: Apple's IntentCancellationReason page, which has `timeout` and `userCancelled`; the others are ours, and
/// more may come: a `switch` needs a `default`.
public struct IntentCancellationReason: Sendable {
    /// The word in the protocol, the history and the journal.
    let name: String
    private let deadline: SuspendingClock.Instant?

    init(name: String, deadline: SuspendingClock.Instant? = nil) {
        self.name = name
        self.deadline = deadline
    }

    /// The run used up its time without progress that advances.
    public static let timeout = IntentCancellationReason(name: "timeout")
    /// Somebody asked for it.
    public static let userCancelled = IntentCancellationReason(name: "userCancelled")
    /// The service stops. Not on Apple's systems.
    public static let serviceStopping = IntentCancellationReason(name: "serviceStopping")
    /// The client that asked for the run went away. Not on Apple's systems.
    public static let clientDisconnected = IntentCancellationReason(name: "clientDisconnected")

    /// How long the handler and the tasks it starts have left before the process is ended by force.
    ///
    /// Nil when nothing will end it. Not on Apple's systems.
    public var graceRemaining: Duration? {
        deadline.map { max(.zero, SuspendingClock.now.duration(to: $0)) }
    }
}

extension IntentCancellationReason: Hashable {
    // The time that is left does not make it another reason.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}

extension IntentCancellationReason: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { name }
    public var debugDescription: String { "IntentCancellationReason.\(name)" }
}
