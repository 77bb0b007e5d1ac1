import IntentAPI
package import IntentCommandLine
import IntentProtocol

/// A request to the HTTP API of another host, made from a request of the protocol of clients.
package struct HostCall: Equatable, Sendable {
    package struct Field: Equatable, Sendable {
        package var name: String
        package var value: String
    }

    package var method: String
    /// The path with the query.
    package var target: String
    package var fields: [Field] = []
    package var body: [UInt8] = []

    package init(_ method: String, _ target: String, _ fields: KeyValuePairs<String, String> = [:], body: [UInt8] = [])
    {
        self.method = method
        self.target = target
        self.fields = fields.map { Field(name: $0, value: $1) }
        self.body = body
    }

    /// Returns the call of a request that the API only passes on; nil for a request of another type.
    ///
    /// - Parameters:
    ///   - members: The members of the request, without its type and its number.
    ///   - files: The stored files that take the place of the request's descriptors.
    package static func passing(_ type: String, _ members: [String: JSONValue], files: [String] = []) -> HostCall? {
        guard let route = APIRoute.all.first(where: { $0.action == .request(type) }) else { return nil }
        return HostCall(route, members, files: files)
    }

    /// Returns the call that performs an intent or the text of a shortcut, or undoes a run, and streams its events.
    package static func performing(_ members: [String: JSONValue], files: [String]) -> HostCall? {
        var members = members
        let route: APIRoute?
        if let run = members.removeValue(forKey: "undoOf") {
            members["run"] = run
            route = APIRoute.all.first { $0.action == .undo }
        } else {
            let isPlan = members["plan"] != nil
            route = APIRoute.all.first { $0.action == .perform && $0.pathParameters.isEmpty == isPlan }
        }
        if route?.pathParameters.contains("app") != true { for name in ["app", "intent"] { members[name] = nil } }
        guard let route, var call = HostCall(route, members, files: files) else { return nil }
        call.fields.append(Field(name: "Accept", value: eventStream))
        return call
    }

    /// Returns the call that streams the events of a run after the event with a serial.
    package static func following(run: String, after serial: UInt64?) -> HostCall {
        let query = serial.map { "?after=\($0)" } ?? ""
        return HostCall("GET", path(of: run) + "/events" + query, ["Accept": eventStream])
    }

    /// Returns the call that ends a run with the rule `cancel`, because its client has left.
    package static func leaving(run: String) -> HostCall { HostCall("POST", path(of: run) + "/leave") }

    package static func resultFile(_ index: Int, of run: String) -> HostCall {
        HostCall("GET", path(of: run) + "/files/\(index)")
    }

    package static func storedFile(_ method: String, _ name: String = "") -> HostCall {
        HostCall(method, "/\(APIRoute.version)/files" + (name.isEmpty ? "" : "/" + part(name)))
    }

    private static func path(of run: String) -> String { "/\(APIRoute.version)/runs/" + part(run) }

    private static let eventStream = "text/event-stream"

    /// Fills the route with members of a request. Returns nil if a parameter of the path is missing.
    private init?(_ route: APIRoute, _ members: [String: JSONValue], files: [String]) {
        var members = members
        members["files"] = files.isEmpty ? nil : .array(files.map { .string($0) })
        var path = route.path
        for name in route.pathParameters {
            guard case .string(let value)? = members.removeValue(forKey: name), !value.isEmpty else { return nil }
            path = path.replacing(utf8: "{\(name)}", with: Self.part(value))
        }
        guard ["GET", "DELETE"].contains(route.method) else {
            self.init(route.method, path, body: Array(JSONValue.object(members).text().utf8))
            if !members.isEmpty { fields.append(Field(name: "Content-Type", value: "application/json")) }
            if members.isEmpty { body = [] }
            return
        }
        let query = members.sorted { $0.key < $1.key }.compactMap { name, value -> String? in
            let text: String? =
                switch value {
                case .string(let text): text
                case .int(let number): String(number)
                case .bool(let isTrue): String(isTrue)
                case .null, .double, .array, .object: nil
                }
            return text.map { Self.part(name) + "=" + Self.part($0) }
        }
        self.init(route.method, path + (query.isEmpty ? "" : "?" + query.joined(separator: "&")))
    }

    /// Escapes a part of a path or a query (RFC 3986).
    private static func part(_ text: String) -> String {
        text.utf8.map { byte in
            byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    /// The request as bytes, without its body.
    ///
    /// - Parameter byteCount: The size of the body.
    package func head(authorization: String, software: String, bodyByteCount byteCount: UInt64) -> [UInt8] {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost", "Authorization: \(Self.plain(authorization))"]
        lines.append("User-Agent: \(Self.plain(software))")
        lines += fields.map { "\($0.name): \(Self.plain($0.value))" }
        if !["GET", "HEAD"].contains(method) { lines.append("Content-Length: \(byteCount)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// A value of a header field without characters that could end it.
    private static func plain(_ value: String) -> String {
        String(String.UnicodeScalarView(value.unicodeScalars.filter { (0x20..<0x7F).contains($0.value) }))
    }
}
