package import IntentAPI
import IntentCommandLine
package import IntentProtocol

/// A request to the API, without its body.
package struct APIRequest: Sendable {
    package var route: APIRoute
    /// The parameters of the path.
    package var path: [String: String]
    /// The parameters of the query, in their order.
    package var query: [(name: String, value: String)]
    /// The header fields by their names in lower case.
    package var headers: [String: String]
    package var isHead = false

    package init(
        _ route: APIRoute,
        path: [String: String] = [:],
        query: [(name: String, value: String)] = [],
        headers: [String: String] = [:]
    ) {
        self.route = route
        self.path = path
        self.query = query
        self.headers = headers
    }

    /// True if the client accepts a stream of events as the response of a request that starts a run.
    package var acceptsEvents: Bool {
        (headers["accept"] ?? "").split(scalar: ",").contains { type in
            type.split(scalar: ";").first.map { Self.trimmed($0) == "text/event-stream" } ?? false
        }
    }

    /// The time to wait for the end of a run (`Prefer: wait=SECONDS`, RFC 7240); nil without it.
    package var wait: Duration? {
        for preference in (headers["prefer"] ?? "").split(scalar: ",") {
            let parts = preference.split(scalar: "=").map(Self.trimmed)
            if parts.count == 2, parts[0] == "wait", let seconds = UInt16(parts[1]) {
                return .seconds(min(Int64(seconds), 600))
            }
        }
        return nil
    }

    /// The serial of the last event that the client has received.
    package func lastEvent() throws(ErrorReport) -> UInt64? {
        let given =
            query.first { $0.name == "after" }?.value ?? headers["last-event-id"].flatMap { $0.isEmpty ? nil : $0 }
        guard let given else { return nil }
        guard let serial = UInt64(given) else {
            throw ErrorReport(
                .badRequest,
                "Last-Event-ID: expected the number of an event, got '\(SafeText.line(given))'"
            )
        }
        return serial
    }

    /// The offset at which a part of a file begins (`Upload-Offset`).
    package func uploadOffset() throws(ErrorReport) -> Int64 {
        guard let offset = headers["upload-offset"].flatMap({ Int64($0) }), offset >= 0 else {
            throw ErrorReport(
                .badRequest,
                "Upload-Offset: expected the number of bytes that are stored",
                hint: "HEAD of the file returns it as Content-Length"
            )
        }
        return offset
    }

    /// Returns the request for intentd of a route that only passes a request on.
    package func clientRequest(_ type: String, body: [UInt8]) throws(ErrorReport) -> ClientRequest {
        var members = try object(body).members
        for (name, value) in path { members[name] = .string(value) }
        for (name, value) in try queryMembers() { members[name] = value }
        let files = try answerFiles(body: body)
        members["files"] = files.isEmpty ? nil : .int(Int64(files.count))
        if type == "answer", members["entryPoint"] == nil { members["entryPoint"] = .string(EntryPoint.http.rawValue) }
        members["type"] = .string(type)
        members["id"] = 0
        return try Self.decode(NumberedRequest.self, members).request
    }

    /// The stored files that an answer to a question names. Other requests that are only passed on have no files.
    package func answerFiles(body: [UInt8]) throws(ErrorReport) -> [String] {
        guard route.action == .request("answer") else { return [] }
        let files = try Self.files(object(body).members["files"])
        guard files.count <= Frame.descriptorLimit else {
            throw ErrorReport(.badRequest, "files: expected at most \(Frame.descriptorLimit), got \(files.count)")
        }
        return files
    }

    /// A request to perform an intent, and the stored files that it names.
    package struct Performance: Sendable {
        package var request: PerformRequest
        package var files: [String]
    }

    /// Returns the request to perform an intent or to undo a run.
    package func performance(body: [UInt8]) throws(ErrorReport) -> Performance {
        var members = try object(body).members
        _ = try queryMembers()
        let files = try Self.files(members["files"])
        members["files"] = files.isEmpty ? nil : .int(Int64(files.count))
        if route.action == .undo {
            for name in ["app", "intent"] { members[name] = "" }
            members["undoOf"] = path["run"].map { .string($0) }
            members["values"] = nil
        } else {
            // The text of a shortcut (`plan`) names neither.
            for name in ["app", "intent"] { members[name] = .string(path[name] ?? "") }
        }
        if members["request"] == nil { members["request"] = .string(RequestID().text) }
        if members["onDisconnect"] == nil { members["onDisconnect"] = .string(DisconnectRule.continue.rawValue) }
        if members["entryPoint"] == nil { members["entryPoint"] = .string(EntryPoint.http.rawValue) }
        if let key = headers["idempotency-key"] { members["key"] = .string(Self.unquoted(key)) }
        if let trace = headers["traceparent"], TraceContext.isValid(trace) { members["traceparent"] = .string(trace) }
        return Performance(request: try Self.decode(PerformRequest.self, members), files: files)
    }

    // MARK: Parts

    /// Returns the names of stored files in the member `files`.
    private static func files(_ member: JSONValue?) throws(ErrorReport) -> [String] {
        switch member {
        case nil, .null?: return []
        case .array(let values)?:
            let names = values.compactMap { if case .string(let name) = $0 { name } else { nil } }
            if names.count == values.count { return names }
        default: break
        }
        throw ErrorReport(.badRequest, "files: expected a list of the files that POST /v1/files has stored")
    }

    private func object(_ body: [UInt8]) throws(ErrorReport) -> JSONValue {
        guard !body.isEmpty else { return .object([:]) }
        let type = headers["content-type"].map { Self.trimmed($0.split(scalar: ";").first ?? "").lowercased() }
        guard type == "application/json" || type == nil else {
            throw ErrorReport(
                .badRequest,
                "Content-Type: expected application/json, got '\(SafeText.line(type ?? ""))'",
                hint: "with curl: --json '{…}', or -H 'Content-Type: application/json'"
            )
        }
        let value: JSONValue
        do throws(WireError) {
            value = try WireCoding.decode(JSONValue.self, from: body, as: .value)
        } catch {
            throw ErrorReport(.badRequest, "the body: expected a JSON object: \(error)")
        }
        guard case .object = value else { throw ErrorReport(.badRequest, "the body: expected a JSON object") }
        return value
    }

    private func queryMembers() throws(ErrorReport) -> [(String, JSONValue)] {
        var members: [(String, JSONValue)] = []
        for (name, text) in query {
            guard let parameter = route.query.first(where: { $0.name == name }) else {
                let known = route.query.map(\.name).joined(separator: ", ")
                throw ErrorReport(
                    .badRequest,
                    "unknown parameter '\(SafeText.line(name))' of \(route.path)",
                    hint: known.isEmpty ? nil : "its parameters are \(known)"
                )
            }
            let value: JSONValue? =
                switch parameter.kind {
                case .string: .string(text)
                case .integer: Int64(text).map { .int($0) }
                case .boolean: ["true": .bool(true), "false": .bool(false)][text]
                }
            guard let value else {
                throw ErrorReport(
                    .badRequest,
                    "\(name): expected \(parameter.kind == .boolean ? "true or false" : "a whole number"), "
                        + "got '\(SafeText.line(text))'"
                )
            }
            members.append((name, value))
        }
        return members
    }

    private static func decode<Message: Decodable>(
        _ type: Message.Type,
        _ members: [String: JSONValue]
    ) throws(ErrorReport) -> Message {
        do throws(WireError) {
            return try WireCoding.decode(type, from: WireCoding.encode(JSONValue.object(members)))
        } catch {
            throw ErrorReport(.badRequest, "the request is invalid: \(error)")
        }
    }

    /// Returns the text of a quoted string of a header field, or the field itself.
    private static func unquoted(_ field: String) -> String {
        guard field.utf8.count >= 2, field.hasPrefix(utf8: "\""), field.hasSuffix(utf8: "\"") else { return field }
        return String(field.dropFirst(scalars: 1).dropLast(scalars: 1))
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let scalars = Substring(text).unicodeScalars
        guard let first = scalars.firstIndex(where: { $0 != " " }), let last = scalars.lastIndex(where: { $0 != " " })
        else { return "" }
        return String(scalars[first...last])
    }
}
