import Glibc
import IntentLinux
import IntentMCP

/// Implements `intentctl mcp`, which serves the Model Context Protocol over standard input and output.
struct MCPCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        if let client = invocation["setup"].flatMap(MCPClient.init) {
            return try MCPSetup(invocation, client: client).perform()
        }
        if invocation.has("write") {
            let example = "intentctl mcp --setup codex --write"
            throw CommandFailure.usage("--write needs --setup", hint: "for example: \(example)")
        }
        if invocation.has("list") { return try await list(over: try await invocation.connect()) }
        if invocation.has("sessions") {
            try await MCPSessions(invocation: invocation, filter: filter, answerAfter: try answerAfter()).serve()
            return .done
        }
        guard !Console.inputIsTerminal else {
            throw CommandFailure.usage(
                "standard input is a terminal, but 'intentctl mcp' must be started by an MCP client",
                hint: "'intentctl mcp --list' shows the tools; 'intentctl mcp --setup CLIENT' registers the server"
            )
        }
        let (input, answerAfter) = (try InputLines(), try answerAfter())
        var lines = input.lines.makeAsyncIterator()
        guard let first = await lines.next() else { return .done }
        // The first message says which client this is, which approvals and records quote.
        let claims: String? = if case .text(let bytes) = first { ClientClaims.text(in: bytes) } else { nil }
        let software = [Invocation.software, claims].compactMap(\.self).joined(separator: " for ")
        let connection = try await invocation.connect(software: software)
        // With another host, AllowRoots= names folders on that host and does not permit any file on this host.
        let permitted = RemoteHost.current == nil ? try await connection.status().agentRoots ?? [] : []
        let roots = try FileRoots(invocation.lists["root"] ?? permitted)
        let session = MCPSession(over: connection, roots: roots, tables: ToolTables(filter), answerAfter: answerAfter)
        try await session.serve(first, &lines, input)
        return .done
    }

    private func answerAfter() throws(CommandFailure) -> Duration? {
        guard let text = invocation["answer-after"] else { return nil }
        guard let time = TimeSpan.parse(text), time >= .seconds(1), time <= .seconds(3600) else {
            throw .usage(
                "--answer-after: expected a time from 1s to 1h, got '\(text)'",
                hint: "for example: --answer-after 4s"
            )
        }
        return time
    }

    private var filter: ToolFilter {
        var filter = ToolFilter()
        filter.patterns = invocation.lists["only"] ?? []
        filter.readsOnly = invocation.has("read-only")
        filter.searches = invocation.has("search")
        return filter
    }

    /// Prints each tool as a model receives it, preceded by its size in characters.
    private func list(over connection: IntentConnection) async throws -> ExitCode {
        let table = ToolTable(try await connection.apps(), filter)
        let entries = table.entries
        for entry in entries { try Console.output("\(entry.text.scalarCount)  \(entry.text)") }
        for remark in table.remarks { Console.note(SafeText.line(remark)) }
        let count = entries.reduce(0) { $0 + $1.text.scalarCount }
        Console.note("tools: \(entries.count), characters: \(count)")
        return .done
    }
}
