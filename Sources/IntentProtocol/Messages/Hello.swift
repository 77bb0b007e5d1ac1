/// The first message each way on every socket.
public struct Hello: Hashable, Sendable, Codable {
    /// Grows when an older peer could misunderstand; 1 in all releases 1.x.
    public var protocolVersion: Int
    /// Name and version of the program, for people.
    public var software: String

    public init(protocolVersion: Int = Hello.currentVersion, software: String) {
        self.protocolVersion = protocolVersion
        self.software = software
    }

    public static let currentVersion = 1
    /// This release.
    public static let softwareVersion = "1.0.0-dev"
}
