/// The kind of client that sent a request, as reported by the client.
public enum EntryPoint: Hashable, Sendable, Codable {
    /// A command line, such as `intentctl run`.
    case commandLine
    /// A program that uses the socket protocol directly.
    case socket
    /// A Model Context Protocol tool call.
    case mcp
    /// The HTTP API of `intentd-web`.
    case http
    /// `intentd` itself, which performs the intents in `[Notify]`. If a client sends this value, history contains
    /// `socket`.
    case notification
    /// An entry point that a later release added.
    case unknown(String)
}
