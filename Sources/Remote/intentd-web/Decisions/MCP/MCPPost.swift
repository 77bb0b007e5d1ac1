package import IntentCommandLine
import IntentProtocol

/// A message that a client of the Model Context Protocol has sent with POST, as far as its transport must know it.
package struct MCPPost: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// A request with its identifier and the token of its progress.
        case request(id: JSONValue, progressToken: JSONValue?)
        /// The cancellation of the request with this identifier, which receives no response.
        case cancellation(JSONValue)
        /// Another notification, or the response to a request of the server.
        case other
    }

    /// The error for a message that cannot be served, with its HTTP status.
    package struct Refusal: Error, Equatable, Sendable {
        package var status: UInt32
        package var code: Int64
        package var message: String
        package var id: JSONValue = .null

        package var body: JSONValue {
            [
                "jsonrpc": "2.0", "id": id,
                "error": ["code": .int(code), "message": .string(SafeText.line(message))],
            ]
        }
    }

    package var kind: Kind
    package var method: String?
    /// True for revision 2026-07-28, in which a request has all that it needs, and no session.
    package var isStateless: Bool
    /// The message on one line.
    package var line: [UInt8]

    private static let statelessVersion = "2026-07-28"
    private static let headerMismatch: Int64 = -32020

    /// - Parameter headers: The header fields by their names in lower case.
    package init(_ body: [UInt8], headers: [String: String]) throws(Refusal) {
        guard let value = JSONValue(parsing: body), case .object(let members) = value else {
            throw Refusal(status: 400, code: -32700, message: "expected one JSON-RPC message")
        }
        // A line break outside a string is white space. Inside a string, JSON has no line breaks.
        line = body.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
        let (params, id) = (members["params"]?.members ?? [:], members["id"])
        let meta = params["_meta"]?.members ?? [:]
        if case .string(let name)? = members["method"] { method = name } else { method = nil }
        kind =
            if method != nil, let id {
                .request(id: id, progressToken: meta["progressToken"])
            } else if method == "notifications/cancelled", let cancelled = params["requestId"] {
                .cancellation(cancelled)
            } else {
                .other
            }
        let field = headers["mcp-protocol-version"]
        let version = meta["io.modelcontextprotocol/protocolVersion"]
        isStateless = version != nil || field == Self.statelessVersion
        guard isStateless, case .request = kind else { return }
        // What proxies read must be what the message says.
        func check(_ name: String, _ expected: JSONValue?) throws(Refusal) {
            guard let expected else { return }
            let given = headers[name].flatMap(Self.decoded)
            guard case .string(let text) = expected, given == text else {
                throw Refusal(
                    status: 400,
                    code: Self.headerMismatch,
                    message: "the header \(name) differs from the message",
                    id: id ?? .null
                )
            }
        }
        try check("mcp-protocol-version", version ?? .string(""))
        try check("mcp-method", members["method"])
        switch method {
        case "tools/call", "prompts/get": try check("mcp-name", params["name"])
        case "resources/read": try check("mcp-name", params["uri"])
        default: break
        }
    }

    /// The status of a response of revision 2026-07-28.
    package static func status(of message: JSONValue) -> UInt32 {
        guard case .int(let code)? = message.members["error"]?.members["code"] else { return 200 }
        switch code {
        case -32700, -32600, -32602, headerMismatch, -32021, -32022: return 400
        case -32601: return 404
        default: return 200
        }
    }

    /// Decodes a header field that may be `=?base64?TEXT?=`.
    private static func decoded(_ field: String) -> String? {
        guard field.hasPrefix(utf8: "=?base64?"), field.hasSuffix(utf8: "?=") else { return field }
        return Base64.decode(field.dropFirst(scalars: 9).dropLast(scalars: 2)).flatMap { String(validForeign: $0) }
    }
}
