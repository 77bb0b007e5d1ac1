/// How a request reached the client that sent it, as that client reports it.
public enum EntryPoint: String, Hashable, Sendable, Codable, CaseIterable {
    /// A command, such as `intentctl run`.
    case commandLine
    /// A program that speaks the protocol.
    case socket
    /// A tool call of the Model Context Protocol.
    case mcp
}
