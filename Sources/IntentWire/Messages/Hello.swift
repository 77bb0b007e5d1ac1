/// The first message each way on every socket.
package struct Hello: Hashable, Sendable, Codable {
    /// Grows when an older peer could misunderstand; 1 in all releases 1.x.
    package var protocolVersion: Int
    /// Name and version of the program, for people.
    package var software: String

    package init(protocolVersion: Int = Hello.currentVersion, software: String) {
        self.protocolVersion = protocolVersion
        self.software = software
    }

    package static let currentVersion = 1
    /// This release.
    package static let softwareVersion = "1.0.0-dev"
}
