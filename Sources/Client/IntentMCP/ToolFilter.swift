import IntentCommandLine
import IntentLinux
package import IntentProtocol

/// The part of the tools that a server offers, which the person who registers the server chooses.
package struct ToolFilter: Hashable, Sendable {
    /// Patterns of `APP/INTENT`, in which `*` stands for any characters. Without patterns, all intents are offered.
    package var patterns: [String] = []
    /// True to offer only tools that do not change data.
    package var readsOnly = false
    /// True to offer three tools that search, describe and call the tools of apps, if there are more than
    /// ``searchThreshold``.
    package var searches = false

    static let searchThreshold = 60

    package init() {}

    /// Returns true if the patterns permit the intent, by its name or its name without the suffix `Intent`.
    package func matches(_ intent: String, of app: String) -> Bool {
        let names = [intent, ToolName.short(intent)].map { Array("\(app)/\($0)".utf8) }
        return patterns.isEmpty
            || patterns.contains { pattern in
                let parts = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(
                    Array.init
                )
                return names.contains { Self.matches($0, parts) }
            }
    }

    /// Returns the patterns that match no intent, which are probably mistakes.
    func patternsWithoutIntent(in apps: [AppDescription]) -> [String] {
        patterns.filter { pattern in
            var filter = self
            filter.patterns = [pattern]
            return !apps.contains { app in app.intents?.contains { filter.matches($0.name, of: app.name) } == true }
        }
    }

    /// Returns true if calls may perform the intent.
    package func permits(_ intent: IntentDeclaration, of app: String) -> Bool {
        matches(intent.name, of: app) && (!readsOnly || intent.effect == .reads)
    }

    /// Returns true if the name consists of the parts, with any bytes between two of them.
    private static func matches(_ name: [UInt8], _ parts: [[UInt8]]) -> Bool {
        guard let first = parts.first, let last = parts.last, parts.count > 1 else { return [name] == parts }
        guard name.starts(with: first), name.count >= first.count + last.count else { return false }
        guard name.suffix(last.count).elementsEqual(last) else { return false }
        var rest = name[first.count..<(name.count - last.count)]
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let start = rest.indices.first(where: { rest[$0...].starts(with: part) }) else { return false }
            rest = rest[(start + part.count)...]
        }
        return true
    }
}

/// The tools that stand for the tools of apps if a filter searches.
enum IndexTool: String, CaseIterable {
    case search = "intent_search"
    case describe = "intent_describe"
    case call = "intent_call"

    private static let name: JSONValue = ["type": "string", "description": "the name of a tool from intent_search"]

    var tool: Tool {
        switch self {
        case .search:
            make(
                "Search tools",
                "Lists the tools of apps that match words, best first, each with its name and description.",
                [
                    "query": ["type": "string", "description": "words; all tools without it"],
                    "limit": ["type": "integer", "minimum": 1, "maximum": 100, "description": "default: 10"],
                ],
                []
            )
        case .describe:
            make(
                "Describe a tool",
                "Returns the description and the arguments of a tool.",
                ["tool": Self.name],
                ["tool"]
            )
        case .call:
            make(
                "Call a tool",
                "Calls a tool, as if it were listed here: intent_describe returns its arguments.",
                ["tool": Self.name, "arguments": ["type": "object", "description": "the arguments of the tool"]],
                ["tool"]
            )
        }
    }

    private func make(
        _ title: String,
        _ description: String,
        _ properties: [String: JSONValue],
        _ required: [String]
    ) -> Tool {
        Tool(
            name: rawValue,
            title: title,
            description: description,
            inputSchema: JSONSchema.object(properties, required: required),
            outputSchema: ToolResult.schema(ofValue: nil),
            hints: self == .call ? ToolHints() : .reading,
            action: .indexTool(self)
        )
    }
}

extension ToolTable {
    /// Answers a call of the tool that searches or describes tools.
    func answer(_ kind: IndexTool, _ arguments: [String: JSONValue]) throws(ToolFailure) -> [String: JSONValue] {
        if kind == .search { return ToolResult.value(.array(try search(arguments))) }
        let tool = try namedTool(in: arguments)
        return ToolResult.value([
            "tool": .string(tool.name), "description": .string(tool.description), "arguments": tool.inputSchema,
            "hints": tool.hints.json,
        ])
    }

    /// Returns the tool of an app that the arguments of a call name.
    func namedTool(in arguments: [String: JSONValue]) throws(ToolFailure) -> Tool {
        let name = arguments["tool"]?.text ?? ""
        guard let tool = tool(named: name), tool.isOfApp else {
            let near = NearestName.of(name, among: tools.filter(\.isOfApp).map(\.name)).map { "did you mean '\($0)'?" }
            throw ToolFailure(
                "unknown tool '\(SafeText.line(WireCoding.excerpt(name)))'",
                hint: near ?? "find one with intent_search"
            )
        }
        return tool
    }

    /// The maximum length of a query, of which each word is compared with the texts of each tool.
    private static let queryByteLimit = 1000

    private func search(_ arguments: [String: JSONValue]) throws(ToolFailure) -> [JSONValue] {
        let limit = try FindArguments.wholeNumber("limit", in: arguments, 1...100) ?? 10
        let query = arguments["query"]?.text ?? ""
        guard query.utf8.count <= Self.queryByteLimit else {
            throw ToolFailure("'query': expected at most \(Self.queryByteLimit) bytes")
        }
        let words = query.lowercased().unicodeScalars
            .split { !$0.properties.isAlphabetic && $0.properties.numericType == nil }.map { String($0) }
        let scored = tools.filter(\.isOfApp).map { tool in
            // A word in the name says more than one in the title, which says more than one in the description.
            let texts = [(tool.name, 4), (tool.title, 2), (tool.description, 1)].map { ($0.lowercased(), $1) }
            return (tool, words.reduce(0) { sum, word in sum + (texts.first { $0.0.contains(utf8: word) }?.1 ?? 0) })
        }
        let found = scored.enumerated().filter { words.isEmpty || $0.element.1 > 0 }
            .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }.prefix(limit)
        return found.map { ["tool": .string($0.element.0.name), "description": .string($0.element.0.description)] }
    }
}
