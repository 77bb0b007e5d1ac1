/// The first message that each peer sends on a socket.
public struct Hello: Hashable, Sendable, Codable {
    /// The protocol version, which is 1 in all 1.x releases. It is incremented only when older peers could misinterpret
    /// messages.
    public var protocolVersion: Int
    /// The program's name and version, for display.
    public var software: String
    /// The user of a fleet, as `NAME@HOST`, that the client acts for; nil for the client's own user.
    /// Only the client that the operator names (`User=` in `[Fleet]`) may send it.
    public var fleetUser: String?

    /// The user that the service of the HTTP API acts for: an account of this host, or `SUBJECT@REALM` (`Realm=` in `[Web]`).
    /// Only the client that the operator names (`User=` in `[Web]`) may send it, and must.
    public var webUser: String?

    /// Creates a hello message.
    public init(
        protocolVersion: Int = Hello.currentVersion,
        software: String,
        fleetUser: String? = nil,
        webUser: String? = nil
    ) {
        self.protocolVersion = protocolVersion
        self.software = software
        self.fleetUser = fleetUser
        self.webUser = webUser
    }

    /// The protocol version of this release.
    public static let currentVersion = 1
    /// The version number of this release.
    public static let softwareVersion = "1.0.0-dev"
}
