extension MCPClient {
    /// False for a client that reads no servers with an address from its configuration file.
    package var reachesAddresses: Bool { self != .claudeDesktop }

    var hasComments: Bool {
        switch self {
        case .geminiCLI, .vsCode, .zed, .openCode: true
        case .claudeCode, .claudeDesktop, .cursor, .codex, .goose, .windsurf, .cline, .copilotCLI: false
        }
    }

    /// The section and the entry of a server with an address; nil for a configuration that is no JSON.
    func entry(of remote: MCPServerEntry.Remote) -> (String, JSONValue)? {
        func entry(_ key: String, _ type: String? = nil) -> JSONValue {
            .members(["type": type.map { .string($0) }, "headers": remote.headers]).inserting(key, .string(remote.url))
        }
        return switch self {
        case .claudeCode: ("mcpServers", entry("url", "http"))
        case .claudeDesktop, .cursor: ("mcpServers", entry("url"))
        case .vsCode: ("servers", entry("url", "http"))
        case .geminiCLI: ("mcpServers", entry("httpUrl"))
        case .windsurf: ("mcpServers", entry("serverUrl"))
        case .zed: ("context_servers", entry("url"))
        case .cline: ("mcpServers", entry("url", "streamableHttp"))
        case .openCode: ("mcp", entry("url", "remote").inserting("enabled", true))
        case .copilotCLI: ("mcpServers", entry("url", "http").inserting("tools", ["*"]))
        case .codex, .goose: nil
        }
    }
}

extension JSONValue {
    func inserting(_ key: String, _ value: JSONValue) -> JSONValue {
        var members = self.members
        members[key] = value
        return .object(members)
    }
}

/// The command that starts the MCP server, or its address.
package struct MCPServerEntry: Equatable, Sendable {
    /// A server with an address.
    package struct Remote: Equatable, Sendable {
        package var url: String
        /// The header `Authorization`; nil for a client that gets its token by itself.
        package var authorization: String?

        var headers: JSONValue? {
            authorization.map { .object(["Authorization": .string($0)]) }
        }
    }

    package var command: String
    package var arguments: [String]
    /// The server's address; nil for a command.
    package var remote: Remote?

    package init(command: String, arguments: [String]) {
        self.command = command
        self.arguments = arguments
    }

    package init(url: String, authorization: String?) {
        (command, arguments) = ("", [])
        remote = Remote(url: url, authorization: authorization)
    }

    /// The lines of a table in TOML.
    var tableLines: String {
        guard let remote else {
            return "command = \(JSONValue.string(command).text())\nargs = \(argumentList)\n"
        }
        let headers = remote.authorization.map {
            "http_headers = { \"Authorization\" = \(JSONValue.string($0).text()) }\n"
        }
        return "url = \(JSONValue.string(remote.url).text())\n" + (headers ?? "")
    }

    /// The lines of a block in YAML.
    var blockLines: [String] {
        guard let remote else {
            return ["type: stdio", "cmd: \(JSONValue.string(command).text())", "args: \(argumentList)"]
        }
        return ["type: streamable_http", "uri: \(JSONValue.string(remote.url).text())"]
            + (remote.headers.map { ["headers: \($0.text())"] } ?? [])
    }

    func json(type: String? = nil) -> JSONValue {
        .members([
            "type": type.map { .string($0) }, "command": .string(command),
            "args": .array(arguments.map { .string($0) }),
        ])
    }

    var words: [JSONValue] { ([command] + arguments).map { .string($0) } }

    /// The arguments as a list in a syntax that JSON, TOML and YAML share: `["mcp", "--root", "/srv"]`.
    var argumentList: String { JSONValue.array(arguments.map { .string($0) }).text() }
}
