import CIntentHTTP
import Glibc
import IntentAPI
import IntentLinux
import IntentProtocol
import IntentSystemd

/// The requests to the API.
extension WebServer {
    /// Writes the header field with which programs use the API to the file of `--header-file`.
    func writeHeader(_ authorization: String) throws(SystemError) {
        guard let headerFile else { return }
        let file = try File.open(headerFile, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, permissions: 0o600)
        try File.write(file.rawValue, Array("Authorization: \(authorization)\n".utf8)[...])
    }

    /// Returns the exchange of a request; nil if no route has its method and path.
    func exchange(by caller: APICaller, on connection: OpaquePointer, _ method: String, _ path: String) -> APIExchange?
    {
        guard case .route(let route, let parameters) = APIRoute.match(method, path) else { return nil }
        var request = APIRequest(route, path: parameters)
        request.isHead = method == "HEAD"
        request.query = fields(of: connection, .GET_ARGUMENT_KIND).map { ($0, $1) }
        // If a client sends a field twice, the first counts.
        request.headers = Dictionary(fields(of: connection, .HEADER_KIND).map { ($0.lowercased(), $1) }) { first, _ in
            first
        }
        return APIExchange(request, by: caller, at: api)
    }

    /// Returns the answer to a request that no route has.
    func unknown(_ method: String, _ path: String) -> HTTPAnswer {
        if case .otherMethods(let methods) = APIRoute.match(method, path) {
            let allowed = methods.joined(separator: ", ")
            let error = ErrorReport(.unknownMethod, "expected \(allowed), got \(SafeText.line(method))")
            return .problem(APIProblem(error), [("Allow", allowed)])
        }
        let error = ErrorReport(
            .unknownPath,
            "'\(SafeText.line(path))' is not a path of the API",
            hint: "GET /v1/openapi.json describes the API"
        )
        return .problem(APIProblem(error))
    }

    /// Returns true if the request states a body that is short enough to be read and dropped before a refusal. Some clients
    /// read no response while they send a body (RFC 9112, section 9.6).
    func hasShortBody(_ connection: OpaquePointer) -> Bool {
        let length = MHD_lookup_connection_value(connection, .HEADER_KIND, "Content-Length")
            .flatMap { Int(String(foreign: $0)) }
        return length.map { (1...WebLimits.droppedByteCount).contains($0) } ?? false
    }

    /// - Parameter request: The request to which the events of the answer belong; nil for another answer.
    func send(_ answer: HTTPAnswer, of request: PendingRequest?, on connection: OpaquePointer) -> MHD_Result {
        let response: OpaquePointer?
        switch answer.body {
        case .bytes(var bytes): response = MHD_create_response_from_buffer(bytes.count, &bytes, .RESPMEM_MUST_COPY)
        case .stream(let stream):
            guard let request else { return .NO }
            stream.whenReadable = { [weak self, weak request] in self?.resume(request) }
            response = eventResponse(for: request)
        case .file(let file, let offset, let count):
            do throws(SystemError) {
                // The response closes the descriptor.
                response = MHD_create_response_from_fd_at_offset64(
                    count,
                    try syscall("fcntl") { fcntl(file.rawValue, F_DUPFD_CLOEXEC, 0) },
                    offset
                )
            } catch {
                return send(
                    .problem(APIProblem(ErrorReport(.busy, "cannot send the file: \(error)"))),
                    of: nil,
                    on: connection
                )
            }
        }
        for (name, value) in answer.headers { MHD_add_response_header(response, name, value) }
        return queue(response, answer.status, on: connection)
    }

    /// Ends a request for a stream if its client closes the connection while the server waits. A client of another request
    /// may close the sending side of its connection and still read the response.
    func watchHangUp(of request: PendingRequest?) {
        guard let request, let exchange = request.exchange, exchange.request.acceptsEvents else { return }
        let descriptor = cmicrohttpd_descriptor(request.connection)
        // Without the watch, the end is noticed when something is sent.
        request.hangUpSource = try? loop.descriptor(descriptor, [.endOfInput]) {
            [weak self, weak request, weak exchange] _ in
            exchange?.hangUp()
            self?.resume(request)
        }
    }

    func fields(of connection: OpaquePointer, _ kind: MHD_ValueKind) -> [(name: String, value: String)] {
        final class Fields {
            var all: [(name: String, value: String)] = []
        }
        let fields = Fields()
        MHD_get_connection_values(
            connection,
            kind,
            { context, _, name, value in
                guard let context, let name else { return .YES }
                let value = value.map { String(foreign: $0) } ?? ""
                Unmanaged<Fields>.fromOpaque(context).takeUnretainedValue().all.append((String(foreign: name), value))
                return .YES
            },
            // SAFETY: the function calls the closure only until it returns, and this object is alive until then.
            Unmanaged.passUnretained(fields).toOpaque()
        )
        return fields.all
    }

    // MARK: Answers

    func refuse(_ refusal: WebRefusal, on connection: OpaquePointer) -> MHD_Result {
        if service != nil {
            let problem = APIProblem(refusal.report, status: refusal.status, challenge: refusal.challenge)
            return send(.problem(problem), of: nil, on: connection)
        }
        return send(Array((refusal.message + "\n").utf8), refusal.status, "text/plain; charset=utf-8", on: connection)
    }

    func queue(_ response: OpaquePointer?, _ status: UInt32, on connection: OpaquePointer) -> MHD_Result {
        guard let response else { return .NO }
        defer { MHD_destroy_response(response) }
        for (name, value) in PageFile.headers where MHD_get_response_header(response, name) == nil {
            MHD_add_response_header(response, name, value)
        }
        if status == WebRefusal.ambiguousLength.status { MHD_add_response_header(response, "Connection", "close") }
        return MHD_queue_response(connection, status, response)
    }
}
