/// The way by which a wish came, as its client says.
public enum Door: String, Hashable, Sendable, Codable, CaseIterable {
    case commandLine
    case socket
    case mcp
}
