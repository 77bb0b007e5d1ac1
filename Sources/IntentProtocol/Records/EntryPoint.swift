/// How a request reached the client that sent it, as that client reports it.
public enum EntryPoint: Hashable, Sendable, Codable {
    /// A command, such as `intentctl run`.
    case commandLine
    /// A program that speaks the protocol.
    case socket
    /// A tool call of the Model Context Protocol.
    case mcp
    /// A way that a later release added.
    case unknown(String)
}

extension EntryPoint: RawRepresentable, CaseIterable {
    /// The entry points that this release knows.
    public static let allCases: [EntryPoint] = [.commandLine, .socket, .mcp]

    /// The entry point that a word in messages names; ``unknown(_:)`` for a word that this release does not know.
    public init(rawValue: String) {
        self = Self.allCases.first { $0.rawValue == rawValue } ?? .unknown(rawValue)
    }

    /// The word in messages.
    public var rawValue: String {
        switch self {
        case .commandLine: "commandLine"
        case .socket: "socket"
        case .mcp: "mcp"
        case .unknown(let word): word
        }
    }
}
