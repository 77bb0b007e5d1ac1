import IntentCommandLine
import IntentLinux
import IntentProtocol

/// The response to one POST: the JSON of the answer or, if something precedes it, a stream of events.
///
/// Use an instance only on the loop's thread.
final class MCPReply {
    static let streamHeaders = [("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")]

    let caller: APICaller
    let stream = TextStream()
    /// Further header fields of the response.
    var headers: [(String, String)] = []
    private let isStateless: Bool
    private weak var exchange: APIExchange?
    private(set) var isStreaming = false
    /// True if the response has been sent.
    private(set) var isAnswered = false

    init(to exchange: APIExchange, isStateless: Bool) {
        self.exchange = exchange
        self.isStateless = isStateless
        caller = exchange.caller
    }

    private var acceptsEvents: Bool { exchange?.request.acceptsEvents == true }

    /// Sends a message.
    ///
    /// - Parameters:
    ///   - event: The message as an event.
    ///   - value: The message.
    ///   - isResponse: True for the response, the last message.
    func send(_ event: [UInt8], _ value: JSONValue, _ text: String, isResponse: Bool) {
        guard !isAnswered else { return }
        isAnswered = isResponse
        if isStreaming {
            stream.append(event)
            if isResponse { stream.end() }
        } else if isResponse {
            exchange?.respond(
                HTTPAnswer(
                    status: isStateless ? MCPPost.status(of: value) : 200,
                    headers: [("Content-Type", "application/json")] + headers,
                    body: .bytes(Array(text.utf8))
                )
            )
        } else if acceptsEvents {
            beginStream()
            stream.append(event)
        }
    }

    /// Begins the stream, so that a proxy does not close a connection without traffic.
    func keepAlive() {
        guard !isAnswered, acceptsEvents else { return }
        if !isStreaming { beginStream() }
        stream.keepAlive()
    }

    /// The client has cancelled the request: no message follows.
    func cancel() {
        guard !isAnswered else { return }
        isAnswered = true
        if isStreaming { return stream.end() }
        exchange?.respond(MCPEndpoint.accepted)
    }

    /// The process that performs the request has ended.
    func fail() {
        guard !isAnswered else { return }
        isAnswered = true
        if isStreaming { return stream.end() }
        exchange?.respond(ErrorReport(.noDaemon, "the request was interrupted", hint: "send it again"))
    }

    private func beginStream() {
        isStreaming = true
        exchange?.respond(HTTPAnswer(status: 200, headers: Self.streamHeaders + headers, body: .stream(stream)))
    }
}
