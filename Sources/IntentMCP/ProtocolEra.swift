import IntentCommandLine

/// The two forms of the Model Context Protocol.
enum ProtocolEra: Hashable {
    /// Revisions with a handshake, up to 2025-11-25.
    case handshake
    /// Revisions without one, from 2026-07-28 on: every request names its revision and the client's capabilities.
    case perRequest

    static let handshakeVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    static let perRequestVersions = ["2026-07-28"]
    static let versions = perRequestVersions + handshakeVersions
}

/// What a client can do beyond calling tools.
struct ClientCapabilities: Hashable {
    /// The client can show a form to a person (`elicitation/create`).
    var canElicit = false
    /// The client can poll tasks (the extension `io.modelcontextprotocol/tasks`).
    var canPollTasks = false

    static let tasksExtension = "io.modelcontextprotocol/tasks"

    init() {}

    init(_ capabilities: [String: JSONValue]) {
        // An empty object means forms. A client that declares only URLs cannot show them.
        if let elicitation = capabilities["elicitation"]?.object {
            canElicit = elicitation["form"] != nil || elicitation["url"] == nil
        }
        canPollTasks = capabilities["extensions"]?.object?[Self.tasksExtension] != nil
    }
}

/// Under which rules a request is answered.
struct RequestContext: Hashable {
    var era: ProtocolEra
    var capabilities: ClientCapabilities
    /// The token for progress notifications; nil when the client wants none.
    var progressToken: JSONValue?

    private static let prefix = "io.modelcontextprotocol/"

    /// The context that a request of 2026-07-28 or later carries; nil for a request without one.
    static func carried(by params: [String: JSONValue]) throws(RPCError) -> RequestContext? {
        guard let meta = params["_meta"]?.object, let version = meta[prefix + "protocolVersion"] else { return nil }
        guard let text = version.text, ProtocolEra.perRequestVersions.contains(text) else {
            throw RPCError(
                .unsupportedVersion,
                "unsupported protocol version \(version.text())",
                data: .object([
                    "supported": .array(ProtocolEra.versions.map { .string($0) }), "requested": version,
                ])
            )
        }
        guard let capabilities = meta[prefix + "clientCapabilities"]?.object else {
            throw RPCError(.invalidParams, "_meta: expected an object as \(prefix)clientCapabilities")
        }
        return RequestContext(
            era: .perRequest,
            capabilities: ClientCapabilities(capabilities),
            progressToken: meta["progressToken"]
        )
    }
}
