import IntentCommandLine
import IntentProtocol

/// The client's side of the Model Context Protocol, as a value that receives the lines of a server and returns actions.
///
/// It speaks both eras of the protocol: it asks with `server/discover` first (revision 2026-07-28), and falls back to the
/// handshake of earlier revisions (`initialize`). It lists the tools of the server, and calls at most one of them. Times
/// are in nanoseconds of CLOCK_MONOTONIC.
package struct ServerConnection: Sendable {
    package enum Action: Equatable, Sendable {
        /// Write bytes to the server's standard input.
        case send([UInt8])
        /// Start the server again, because it ended when it received `server/discover`.
        case restart
        /// The server's tools are known.
        case listed(ServerTools)
        case progress(ServerProgress)
        /// Write a line to the output of the run.
        case log(String)
        /// Ask the questions of a form, then pass the reply to ``answered(_:)``.
        case ask(ServerForm)
        /// The server no longer needs an answer to the form.
        case withdraw
        /// The call has ended.
        case returned(ToolOutcome)
        /// The connection cannot be used any more.
        case failed(ToolFault)
    }

    private enum Era: Sendable { case handshake, perRequest }

    /// A response for which the connection waits.
    enum Awaited: Sendable { case discover, initialize, tools, call, resource(ToolOutcome, at: Int), none }

    enum State: Sendable {
        /// Waits for the answer to `server/discover` or to `initialize`, then for the tools.
        case opening
        /// The tools are known, and no call has begun. They are listed again if the server says that they changed.
        case ready(isStale: Bool)
        case calling(ToolCall, ServerTool)
        /// The call has ended, or the connection has failed. Whatever the server sends is ignored.
        case ended
    }

    /// The revisions with a handshake. The first one is requested.
    private static let handshakeVersions: [JSONValue] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    private static let perRequestVersion: JSONValue = "2026-07-28"
    /// The time without an answer to `server/discover` after which the handshake begins.
    private static let probeTime: Int64 = 3_000_000_000
    private static let pageLimit = 64
    /// The maximum number of lines of a server that are no messages.
    private static let noiseLimit = 1000

    private let software: String
    let roots: [String]
    var state = State.opening
    private var era = Era.perRequest
    var awaited: [Int64: Awaited] = [:]
    var requestCount: Int64 = 0
    private var probeEnd: Int64?
    private var hasHeard = false
    var tools = ServerTools()
    private var pageCount = 0
    private var noiseCount = 0
    var pendingCall: ToolCall?
    var callID: Int64?
    var progress = -Double.infinity
    var forms = FormQueue()
    var roundCount = 0

    /// - Parameters:
    ///   - software: The version of this client.
    ///   - roots: The paths of the folders that the server may use.
    package init(software: String, roots: [String]) {
        self.software = software
        self.roots = roots
    }

    package var isEnded: Bool { if case .ended = state { true } else { false } }

    // MARK: Opening

    /// - Parameter usesHandshake: True after ``Action/restart``.
    package mutating func begin(usesHandshake: Bool = false, at now: Int64) -> [Action] {
        guard !usesHandshake else { return initialize() }
        probeEnd = now + Self.probeTime
        return request("server/discover", [:], for: .discover)
    }

    /// Returns the time until ``timePassed(at:)`` must be called, or nil if no call is needed.
    package func nextDelay(at now: Int64) -> Int64? { isEnded ? nil : probeEnd.map { max(0, $0 - now) } }

    package mutating func timePassed(at now: Int64) -> [Action] {
        guard !isEnded, let probeEnd, now >= probeEnd else { return [] }
        self.probeEnd = nil
        return initialize()
    }

    private mutating func initialize() -> [Action] {
        era = .handshake
        probeEnd = nil
        let params: [String: JSONValue] = [
            "protocolVersion": Self.handshakeVersions[0], "capabilities": capabilities, "clientInfo": identity,
        ]
        return request("initialize", params, for: .initialize)
    }

    private var identity: JSONValue { ["name": "intentd", "version": .string(software)] }

    private var capabilities: JSONValue { ["elicitation": ["form": [:]], "roots": [:]] }

    mutating func request(
        _ method: String,
        _ params: [String: JSONValue],
        meta: [String: JSONValue] = [:],
        for purpose: Awaited
    ) -> [Action] {
        requestCount += 1
        awaited[requestCount] = purpose
        var meta = meta
        if era == .perRequest {
            let prefix = "io.modelcontextprotocol/"
            meta[prefix + "protocolVersion"] = Self.perRequestVersion
            meta[prefix + "clientCapabilities"] = capabilities
            meta[prefix + "clientInfo"] = identity
            meta[prefix + "logLevel"] = "info"
        }
        var params = params
        if !meta.isEmpty { params["_meta"] = .object(meta) }
        return [.send(ClientLine.request(requestCount, method, params))]
    }

    mutating func listTools(after cursor: JSONValue? = nil) -> [Action] {
        if cursor == nil { (tools, pageCount) = (ServerTools(), 0) }
        return request("tools/list", cursor.map { ["cursor": $0] } ?? [:], for: .tools)
    }

    // MARK: Lines

    /// Handles a line of the server's standard output, without its line end.
    package mutating func received(_ line: [UInt8]) -> [Action] {
        guard !isEnded else { return [] }
        guard line.first(where: { $0 > UInt8(ascii: " ") }) == UInt8(ascii: "{") else { return noise(line) }
        hasHeard = true
        do throws(ArgumentError) {
            switch try ServerMessage(line: line) {
            case .response(let id, let response): return try responded(id, response)
            case .request(let id, let method, let params): return try requested(id, method, params)
            case .notification(let method, let params): return notified(method, params)
            }
        } catch {
            return fail("the server sent a message that cannot be used: \(error.message)")
        }
    }

    /// Some servers print more than messages. It belongs to the output of the run.
    private mutating func noise(_ line: [UInt8]) -> [Action] {
        guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { return [] }
        noiseCount += 1
        guard noiseCount <= Self.noiseLimit else {
            return fail("the server printed more than \(Self.noiseLimit) lines that are no messages on standard output")
        }
        return [.log(String(foreign: line.prefix(1024)))]
    }

    /// Handles a line that exceeds ``ServerMessage/byteLimit``.
    package mutating func receivedTooMuch() -> [Action] {
        fail("the server sent a line of more than \(ServerMessage.byteLimit >> 20) MiB")
    }

    /// Handles the end of the server's standard output, or its exit.
    ///
    /// - Parameter reason: The known cause of the end, for a person.
    package mutating func ended(_ reason: String) -> [Action] {
        guard !isEnded else { return [] }
        if awaited.values.contains(where: { if case .discover = $0 { true } else { false } }), !hasHeard {
            // It expects the handshake first, and nothing else.
            awaited = [:]
            probeEnd = nil
            return [.restart]
        }
        return fail("the server ended before it answered: \(reason)")
    }

    mutating func fail(_ message: String, code: ToolFault.Code = .server) -> [Action] {
        state = .ended
        awaited = [:]
        return [.failed(ToolFault(code: code, message: message))]
    }

    private mutating func responded(_ id: Int64, _ response: ServerResponse) throws(ArgumentError) -> [Action] {
        guard let purpose = awaited[id] else {
            throw ArgumentError("it responds to request \(id), which is not open")
        }
        awaited[id] = nil
        switch (purpose, response) {
        case (.none, _): return []
        case (.discover, .success(let result)):
            guard era == .perRequest || isOpening else { return [] }
            guard let versions = result["supportedVersions"]?.list, versions.contains(Self.perRequestVersion) else {
                return era == .perRequest ? initialize() : []
            }
            era = .perRequest
            probeEnd = nil
            // The handshake may have begun because the server needed long to start.
            for (id, purpose) in awaited { if case .initialize = purpose { awaited[id] = Awaited.none } }
            return listTools()
        case (.discover, .failure): return era == .perRequest ? initialize() : []
        case (.initialize, .success(let result)):
            guard era == .handshake else { return [] }
            guard let version = result["protocolVersion"], Self.handshakeVersions.contains(version) else {
                let shown = WireCoding.excerpt(result["protocolVersion"]?.text() ?? "none")
                return fail("the server speaks the protocol version \(shown), which is unknown to this release")
            }
            for (id, purpose) in awaited { if case .discover = purpose { awaited[id] = Awaited.none } }
            guard result["capabilities"]?.members["tools"] != nil else { return fail("the server offers no tools") }
            return [.send(ClientLine.notification("notifications/initialized"))] + listTools()
        case (.initialize, .failure(let failure)):
            return fail("the server refused the connection: \(failure.message)")
        case (.tools, .success(let result)): return try listed(result)
        case (.tools, .failure(let failure)): return fail("the server cannot list its tools: \(failure.message)")
        case (.call, .success(let result)): return try returned(result)
        case (.call, .failure(let failure)): return fail(failure.message, code: .call)
        case (.resource(let outcome, let index), let response): return read(response, of: outcome, at: index)
        }
    }

    private var isOpening: Bool { if case .opening = state { true } else { false } }

    private mutating func listed(_ result: [String: JSONValue]) throws(ArgumentError) -> [Action] {
        guard let list = result["tools"]?.list else { throw ArgumentError("the result of tools/list has no tools") }
        pageCount += 1
        guard pageCount <= Self.pageLimit else {
            throw ArgumentError("its list of tools has more than \(Self.pageLimit) pages")
        }
        try tools.add(list)
        // An empty string is a valid cursor.
        if let cursor = result["nextCursor"], cursor.text != nil { return listTools(after: cursor) }
        state = .ready(isStale: false)
        if let call = pendingCall {
            pendingCall = nil
            return [.listed(tools)] + self.call(call)
        }
        return [.listed(tools)]
    }
}
