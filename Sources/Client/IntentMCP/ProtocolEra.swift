import IntentCommandLine
import IntentProtocol

/// An era of the Model Context Protocol: a group of revisions with the same rules for connections.
enum ProtocolEra: Hashable {
    /// The revisions up to 2025-11-25, which start with a handshake.
    case handshake
    /// The revisions from 2026-07-28 on, which have no handshake. Every request contains its revision and the client's
    /// capabilities.
    case perRequest

    static let handshakeVersions = ["2025-11-25", "2025-06-18"]
    static let perRequestVersions = ["2026-07-28"]
    static let versions = perRequestVersions + handshakeVersions
}

/// The optional features that a client supports.
struct ClientCapabilities: Hashable {
    /// The client can show a form to a person (`elicitation/create`).
    var canElicit = false
    /// The client can poll tasks (the extension `io.modelcontextprotocol/tasks`).
    var canPollTasks = false

    /// The client shows views of results (the extension `io.modelcontextprotocol/ui`).
    var showsViews = false

    static let viewsExtension = "io.modelcontextprotocol/ui"
    static let tasksExtension = "io.modelcontextprotocol/tasks"

    init() {}

    init(_ capabilities: [String: JSONValue]) {
        // An empty object declares support for forms. A client that declares only URLs cannot show forms.
        if let elicitation = capabilities["elicitation"]?.object {
            canElicit = elicitation["form"] != nil || elicitation["url"] == nil
        }
        let extensions = capabilities["extensions"]?.object
        canPollTasks = extensions?[Self.tasksExtension] != nil
        if let views = extensions?[Self.viewsExtension] {
            // A client that lists no types supports the type that the extension requires.
            guard case .array(let types)? = views.object?["mimeTypes"] else {
                showsViews = true
                return
            }
            showsViews = types.contains(.string(SnippetView.mimeType))
        }
    }
}

/// The protocol rules that apply to the response to a request.
struct RequestContext: Hashable {
    var era: ProtocolEra
    var capabilities: ClientCapabilities
    /// The token for progress notifications; nil if the client did not request notifications.
    var progressToken: JSONValue?

    private static let prefix = "io.modelcontextprotocol/"

    /// Returns the context from a request of revision 2026-07-28 or later; nil for a request without a context.
    static func context(in params: [String: JSONValue]) throws(RPCError) -> RequestContext? {
        guard let meta = params["_meta"]?.object, let version = meta[prefix + "protocolVersion"] else { return nil }
        guard let text = version.text, ProtocolEra.perRequestVersions.contains(text) else {
            throw RPCError(
                .unsupportedVersion,
                "unsupported protocol version \(WireCoding.excerpt(version.text()))",
                data: [
                    "supported": .array(ProtocolEra.versions.map { .string($0) }),
                    "requested": .string(WireCoding.excerpt(version.text ?? version.text())),
                ]
            )
        }
        guard let capabilities = meta[prefix + "clientCapabilities"]?.object else {
            throw RPCError(.invalidParams, "_meta: expected an object in \(prefix)clientCapabilities")
        }
        return RequestContext(
            era: .perRequest,
            capabilities: ClientCapabilities(capabilities),
            progressToken: meta["progressToken"]
        )
    }
}
