package import IntentCommandLine
import IntentProtocol

/// A JSON-RPC 2.0 message from an MCP server (Model Context Protocol, "Base protocol").
package enum ServerMessage: Equatable, Sendable {
    /// The response to a request of this client, which uses numbers as identifiers.
    case response(id: Int64, ServerResponse)
    case request(id: JSONValue, method: String, params: [String: JSONValue])
    case notification(method: String, params: [String: JSONValue])

    /// The maximum length of a line, in bytes. A picture in a result is part of a line.
    package static let byteLimit = 8 << 20
    /// The maximum length of an identifier that is a string, in bytes.
    private static let identifierByteLimit = 1024

    /// Reads a line without its line end.
    ///
    /// - Throws: ``ArgumentError`` with the reason why the line is no message.
    package init(line: [UInt8]) throws(ArgumentError) {
        let json: JSONValue
        do throws(WireError) {
            // Text with more combining marks in a row than a message may have is data of the server, and no mistake.
            json = try WireCoding.decodeFile(JSONValue.self, from: StreamSafeText.stabilize(line))
        } catch {
            throw ArgumentError("\(error)")
        }
        guard case .object(let members) = json, members["jsonrpc"] == .string("2.0") else {
            throw ArgumentError("it is no JSON-RPC 2.0 object")
        }
        let params: [String: JSONValue]
        switch members["params"] {
        case nil, .null?: params = [:]
        case .object(let given)?: params = given
        case .some: throw ArgumentError("'params' is no object")
        }
        switch (members["method"], members["id"]) {
        case (.string(let method)?, nil): self = .notification(method: method, params: params)
        case (.string(let method)?, let id?):
            switch id {
            case .int: break
            case .string(let text) where text.utf8.count <= Self.identifierByteLimit: break
            case .null, .bool, .double, .string, .array, .object:
                throw ArgumentError("'id' is neither an integer nor a short string")
            }
            self = .request(id: id, method: method, params: params)
        case (nil, .int(let id)?):
            if case .object(let error)? = members["error"] {
                self = .response(id: id, .failure(ServerFailure(error)))
            } else if case .object(let result)? = members["result"], members["error"] == nil {
                self = .response(id: id, .success(result))
            } else {
                throw ArgumentError("a response needs a result or an error, each an object")
            }
        case (nil, _): throw ArgumentError("it responds to a request that was never sent")
        case (.some, _): throw ArgumentError("'method' is no string")
        }
    }
}

package typealias ServerResponse = Result<[String: JSONValue], ServerFailure>

/// The error in a response of a server.
package struct ServerFailure: Error, Equatable, Sendable {
    /// The error code (JSON-RPC 2.0, section 5.1); 0 if the server sent none.
    package var code: Int64
    package var message: String

    /// A request with an unknown method (JSON-RPC 2.0, section 5.1).
    static let methodNotFound: Int64 = -32601
    /// A request with invalid parameters (JSON-RPC 2.0, section 5.1).
    static let invalidParams: Int64 = -32602

    init(_ members: [String: JSONValue]) {
        code = members["code"]?.wholeNumber ?? 0
        message = members["message"]?.text ?? "the server gave no reason"
    }
}

/// Writes the messages of this client, each a line with its line end.
enum ClientLine {
    static func request(_ id: Int64, _ method: String, _ params: [String: JSONValue]) -> [UInt8] {
        line(["id": .int(id), "method": .string(method), "params": .object(params)])
    }

    static func notification(_ method: String, _ params: [String: JSONValue] = [:]) -> [UInt8] {
        line(["method": .string(method), "params": params.isEmpty ? nil : .object(params)])
    }

    static func result(_ id: JSONValue, _ result: [String: JSONValue]) -> [UInt8] {
        line(["id": id, "result": .object(result)])
    }

    static func error(_ id: JSONValue, _ code: Int64, _ message: String) -> [UInt8] {
        line(["id": id, "error": ["code": .int(code), "message": .string(message)]])
    }

    private static func line(_ members: KeyValuePairs<String, JSONValue?>) -> [UInt8] {
        WireCoding.encode(JSONValue.members(members).adding(["jsonrpc": "2.0"])) + [UInt8(ascii: "\n")]
    }
}

extension JSONValue {
    var text: String? { if case .string(let text) = self { text } else { nil } }
    var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    var list: [JSONValue]? { if case .array(let list) = self { list } else { nil } }
    var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    /// The value of a number without a fraction. JSON Schema and JSON-RPC regard 1.0 as an integer.
    var wholeNumber: Int64? {
        switch self {
        case .int(let number): number
        case .double(let number): Int64(exactly: number)
        case .null, .bool, .string, .array, .object: nil
        }
    }

    var number: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        case .null, .bool, .string, .array, .object: nil
        }
    }
}
