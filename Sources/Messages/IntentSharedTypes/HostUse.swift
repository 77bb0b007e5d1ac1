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
    /// The name of the credential that was inserted into requests (`Credential=`); nil for other hosts.
    public var credential: String?
    /// The method and the path without its query of the requests into which the credential was inserted, each once, and at
    /// most 32 of them.
    public var requests: [String]?
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
        credential: String? = nil,
        requests: [String]? = nil,
        isShared: Bool? = nil
    ) {
        self.host = host
        self.connectionCount = connectionCount
        self.sentByteCount = sentByteCount
        self.receivedByteCount = receivedByteCount
        self.refusedCount = refusedCount
        self.grant = grant
        self.credential = credential
        self.requests = requests
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
        credential = other.credential ?? credential
        for request in other.requests ?? [] {
            guard requests.map({ $0.count < Self.requestLimit && !$0.contains(request) }) != false else { continue }
            requests = (requests ?? []) + [request]
        }
    }

    private static let requestLimit = 32
}
