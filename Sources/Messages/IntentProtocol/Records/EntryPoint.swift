/// The kind of client that sent a request, as reported by the client.
public enum EntryPoint: Hashable, Sendable, Codable {
    /// A command line, such as `intentctl run`.
    case commandLine
    /// A program that uses the socket protocol directly.
    case socket
    /// A Model Context Protocol tool call.
    case mcp
    /// `intentd` itself, which performs the intents in `[Notify]`. If a client sends this value, history contains
    /// `socket`.
    case notification
    /// An entry point that a later release added.
    case unknown(String)
}

extension EntryPoint: RawRepresentable, CaseIterable {
    /// All entry points except ``unknown(_:)``.
    public static let allCases: [EntryPoint] = [.commandLine, .socket, .mcp, .notification]

    /// Creates an entry point from its name in messages. An unrecognized name becomes ``unknown(_:)``.
    public init(rawValue: String) {
        self = Self.allCases.first { $0.rawValue == rawValue } ?? .unknown(rawValue)
    }

    /// The entry point's name in messages.
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
