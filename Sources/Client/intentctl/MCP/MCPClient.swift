/// An MCP client that `intentctl mcp --setup` supports. Defines the path and format of its configuration.
package enum MCPClient: String, CaseIterable, Sendable {
    case claudeCode = "claude-code"
    case claudeDesktop = "claude-desktop"
    case vsCode = "vscode"
    case cursor
    case codex
    case goose
    case geminiCLI = "gemini-cli"
    case windsurf
    case zed
    case cline
    case openCode = "opencode"
    case copilotCLI = "copilot-cli"

    /// The server's name in the configurations of clients.
    static let serverName = "intentd"

    /// Returns the path of the configuration file, in the home folder or the configuration folder (`$XDG_CONFIG_HOME`).
    package func file(home: String, configurationFolder: String) -> String {
        switch self {
        case .claudeCode: "\(home)/.claude.json"
        case .claudeDesktop: "\(configurationFolder)/Claude/claude_desktop_config.json"
        case .vsCode: "\(configurationFolder)/Code/User/mcp.json"
        case .cursor: "\(home)/.cursor/mcp.json"
        case .codex: "\(home)/.codex/config.toml"
        case .goose: "\(configurationFolder)/goose/config.yaml"
        case .geminiCLI: "\(home)/.gemini/settings.json"
        case .windsurf: "\(home)/.codeium/windsurf/mcp_config.json"
        case .zed: "\(configurationFolder)/zed/settings.json"
        case .cline:
            "\(configurationFolder)/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"
        case .openCode: "\(configurationFolder)/opencode/opencode.json"
        case .copilotCLI: "\(home)/.copilot/mcp-config.json"
        }
    }

    /// Returns a complete configuration that contains only this server.
    package func configuration(_ server: MCPServerEntry) -> String {
        switch merge(server, into: "") {
        case .merged(let text): text
        case .present, .conflict: preconditionFailure("an empty configuration has no entries")
        }
    }

    /// The result of adding the server to a configuration.
    package enum Merge: Equatable, Sendable {
        /// The new configuration: the old configuration with one more entry.
        case merged(String)
        /// The server is already registered with the same command and arguments.
        case present
        /// Adding the server could damage the configuration. The string is the reason.
        case conflict(String)
    }

    /// Adds the server to a configuration. All other bytes remain unchanged.
    package func merge(_ server: MCPServerEntry, into text: String) -> Merge {
        if let remote = server.remote, let (section, entry) = entry(of: remote) {
            return JSONConfiguration.merge(entry, section, into: text, withComments: hasComments)
        }
        return switch self {
        case .claudeCode, .claudeDesktop, .cursor, .windsurf, .cline:
            JSONConfiguration.merge(server.json(), "mcpServers", into: text)
        case .geminiCLI: JSONConfiguration.merge(server.json(), "mcpServers", into: text, withComments: true)
        case .vsCode: JSONConfiguration.merge(server.json(type: "stdio"), "servers", into: text, withComments: true)
        case .zed: JSONConfiguration.merge(server.json(), "context_servers", into: text, withComments: true)
        case .openCode:
            JSONConfiguration.merge(
                ["type": "local", "command": .array(server.words), "enabled": true],
                "mcp",
                into: text,
                withComments: true
            )
        case .copilotCLI:
            JSONConfiguration.merge(server.json(type: "local").adding(["tools": ["*"]]), "mcpServers", into: text)
        case .codex: TOMLConfiguration.merge(server, into: text)
        case .goose: YAMLConfiguration.merge(server, into: text)
        }
    }
}

/// Edits configurations in JSON (RFC 8259), also with comments and trailing commas.
private enum JSONConfiguration {
    static func merge(
        _ entry: JSONValue,
        _ section: String,
        into text: String,
        withComments: Bool = false
    ) -> MCPClient.Merge {
        let name = MCPClient.serverName
        if text.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
            return .merged("{\n  \"\(section)\": {\n    \"\(name)\": \(entry.text())\n  }\n}\n")
        }
        var scanner = JSONScanner(Array(text.utf8), withComments: withComments)
        guard let json = JSONValue(parsing: scanner.rest) else {
            let comments = withComments ? "" : "comments, "
            return .conflict(
                "it is not JSON, or it has \(comments)duplicate keys or more than \(PayloadShape.depthLimit) levels"
            )
        }
        guard case .object(let members) = json else { return .conflict("it is not an object") }
        switch members[section] {
        case nil:
            let comma = members.isEmpty ? "" : ","
            let addition = "\n  \"\(section)\": {\n    \"\(name)\": \(entry.text())\n  }\(comma)"
            return scanner.enterObject() ? .merged(scanner.inserting(addition)) : .conflict("it is not an object")
        case .object(let servers)?:
            if let known = servers[name] {
                return known == entry
                    ? .present : .conflict("it already has a different '\(name)' entry; remove that entry first")
            }
            // Refuse duplicate keys, because clients can differ in which of the members they read.
            guard scanner.enterMember(section) else { return .conflict("its '\(section)' is not a single object") }
            let comma = servers.isEmpty ? "\n  " : ","
            return .merged(scanner.inserting("\n    \"\(name)\": \(entry.text())\(comma)"))
        case .some: return .conflict("its '\(section)' is not an object")
        }
    }
}

/// Finds the position in valid JSON at which to insert an entry.
private struct JSONScanner {
    private let original: [UInt8]
    /// The text with spaces in place of comments and trailing commas, so that positions are equal in both.
    private let bytes: [UInt8]
    private var index = 0

    init(_ original: [UInt8], withComments: Bool) {
        self.original = original
        bytes = withComments ? Self.withoutComments(original) : original
        // Skip a byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// The bytes from the current position.
    var rest: [UInt8] { Array(bytes[index...]) }

    /// Moves past the opening brace of the outermost object. Returns false if the value is not an object.
    mutating func enterObject() -> Bool {
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "{") else { return false }
        index += 1
        return true
    }

    /// Moves past the opening brace of a member's value in the outermost object. Returns false if the object does not
    /// contain exactly one such member.
    mutating func enterMember(_ name: String) -> Bool {
        guard enterObject() else { return false }
        var found: Int?
        while index < bytes.count {
            skipSpace()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { break }
            let start = index
            skipValue()
            let key = JSONValue(parsing: Array(bytes[start..<index]))
            skipSpace()
            index += 1  // Skip the colon.
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

    /// Returns the configuration with an addition inserted at the current position.
    func inserting(_ addition: String) -> String {
        String(foreign: original[..<index] + Array(addition.utf8) + original[index...])
    }

    private static func withoutComments(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        var index = 0
        /// The last comma, if only space follows it so far.
        var comma: Int?
        func starts(_ mark: String) -> Bool { bytes[index...].starts(with: mark.utf8) }
        /// Replaces bytes by spaces until one of them begins the mark, which is also replaced.
        func blank(through mark: String) {
            while index < bytes.count, !starts(mark) {
                if bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
                index += 1
            }
            for _ in mark.utf8 where index < bytes.count {
                if bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
                index += 1
            }
        }
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "/") where starts("//"):
                blank(through: "\n")
                continue
            case UInt8(ascii: "/") where starts("/*"):
                for offset in 0..<2 { bytes[index + offset] = UInt8(ascii: " ") }
                blank(through: "*/")
                continue
            case UInt8(ascii: "\""):
                comma = nil
                index += 1
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
            case UInt8(ascii: ","): comma = index
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if let comma { bytes[comma] = UInt8(ascii: " ") }
                comma = nil
            case 0x20, 0x09, 0x0A, 0x0D: break
            default: comma = nil
            }
            index += 1
        }
        return bytes
    }

    private mutating func skipSpace() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    /// Skips a value or a key.
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

/// Edits configurations in TOML (toml.io, version 1.0). Adds a table at the end of the file.
private enum TOMLConfiguration {
    static func merge(_ server: MCPServerEntry, into text: String) -> MCPClient.Merge {
        let header = "[mcp_servers.\(MCPClient.serverName)]"
        let table = "\(header)\n\(server.tableLines)"
        if text.contains(utf8: table) { return .present }
        let lines = text.lines().map { $0.utf8.filter { !" \t\"'".utf8.contains($0) } }
        if lines.contains(where: { $0.starts(with: header.utf8.dropLast()) }) {
            return .conflict("it already has a different table \(header): remove that table first")
        }
        if lines.contains(where: { $0.starts(with: "mcp_servers=".utf8) || $0.starts(with: "mcp_servers.".utf8) }) {
            return .conflict("its 'mcp_servers' is a value, which a table cannot extend")
        }
        // Refuse a multi-line string, which can contain a line that looks like the header of a table.
        if text.contains(utf8: "\"\"\"") || text.contains(utf8: "'''") {
            return .conflict("it contains a multi-line string, which may look like a table")
        }
        let gap = text.isEmpty ? "" : text.hasSuffix(utf8: "\n") ? "\n" : "\n\n"
        return .merged(text + gap + table)
    }
}

/// Edits configurations in YAML (yaml.org, version 1.2). Adds an entry to the block `extensions:`.
private enum YAMLConfiguration {
    static func merge(_ server: MCPServerEntry, into text: String) -> MCPClient.Merge {
        let lines = text.lines(omittingEmptySubsequences: false)
        if lines.contains(where: { $0.contains(utf8: "\r") }) {
            return .conflict("it contains a carriage return without a line feed")
        }
        guard let start = lines.firstIndex(where: { $0.hasPrefix(utf8: "extensions:") }) else {
            if text.contains(utf8: "\t") || lines.contains("...") || lines.dropFirst().contains("---") {
                return .conflict("it contains more than one document, or tabs")
            }
            let gap = text.isEmpty || text.hasSuffix(utf8: "\n") ? "" : "\n"
            return .merged(text + gap + "extensions:\n" + block(server, indent: "  "))
        }
        let space = UInt8(ascii: " ")
        guard lines[start].utf8.dropFirst("extensions:".utf8.count).allSatisfy({ $0 == space }) else {
            return .conflict("its 'extensions' is not a block")
        }
        let comment = UInt8(ascii: "#")
        let rest = lines[(start + 1)...].prefix { [nil, space, comment].contains($0.utf8.first) }
        let first = rest.first { line in ![nil, comment].contains(line.utf8.first { $0 != space }) }
        let indent = first.map { String($0.unicodeScalars.prefix { $0 == " " }) } ?? "  "
        let added = block(server, indent: indent)
        if text.contains(utf8: added) { return .present }
        let name = MCPClient.serverName
        if rest.contains(where: { ["\(indent)\(name):", "\(indent)\"\(name)\":"].contains($0.trimmedEnd) }) {
            return .conflict("it already has a different '\(name)' entry; remove that entry first")
        }
        guard start + 1 < lines.count else { return .merged(text + "\n" + added) }
        let next = lines[start + 1].startIndex
        return .merged("\(Substring(text.utf8[..<next]))\(added)\(Substring(text.utf8[next...]))")
    }

    private static func block(_ server: MCPServerEntry, indent: String) -> String {
        let name = MCPClient.serverName
        let lines = ["enabled: true", "name: \(name)"] + server.blockLines + ["timeout: 300"]
        return "\(indent)\(name):\n" + lines.map { "\(indent)\(indent)\($0)\n" }.joined()
    }
}

extension Substring {
    fileprivate var trimmedEnd: Substring {
        var text = unicodeScalars
        while text.last == " " { text.removeLast() }
        return Substring(text)
    }
}
