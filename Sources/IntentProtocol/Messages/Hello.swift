/// The first message in each direction on every socket.
public struct Hello: Hashable, Sendable, Codable {
    /// The version of the protocol, which is 1 in all releases 1.x. It grows only when older peers could misunderstand
    /// messages.
    public var protocolVersion: Int
    /// The program's name and version, for people.
    public var software: String

    /// Creates a greeting.
    public init(protocolVersion: Int = Hello.currentVersion, software: String) {
        self.protocolVersion = protocolVersion
        self.software = software
    }

    /// The version that this release speaks.
    public static let currentVersion = 1
    /// The version of this release.
    public static let softwareVersion = "1.0.0-dev"
}
