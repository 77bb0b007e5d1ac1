/// How a request reached the client that sent it, as that client reports it.
public enum EntryPoint: Hashable, Sendable, Codable {
    /// A command, such as `intentctl run`.
    case commandLine
    /// A program that speaks the protocol.
    case socket
    /// A tool call of the Model Context Protocol.
    case mcp
    /// `intentd` itself, which performs an intent of `[Notify]`. Requests of clients never have this value.
    case notification
    /// An entry point that a later release added.
    case unknown(String)
}

extension EntryPoint: RawRepresentable, CaseIterable {
    /// The entry points that this release knows.
    public static let allCases: [EntryPoint] = [.commandLine, .socket, .mcp, .notification]

    /// Returns the entry point with this name in messages; ``unknown(_:)`` for a name that this release does not know.
    public init(rawValue: String) {
        self = Self.allCases.first { $0.rawValue == rawValue } ?? .unknown(rawValue)
    }

    /// The name in messages.
    public var rawValue: String {
        switch self {
        case .commandLine: "commandLine"
        case .socket: "socket"
        case .mcp: "mcp"
        case .notification: "notification"
        case .unknown(let word): word
        }
    }
}
