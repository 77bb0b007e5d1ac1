/// A host in a fleet, as the fleet's database describes it.
public struct FleetHost: Hashable, Sendable, Codable {
    /// The name that the operator gave the host.
    public var name: String
    /// The state of the host's lease.
    public var state: State
    /// The time since the host last renewed its lease; nil for a host without a lease (``State/left``).
    @OptionalMilliseconds public var sinceSeen: Duration?
    /// The number of free slots that the host last reported.
    public var freeCount: Int
    /// The number of runs that the host is performing.
    public var runningCount: Int
    /// The number of intents that the host offers.
    public var intentCount: Int

    /// The maximum number of hosts in a status.
    package static let countLimit = 1000

    /// Creates a description.
    public init(
        name: String,
        state: State,
        sinceSeen: Duration?,
        freeCount: Int,
        runningCount: Int,
        intentCount: Int
    ) {
        self.name = name
        self.state = state
        self.sinceSeen = sinceSeen
        self.freeCount = freeCount
        self.runningCount = runningCount
        self.intentCount = intentCount
    }

    /// The state of a host's lease, which determines whether the host performs new runs.
    public enum State: Hashable, Sendable, Codable {
        /// The host has a lease and performs new runs.
        case alive
        /// The host has a lease, but performs no new runs because an operator is draining it.
        case draining
        /// The host's lease has expired.
        case lost
        /// The host has left the fleet or has never joined it: it has no lease.
        case left
        /// A state that a later release added, by its name in messages.
        case unknown(String)
    }

    private enum CodingKeys: String, CodingKey {
        case name, state
        case sinceSeen = "sinceSeenMilliseconds"
        case freeCount, runningCount, intentCount
    }
}
