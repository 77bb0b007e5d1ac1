import IntentCommandLine
import Testing
import intentctl

/// Tests `intentctl mcp --setup` with configurations of MCP clients.
@Suite struct MCPClientTests {
    private static let server = MCPServerEntry(
        command: "/usr/bin/intentctl",
        arguments: ["mcp", "--root", "/srv/a \"b\""]
    )

    private func merged(_ client: MCPClient, _ text: String) throws -> String {
        switch client.merge(Self.server, into: text) {
        case .merged(let merged): return merged
        case let other: throw NotMerged(result: other)
        }
    }

    private struct NotMerged: Error { var result: MCPClient.Merge }

    @Test(arguments: MCPClient.allCases)
    func `a configuration contains the server once, even after several merges`(client: MCPClient) throws {
        let first = client.configuration(Self.server)
        #expect(first.contains("intentd"))
        #expect(client.merge(Self.server, into: first) == .present)
        let other = MCPServerEntry(command: "/opt/intentctl", arguments: ["mcp"])
        guard case .conflict = client.merge(other, into: first) else {
            Issue.record("another entry of that name was replaced, or doubled")
            return
        }
    }

    @Test(arguments: MCPClient.allCases.filter(\.reachesAddresses))
    func `a configuration contains a server with an address once, and its token only if one is given`(client: MCPClient)
    {
        let url = "https://intents.example.org/mcp"
        let server = MCPServerEntry(url: url, authorization: "Bearer a\"b")
        let text = client.configuration(server)
        #expect(text.contains(url))
        #expect(text.contains(#"Bearer a\"b"#))
        #expect(!text.contains("command"))
        #expect(client.merge(server, into: text) == .present)
        #expect(!client.configuration(MCPServerEntry(url: url, authorization: nil)).contains("Authorization"))
    }

    @Test(arguments: [
        "{}", "{ }", #"{"a":1}"#, "{\n  \"mcpServers\": {},\n  \"z\": [1, {\"mcpServers\": 2}]\n}\n",
        #"{"a":"}{\",","mcpServers":{"other":{"command":"x","args":["}"]}},"b":null}"#, "\u{FEFF}{\"a\": {}}",
    ])
    func `a JSON configuration keeps every other member and byte`(text: String) throws {
        let new = try merged(.cursor, text)
        let bytes = Array(new.utf8).starts(with: [0xEF, 0xBB, 0xBF]) ? Array(new.utf8.dropFirst(3)) : Array(new.utf8)
        let result = try #require(JSONValue(parsing: bytes), "\(new)").members
        #expect(result["mcpServers"]?.members["intentd"]?.members["command"] == .string("/usr/bin/intentctl"))
        let old = Array(text.utf8).starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.utf8.dropFirst(3)) : Array(text.utf8)
        let before = try #require(JSONValue(parsing: old)).members
        for (key, value) in before where key != "mcpServers" { #expect(result[key] == value) }
        for (key, value) in before["mcpServers"]?.members ?? [:] {
            #expect(result["mcpServers"]?.members[key] == value)
        }
        // The merge is one insertion: the text before and after it is unchanged.
        let prefix = zip(new.utf8, text.utf8).prefix { $0 == $1 }.count
        let suffix = zip(new.utf8.reversed(), text.utf8.reversed()).prefix { $0 == $1 }.count
        #expect(prefix + suffix >= text.utf8.count)
    }

    @Test(arguments: [
        "// mine\n{}", "{ // first\n  \"a\": 1, /* \"x\": { */\n}\n",
        "{\"context_servers\": {\n  // others: {\n  \"o\": {\"command\": \"//x\", \"args\": [\"/*\",],},\n}, }",
        "{\"context_servers\": { /* none */ }}// end", "{\"a\": \"\\\"//\",\n\"b\": [1,2,],}",
    ])
    func `a JSON configuration with comments and trailing commas keeps them`(text: String) throws {
        let new = try merged(.zed, text)
        #expect(MCPClient.zed.merge(Self.server, into: new) == .present, "\(new)")
        let prefix = zip(new.utf8, text.utf8).prefix { $0 == $1 }.count
        let suffix = zip(new.utf8.reversed(), text.utf8.reversed()).prefix { $0 == $1 }.count
        #expect(prefix + suffix >= text.utf8.count)
    }

    @Test(arguments: [
        "{ /* open", "{ // open", "// only", "{\"context_servers\": {}, /* */ \"context_servers\": {}}", "{,}/",
    ])
    func `a file with comments that cannot be merged safely is not changed`(text: String) {
        guard case .conflict = MCPClient.zed.merge(Self.server, into: text) else {
            Issue.record("it was merged: \(MCPClient.zed.merge(Self.server, into: text))")
            return
        }
    }

    @Test func `each client's entry has the members that it requires`() throws {
        func entry(_ client: MCPClient, _ section: String) throws -> [String: JSONValue] {
            let json = try #require(JSONValue(parsing: Array(client.configuration(Self.server).utf8)))
            return try #require(json.members[section]?.members["intentd"]?.members)
        }
        #expect(try entry(.openCode, "mcp")["command"] == ["/usr/bin/intentctl", "mcp", "--root", "/srv/a \"b\""])
        #expect(try entry(.openCode, "mcp")["type"] == "local")
        #expect(try entry(.copilotCLI, "mcpServers")["tools"] == ["*"])
        for client in [MCPClient.geminiCLI, .windsurf, .cline] {
            #expect(try Set(entry(client, "mcpServers").keys) == ["command", "args"])
        }
        let files = Set(MCPClient.allCases.map { $0.file(home: "/h", configurationFolder: "/h/.config") })
        #expect(files.count == MCPClient.allCases.count)
    }

    @Test(arguments: ["// mine\n{}", "[]", "{\"mcpServers\": 3}", "{", "{\"mcpServers\": {}, \"mcpServers\": {}}"])
    func `a JSON file that cannot be merged safely is not changed`(text: String) {
        guard case .conflict = MCPClient.cursor.merge(Self.server, into: text) else {
            Issue.record("it was merged: \(MCPClient.cursor.merge(Self.server, into: text))")
            return
        }
    }

    @Test func `VS Code has servers with a type`() throws {
        let json = try #require(JSONValue(parsing: Array(MCPClient.vsCode.configuration(Self.server).utf8)))
        #expect(json.members["servers"]?.members["intentd"]?.members["type"] == .string("stdio"))
    }

    @Test func `a table is added at the end of TOML`() throws {
        let text = "model = \"o\" # mine\n[mcp_servers.other]\ncommand = \"x\""
        let new = try merged(.codex, text)
        #expect(new.hasPrefix(text + "\n\n[mcp_servers.intentd]\n"))
        #expect(new.contains(#"args = ["mcp","--root","/srv/a \"b\""]"#))
    }

    @Test(arguments: [
        "[mcp_servers.intentd]\ncommand = \"x\"\n", "[ mcp_servers . \"intentd\" ]\n", "mcp_servers = {}\n",
        "[mcp_servers.intentd.env]\nA = \"b\"\n", "text = '''\n[a]\n'''\n",
    ])
    func `a TOML file that cannot be extended safely is not changed`(text: String) {
        guard case .conflict = MCPClient.codex.merge(Self.server, into: text) else {
            Issue.record("it was merged")
            return
        }
    }

    @Test func `an extension is added to YAML with the existing indentation`() throws {
        let text = "GOOSE_MODEL: x\nextensions:\n    # mine\n    developer:\n        enabled: true\nother: 1\n"
        let new = try merged(.goose, text)
        #expect(new.contains("extensions:\n    intentd:\n        enabled: true\n"))
        #expect(new.hasSuffix("    # mine\n    developer:\n        enabled: true\nother: 1\n"))
        #expect(try merged(.goose, "GOOSE_MODEL: x").hasPrefix("GOOSE_MODEL: x\nextensions:\n  intentd:\n"))
    }

    @Test(arguments: [
        "extensions: {}\n", "extensions:\n  intentd:\n    enabled: false\n", "a: 1\n---\nb: 2\n", "a:\n\tb: 1\n",
    ])
    func `a YAML file that cannot be extended safely is not changed`(text: String) {
        guard case .conflict = MCPClient.goose.merge(Self.server, into: text) else {
            Issue.record("it was merged")
            return
        }
    }
}
