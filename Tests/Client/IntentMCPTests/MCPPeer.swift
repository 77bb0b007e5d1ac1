import IntentCommandLine
import IntentProtocol
import Testing

@testable import IntentMCP

/// Simulates the client and the intentd of a server.
struct MCPPeer {
    static let run = RunID(randomBits: 1)
    static let limits = RunLimits()

    var server: MCPServer
    var now = Duration.zero
    private var lastID: Int64 = 0

    init(filter: ToolFilter = ToolFilter(), answerAfter: Duration? = nil, recent: ToolTable? = nil) {
        let start = Timestamp(millisecondsSince1970: 1_000_000)
        server = MCPServer(version: "1", start: start, answerAfter: answerAfter, recent: recent) {
            ToolTable($0, filter)
        }
    }

    /// The app of the tests.
    static let app = AppDescription(
        name: "Kitchen",
        executable: "/apps/Kitchen",
        catalog: IntentCatalog(intents: [order, clean, hidden]),
        limits: limits
    )

    static let order = IntentDeclaration(
        name: "OrderSoupIntent",
        title: "Order soup",
        summary: "Orders soup.",
        parameters: [
            ParameterDeclaration(
                name: "soup",
                title: "Soup",
                type: .entity(EntityType(name: "Soup", title: "Soup")),
                hasOptions: true
            ),
            ParameterDeclaration(
                name: "bowls",
                title: "Bowls",
                type: .int,
                defaultValue: .int(1),
                range: NumberRange(lowerBound: 1, upperBound: 5)
            ),
        ],
        sentence: "Order ${soup}",
        result: .int
    )

    static let clean: IntentDeclaration = {
        var clean = IntentDeclaration(name: "Clean", title: "Clean", traits: .longRunning)
        clean.details = IntentDetails()
        clean.details?.protocols = ["UndoableIntent"]
        return clean
    }()

    static let hidden = IntentDeclaration(name: "Hidden", title: "Hidden", isDiscoverable: false)

    mutating func send(_ event: MCPServer.Event) -> [MCPServer.Action] { server.handle(event, at: now) }

    mutating func send(line: String) -> [MCPServer.Action] { send(.line(Array(line.utf8))) }

    /// Sends a request of 2026-07-28.
    @discardableResult
    mutating func request(
        _ method: String,
        _ params: [String: JSONValue] = [:],
        capabilities: [String: JSONValue] = [:],
        progressToken: JSONValue? = nil
    ) -> (id: RPCID, actions: [MCPServer.Action]) {
        var params = params
        params["_meta"] = .members([
            "io.modelcontextprotocol/protocolVersion": .string("2026-07-28"),
            "io.modelcontextprotocol/clientCapabilities": .object(capabilities), "progressToken": progressToken,
        ])
        return request(plain: method, params)
    }

    /// Sends a request without a revision.
    @discardableResult
    mutating func request(plain method: String, _ params: [String: JSONValue]) -> (
        id: RPCID, actions: [MCPServer.Action]
    ) {
        lastID += 1
        let message = JSONValue.object([
            "jsonrpc": .string("2.0"), "id": .int(lastID), "method": .string(method), "params": .object(params),
        ])
        return (.number(lastID), send(line: message.text()))
    }

    /// Performs the handshake of 2025-11-25.
    mutating func initialize(_ capabilities: [String: JSONValue] = [:]) {
        request(plain: "initialize", ["protocolVersion": .string("2025-11-25"), "capabilities": .object(capabilities)])
    }

    /// Calls a tool, with the catalogue loaded.
    @discardableResult
    mutating func call(
        _ name: String,
        _ arguments: [String: JSONValue] = [:],
        _ more: [String: JSONValue] = [:],
        capabilities: [String: JSONValue] = [:],
        progressToken: JSONValue? = nil,
        isPlain: Bool = false
    ) -> (id: RPCID, actions: [MCPServer.Action]) {
        var params = more
        params["name"] = .string(name)
        params["arguments"] = .object(arguments)
        if isPlain, let progressToken { params["_meta"] = .object(["progressToken": progressToken]) }
        var (id, actions) =
            isPlain
            ? request(plain: "tools/call", params)
            : request("tools/call", params, capabilities: capabilities, progressToken: progressToken)
        if server.table == nil { actions += send(.apps([Self.app])) }
        return (id, actions)
    }

    /// Calls a tool, and accepts its run as intentd.
    mutating func begin(
        _ name: String,
        _ arguments: [String: JSONValue] = [:],
        capabilities: [String: JSONValue] = [:],
        progressToken: JSONValue? = nil,
        isPlain: Bool = false
    ) -> (id: RPCID, actions: [MCPServer.Action]) {
        let (id, actions) = call(
            name,
            arguments,
            capabilities: capabilities,
            progressToken: progressToken,
            isPlain: isPlain
        )
        return (id, actions + send(.accepted(id, Self.run)))
    }

    static func end(_ outcome: RunOutcome, details: RunDetails? = nil) -> MCPServer.Event {
        let end = RunEnd(run: run, outcome: outcome, account: RunAccount(details: details))
        return .ended(EndedRun(end, reason: nil, files: []))
    }

    static func question(
        _ number: UInt64 = 1,
        kind: Question.Kind = .confirmation,
        text: String = "Really?"
    ) -> MCPServer.Event {
        let question = Question(number: number, text: text, type: .bool, kind: kind)
        return .run(run, .question(OpenQuestion(question, remaining: .seconds(60))))
    }
}

extension [MCPServer.Action] {
    /// The messages to the client.
    var messages: [[String: JSONValue]] {
        compactMap { if case .send(.object(let message)) = $0 { message } else { nil } }
    }

    /// The result of the only answer.
    var result: [String: JSONValue]? { messages.count == 1 ? messages[0]["result"]?.object : nil }

    /// The code of the only answer, which is an error.
    var errorCode: JSONValue? { messages.count == 1 ? messages[0]["error"]?.object?["code"] : nil }

    var performed: PerformRequest? {
        compactMap { if case .perform(_, let request, _) = $0 { request } else { nil } }.first
    }

    var cancelled: [RunID] { compactMap { if case .cancel(let run) = $0 { run } else { nil } } }

    var waitsForTime: Bool { contains { if case .wake = $0 { true } else { false } } }

    var hasEnd: Bool { contains { if case .end = $0 { true } else { false } } }

    /// The text of the first content block of the only result.
    var text: String? {
        guard case .array(let content)? = result?["content"] else { return nil }
        return content.first?.object?["text"]?.text
    }

    var state: String? { result?["structuredContent"]?.object?["state"]?.text }
}
