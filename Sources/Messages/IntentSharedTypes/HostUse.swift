/// What a run's sandbox did with one host: the connections of an app with `AllowHosts=`.
public struct HostUse: Hashable, Sendable, Codable {
    /// The host with its port, or without one if only the name was looked up.
    public var host: String
    /// The number of connections.
    public var connectionCount: Int
    /// The number of bytes that the host received.
    public var sentByteCount: Int64
    /// The number of bytes that the host sent.
    public var receivedByteCount: Int64
    /// The number of refused connections and look-ups.
    public var refusedCount: Int
    /// The word of `AllowHosts=` that permits what was refused; nil if no word does, or if nothing was refused.
    public var grant: String?
    /// True if several runs shared the sandbox, so that another run may have caused all this; otherwise nil.
    public var isShared: Bool?

    /// Creates a description.
    public init(
        host: String,
        connectionCount: Int = 0,
        sentByteCount: Int64 = 0,
        receivedByteCount: Int64 = 0,
        refusedCount: Int = 0,
        grant: String? = nil,
        isShared: Bool? = nil
    ) {
        self.host = host
        self.connectionCount = connectionCount
        self.sentByteCount = sentByteCount
        self.receivedByteCount = receivedByteCount
        self.refusedCount = refusedCount
        self.grant = grant
        self.isShared = isShared
    }

    /// Adds what another description of the host counts.
    package mutating func add(_ other: HostUse) {
        connectionCount += other.connectionCount
        sentByteCount &+= other.sentByteCount
        receivedByteCount &+= other.receivedByteCount
        refusedCount += other.refusedCount
        grant = other.grant ?? grant
        isShared = isShared ?? other.isShared
    }
}
