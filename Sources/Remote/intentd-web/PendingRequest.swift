import CIntentHTTP
import IntentSystemd

/// An HTTP request that libmicrohttpd is processing.
final class PendingRequest {
    let decision: WebAccess.Decision
    let connection: OpaquePointer
    var isSuspended = false { didSet { if !isSuspended { hangUpSource = nil } } }
    /// Watches whether the client closes the connection while it is suspended: libmicrohttpd does not.
    var hangUpSource: EventSource?
    var whenSuspended: () -> Void = {}
    var report: ReportProcess?
    /// The exchange of a request to the API.
    var exchange: APIExchange?
    /// The answer to a request that no route of the API has.
    var refusal: HTTPAnswer?
    /// True if the API has received the whole request.
    var hasBegun = false

    init(_ decision: WebAccess.Decision, on connection: OpaquePointer) {
        self.decision = decision
        self.connection = connection
    }

    /// Receives a part of the body. Only requests to the API have one.
    func append(_ bytes: UnsafeBufferPointer<UInt8>) { exchange?.receive(bytes) }

    /// Copies text of a run's events into the buffer. Suspends the connection while no text is available.
    ///
    /// - Returns: The number of bytes; 0 if the connection was suspended; MHD_CONTENT_READER_END_OF_STREAM (-1) at the
    ///   end.
    func readEvents(_ buffer: UnsafeMutablePointer<CChar>, _ limit: Int) -> Int {
        guard case .stream(let stream)? = exchange?.answer?.body else { return -1 }
        let count = stream.take(into: buffer, upTo: limit)
        if count > 0 { return count }
        if stream.hasEnded { return -1 }
        suspend()
        return 0
    }

    func suspend() {
        isSuspended = true
        MHD_suspend_connection(connection)
        whenSuspended()
    }
}
