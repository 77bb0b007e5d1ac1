import IntentCommandLine

/// An MCP client that `intentctl mcp --setup` knows: where its configuration is, and the form of a server's entry.
package enum MCPClient: String, CaseIterable, Sendable {
    case claudeCode = "claude-code"
    case claudeDesktop = "claude-desktop"
    case vsCode = "vscode"
    case cursor
    case codex
    case goose

    /// The name under which the server is registered.
    static let serverName = "intentd"

    /// The configuration file, below the home folder and `$XDG_CONFIG_HOME`.
    package func file(home: String, configurationFolder: String) -> String {
        switch self {
        case .claudeCode: "\(home)/.claude.json"
        case .claudeDesktop: "\(configurationFolder)/Claude/claude_desktop_config.json"
        case .vsCode: "\(configurationFolder)/Code/User/mcp.json"
        case .cursor: "\(home)/.cursor/mcp.json"
        case .codex: "\(home)/.codex/config.toml"
        case .goose: "\(configurationFolder)/goose/config.yaml"
        }
    }

    /// The whole text of a configuration with this server alone.
    package func configuration(_ server: MCPServerEntry) -> String {
        switch merge(server, into: "") {
        case .merged(let text): text
        case .present, .conflict: preconditionFailure("an empty configuration has no entries")
        }
    }

    /// What becomes of a configuration.
    package enum Merge: Equatable, Sendable {
        /// The new text: the old one with one entry more.
        case merged(String)
        /// The server is registered already, with the same command and arguments.
        case present
        /// The text cannot be merged safely, for this reason.
        case conflict(String)
    }

    /// Adds the server to the text of a configuration. Every other byte stays as it is.
    package func merge(_ server: MCPServerEntry, into text: String) -> Merge {
        switch self {
        case .claudeCode, .claudeDesktop, .cursor: JSONConfiguration.merge(server.json(), "mcpServers", into: text)
        case .vsCode: JSONConfiguration.merge(server.json(type: "stdio"), "servers", into: text)
        case .codex: TOMLConfiguration.merge(server, into: text)
        case .goose: YAMLConfiguration.merge(server, into: text)
        }
    }
}

/// The command that starts the server.
package struct MCPServerEntry: Equatable, Sendable {
    package var command: String
    package var arguments: [String]

    package init(command: String, arguments: [String]) {
        self.command = command
        self.arguments = arguments
    }

    fileprivate func json(type: String? = nil) -> JSONValue {
        .members([
            "type": type.map { .string($0) }, "command": .string(command),
            "args": .array(arguments.map { .string($0) }),
        ])
    }

    /// `["mcp", "--root", "/srv"]`, which JSON, TOML and YAML read alike.
    fileprivate var argumentList: String { JSONValue.array(arguments.map { .string($0) }).text() }
}

/// Configurations in JSON (RFC 8259).
private enum JSONConfiguration {
    static func merge(_ entry: JSONValue, _ section: String, into text: String) -> MCPClient.Merge {
        let name = MCPClient.serverName
        if text.allSatisfy(\.isWhitespace) {
            return .merged("{\n  \"\(section)\": {\n    \"\(name)\": \(entry.text())\n  }\n}\n")
        }
        let bytes = Array(text.utf8)
        guard let json = JSONValue(parsing: bytes) else { return .conflict("it is not JSON, or has comments") }
        guard case .object(let members) = json else { return .conflict("it is not an object") }
        var scanner = JSONScanner(bytes)
        switch members[section] {
        case nil:
            let comma = members.isEmpty ? "" : ","
            let addition = "\n  \"\(section)\": {\n    \"\(name)\": \(entry.text())\n  }\(comma)"
            return scanner.isAtObject() ? .merged(scanner.inserting(addition)) : .conflict("it is not an object")
        case .object(let servers)?:
            if let known = servers[name] {
                return known == entry ? .present : .conflict("it has another entry '\(name)': remove that first")
            }
            // An object with the same key twice has no certain meaning.
            guard scanner.enterMember(section) else { return .conflict("its '\(section)' is not one object") }
            let comma = servers.isEmpty ? "\n  " : ","
            return .merged(scanner.inserting("\n    \"\(name)\": \(entry.text())\(comma)"))
        case .some: return .conflict("its '\(section)' is not an object")
        }
    }
}

/// Finds positions in valid JSON.
private struct JSONScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // A byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// Moves behind the brace that opens the outermost object. Returns false without one.
    mutating func isAtObject() -> Bool {
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "{") else { return false }
        index += 1
        return true
    }

    /// Moves behind the brace that opens the value of a member of the outermost object. Returns false when there is no
    /// such member, or more than one.
    mutating func enterMember(_ name: String) -> Bool {
        guard isAtObject() else { return false }
        var found: Int?
        while index < bytes.count {
            skipSpace()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { break }
            let start = index
            skipValue()
            let key = JSONValue(parsing: Array(bytes[start..<index]))
            skipSpace()
            index += 1  // The colon.
            skipSpace()
            if key == .string(name) {
                guard found == nil, index < bytes.count, bytes[index] == UInt8(ascii: "{") else { return false }
                found = index + 1
            }
            skipValue()
            skipSpace()
            guard index < bytes.count, bytes[index] == UInt8(ascii: ",") else { break }
            index += 1
        }
        guard let found else { return false }
        index = found
        return true
    }

    /// The text with an addition at this position.
    func inserting(_ addition: String) -> String {
        String(decoding: bytes[..<index] + Array(addition.utf8) + bytes[index...], as: UTF8.self)
    }

    private mutating func skipSpace() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    /// Skips a value, or a key.
    private mutating func skipValue() {
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                index += 1
                if depth == 0 { return }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth -= 1
                if depth == 0 {
                    index += 1
                    return
                }
            case UInt8(ascii: ",") where depth == 0: return
            default: break
            }
            index += 1
        }
    }
}

/// Configurations in TOML (toml.io, version 1.0), where a new table can follow at the end.
private enum TOMLConfiguration {
    static func merge(_ server: MCPServerEntry, into text: String) -> MCPClient.Merge {
        let header = "[mcp_servers.\(MCPClient.serverName)]"
        let table = "\(header)\ncommand = \(JSONValue.string(server.command).text())\nargs = \(server.argumentList)\n"
        if text.contains(table) { return .present }
        let lines = text.split(whereSeparator: \.isNewline).map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
        if lines.contains(where: { $0.hasPrefix(header.dropLast()) }) {
            return .conflict("it has another table \(header): remove that first")
        }
        if lines.contains(where: { $0.hasPrefix("mcp_servers=") || $0.hasPrefix("mcp_servers.") }) {
            return .conflict("it has 'mcp_servers' as a value, which a table cannot extend")
        }
        // A text of several lines may contain anything.
        if text.contains("\"\"\"") || text.contains("'''") {
            return .conflict("it has a text of several lines, which may hide a table")
        }
        let gap = text.isEmpty ? "" : text.last?.isNewline == true ? "\n" : "\n\n"
        return .merged(text + gap + table)
    }
}

/// Configurations in YAML (yaml.org, version 1.2), with the servers as a block below `extensions:`.
private enum YAMLConfiguration {
    static func merge(_ server: MCPServerEntry, into text: String) -> MCPClient.Merge {
        let lines = text.split(omittingEmptySubsequences: false) { ["\n", "\r\n", "\r"].contains($0) }
        guard let start = lines.firstIndex(where: { $0.hasPrefix("extensions:") }) else {
            if text.contains("\t") || lines.contains("...") || lines.dropFirst().contains("---") {
                return .conflict("it has more than one document, or tabs")
            }
            let gap = text.isEmpty || text.last?.isNewline == true ? "" : "\n"
            return .merged(text + gap + "extensions:\n" + block(server, indent: "  "))
        }
        guard lines[start].dropFirst("extensions:".count).allSatisfy({ $0 == " " }) else {
            return .conflict("its 'extensions' is not a block")
        }
        let rest = lines[(start + 1)...].prefix { $0.isEmpty || $0.hasPrefix(" ") || $0.hasPrefix("#") }
        let first = rest.first { line in !line.allSatisfy { $0 == " " } && line.first { $0 != " " } != "#" }
        let indent = first.map { String($0.prefix { $0 == " " }) } ?? "  "
        let added = block(server, indent: indent)
        if text.contains(added) { return .present }
        let name = MCPClient.serverName
        if rest.contains(where: { ["\(indent)\(name):", "\(indent)\"\(name)\":"].contains($0.trimmedEnd) }) {
            return .conflict("it has another entry '\(name)': remove that first")
        }
        guard start + 1 < lines.count else { return .merged(text + "\n" + added) }
        let next = lines[start + 1].startIndex
        return .merged(text[..<next] + added + text[next...])
    }

    private static func block(_ server: MCPServerEntry, indent: String) -> String {
        let name = MCPClient.serverName
        let lines = [
            "enabled: true", "type: stdio", "name: \(name)", "cmd: \(JSONValue.string(server.command).text())",
            "args: \(server.argumentList)", "timeout: 300",
        ]
        return "\(indent)\(name):\n" + lines.map { "\(indent)\(indent)\($0)\n" }.joined()
    }
}

extension Substring {
    fileprivate var trimmedEnd: Substring {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
