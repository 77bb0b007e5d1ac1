import IntentCommandLine
import IntentLinux
import IntentProtocol
import IntentSystemd

/// A session of a revision before 2026-07-28. It keeps the newest messages, so that a client continues a stream that was cut,
/// with `Last-Event-ID`.
///
/// Use an instance only on the loop's thread.
final class MCPHTTPSession {
    let name: String
    let caller: APICaller
    let process: MCPProcess
    private var number: UInt64 = 0
    private var usedAt = ClockReading.monotonicNanoseconds()
    /// Requests without a response.
    private var expected: [(id: JSONValue, token: JSONValue?, reply: MCPReply, key: UInt64)] = []
    private var lastKey: UInt64 = 0
    /// The stream of GET, and the key of its messages: 0 for those that belong to no request.
    private var listener: (stream: TextStream, key: UInt64)?
    /// The messages that were sent as events: the number, the key of the stream, and the text.
    private var kept: [(number: UInt64, key: UInt64, event: [UInt8])] = []
    private var lastNumber: UInt64 = 0

    init(_ name: String, of caller: APICaller, in process: MCPProcess) {
        self.name = name
        self.caller = caller
        self.process = process
        number = process.open { [weak self] value, text in self?.receive(value, text) }
    }

    var isExpired: Bool {
        expected.isEmpty && listener == nil
            && ClockReading.monotonicNanoseconds() - usedAt > WebLimits.sessionLife.nanoseconds
    }

    func send(_ line: [UInt8]) {
        usedAt = ClockReading.monotonicNanoseconds()
        process.send(line, to: number)
    }

    /// Expects the response to a request.
    func expect(_ reply: MCPReply, id: JSONValue, token: JSONValue?) {
        lastKey += 1
        expected.append((id, token, reply, lastKey))
    }

    /// Ends the request that a client has cancelled, because the protocol does not answer it.
    func cancel(_ id: JSONValue) {
        guard let index = expected.firstIndex(where: { $0.id == id }) else { return }
        let entry = expected.remove(at: index)
        entry.reply.cancel()
        if let listener, listener.key == entry.key { listener.stream.end() }
    }

    /// Opens the stream of the session, or continues the stream of the event with this number.
    func listen(after last: UInt64?) -> TextStream {
        usedAt = ClockReading.monotonicNanoseconds()
        listener?.stream.end()
        let stream = TextStream()
        let key = last.flatMap { last in kept.first { $0.number == last }?.key } ?? 0
        listener = (stream, key)
        // The messages that no stream has delivered, or those after the last one that the client has.
        for message in kept where message.key == key && message.number > last ?? 0 { stream.append(message.event) }
        if key != 0, !expected.contains(where: { $0.key == key }) { stream.end() }
        if stream.isSent { stream.append(Array(":\n\n".utf8)) }
        return stream
    }

    /// A client has closed a stream.
    func left(_ stream: TextStream) {
        usedAt = ClockReading.monotonicNanoseconds()
        if listener?.stream === stream { listener = nil }
    }

    func keepAlive() { listener?.stream.keepAlive() }

    func end() {
        listener?.stream.end()
        listener = nil
        for entry in expected { entry.reply.fail() }
        expected = []
        process.close(number)
    }

    private func receive(_ value: JSONValue, _ text: String) {
        let members = value.members
        let isResponse = members["method"] == nil
        let index: Int? =
            if isResponse {
                expected.firstIndex { $0.id == members["id"] }
            } else if let token = members["params"]?.members["progressToken"] {
                expected.firstIndex { $0.token == token }
            } else if members["id"] != nil {
                // A question of the server belongs to the newest call.
                expected.indices.last
            } else {
                nil
            }
        // The response to a request that its client has cancelled.
        if isResponse, index == nil { return }
        let key = index.map { expected[$0].key } ?? 0
        lastNumber += 1
        let event = EventText.mcp(text, number: lastNumber)
        keep((lastNumber, key, event))
        if let index {
            expected[index].reply.send(event, value, text, isResponse: isResponse)
            if isResponse { expected.remove(at: index) }
        }
        guard let listener, listener.key == key else { return }
        listener.stream.append(event)
        if key != 0, isResponse { listener.stream.end() }
    }

    private func keep(_ message: (number: UInt64, key: UInt64, event: [UInt8])) {
        kept.append(message)
        var byteCount = kept.reduce(0) { $0 + $1.event.count }
        while kept.count > WebLimits.keptMessageCount || byteCount > WebLimits.keptMessageByteCount, kept.count > 1 {
            byteCount -= kept.removeFirst().event.count
        }
    }
}
