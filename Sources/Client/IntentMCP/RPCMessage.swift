import IntentCommandLine
import IntentProtocol

/// The identifier of a JSON-RPC request, which the response repeats.
package enum RPCID: Hashable, Sendable {
    case number(Int64)
    case text(String)

    /// The maximum length of an identifier that is a string, in bytes.
    static let textByteLimit = 1024

    /// The description of an identifier for error messages.
    static let words = "an integer or a string of at most \(textByteLimit) bytes"

    /// Creates an identifier from a string or an integer. Returns nil for a string that is too long, and for other
    /// values, which the Model Context Protocol does not permit.
    init?(_ value: JSONValue) {
        switch value {
        case .int(let number): self = .number(number)
        case .string(let text) where text.utf8.count <= Self.textByteLimit: self = .text(text)
        case .null, .bool, .double, .string, .array, .object: return nil
        }
    }

    var json: JSONValue {
        switch self {
        case .number(let number): .int(number)
        case .text(let text): .string(text)
        }
    }

    /// Finds the identifier in a line that is not a valid message, for example because a string contains a lone
    /// surrogate or is not UTF-8. A client waits for a response with the identifier. Returns nil unless the outermost
    /// object has one member `id` with a valid value.
    init?(scanning line: [UInt8]) {
        var (index, depth, found) = (0, 0, [ArraySlice<UInt8>]())
        /// Skips a string, and returns its bytes with the quotation marks.
        func string() -> ArraySlice<UInt8> {
            let start = index
            index += 1
            while index < line.count, line[index] != UInt8(ascii: "\"") {
                index += line[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            index = min(index + 1, line.count)
            return line[start..<index]
        }
        func skipSpace() { while index < line.count, " \t\r".utf8.contains(line[index]) { index += 1 } }
        while index < line.count {
            switch line[index] {
            case UInt8(ascii: "\""):
                let key = string()
                skipSpace()
                guard depth == 1, key.elementsEqual("\"id\"".utf8), index < line.count, line[index] == UInt8(ascii: ":")
                else {
                    continue
                }
                index += 1
                skipSpace()
                let start = index
                if index < line.count, line[index] == UInt8(ascii: "\"") { _ = string() }
                while index < line.count, !",}] \t\r".utf8.contains(line[index]) { index += 1 }
                found.append(line[start..<index])
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
        }
        guard found.count == 1, let value = JSONValue(parsing: Array(found[0])) else { return nil }
        self.init(value)
    }
}

/// The error in the response to a JSON-RPC request.
package struct RPCError: Error, Hashable, Sendable {
    var code: Code
    var message: String
    var data: JSONValue?

    /// The error codes of JSON-RPC 2.0, section 5.1, and of the Model Context Protocol.
    enum Code: Int64 {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        case internalError = -32603
        case resourceNotFound = -32002
        case missingCapability = -32021
        case unsupportedVersion = -32022
    }

    init(_ code: Code, _ message: String, data: JSONValue? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    var json: JSONValue { .members(["code": .int(code.rawValue), "message": .string(message), "data": data]) }
}

/// A JSON-RPC 2.0 message from the client.
enum RPCMessage {
    case request(RPCRequest)
    case notification(method: String, params: [String: JSONValue])
    /// The client's response to a request from this server. The result is nil if the response is an error.
    case response(id: RPCID, result: [String: JSONValue]?)
}

/// A JSON-RPC request. The server answers it exactly once, or not at all if the client cancels it.
struct RPCRequest {
    var id: RPCID
    var method: String
    var params: [String: JSONValue]
}

extension RPCMessage {
    /// The error for a line that is not a valid message. Contains the request identifier if the line has one.
    struct Malformed: Error {
        var id: RPCID?
        var error: RPCError
    }

    init(parsing line: [UInt8]) throws(Malformed) {
        let json: JSONValue
        do throws(WireError) {
            // Checks the line before the decoder hashes and compares its text.
            json = try WireCoding.decode(
                JSONValue.self,
                from: line,
                as: .value,
                valueLimit: PayloadShape.untrustedValueLimit
            )
        } catch {
            throw Malformed(id: RPCID(scanning: line), error: RPCError(.parseError, "cannot decode the line: \(error)"))
        }
        if case .array = json {
            throw Malformed(error: RPCError(.invalidRequest, "batches are not supported: send one message per line"))
        }
        guard case .object(let members) = json else {
            throw Malformed(error: RPCError(.invalidRequest, "expected a JSON object"))
        }
        let id = members["id"].flatMap { RPCID($0) }
        func invalid(_ reason: String) -> Malformed { Malformed(id: id, error: RPCError(.invalidRequest, reason)) }
        guard members["jsonrpc"] == .string("2.0") else { throw invalid("expected \"jsonrpc\": \"2.0\"") }
        guard members["id"] == nil || id != nil else { throw invalid("id: expected \(RPCID.words)") }
        guard let method = members["method"] else {
            guard let id, members["result"] != nil || members["error"] != nil else {
                throw invalid("expected a method, a result or an error")
            }
            self = .response(id: id, result: members["result"]?.object)
            return
        }
        guard case .string(let name) = method else { throw invalid("method: expected a string") }
        let params: [String: JSONValue]
        switch members["params"] {
        case nil, .null?: params = [:]
        case .object(let given)?: params = given
        case .some: throw invalid("params: expected an object")
        }
        if let id {
            self = .request(RPCRequest(id: id, method: name, params: params))
        } else {
            self = .notification(method: name, params: params)
        }
    }
}

extension JSONValue {
    /// The value of a JSON string; nil for any other JSON value.
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The members of a JSON object; nil for any other JSON value.
    var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
}
