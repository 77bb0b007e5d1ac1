/// The way in which a request reached the client that sent it, as reported by that client.
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
    /// All entry points except ``unknown(_:)``.
    public static let allCases: [EntryPoint] = [.commandLine, .socket, .mcp, .notification]

    /// Creates an entry point from its name in messages; ``unknown(_:)`` for a name that a later release added.
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
