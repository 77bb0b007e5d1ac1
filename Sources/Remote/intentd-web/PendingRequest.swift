import CIntentHTTP
import IntentSystemd

/// An HTTP request that libmicrohttpd is processing.
final class PendingRequest {
    let decision: WebAccess.Decision
    let connection: OpaquePointer
    var body: [UInt8] = []
    var isTooLarge = false
    /// True if the link has accepted the body. It may not have written the whole body to the relay yet.
    var isPassedOn = false
    /// The link that the request opened, or to which its body belongs.
    var link: WebLink?
    /// True for a request that opened a link. Its response consists of the link's events.
    var isEventStream = false
    var isSuspended = false { didSet { if !isSuspended { hangUpSource = nil } } }
    /// Watches whether the client closes the connection while it is suspended: libmicrohttpd does not.
    var hangUpSource: EventSource?
    var whenSuspended: () -> Void = {}
    var report: ReportProcess?
    /// The exchange of a request to the API.
    var exchange: APIExchange?
    /// True if the API has received the whole request.
    var hasBegun = false

    init(_ decision: WebAccess.Decision, on connection: OpaquePointer) {
        self.decision = decision
        self.connection = connection
    }

    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if let exchange { return exchange.receive(bytes) }
        guard body.count + bytes.count <= WebLimits.partByteCount else {
            isTooLarge = true
            return
        }
        body += bytes
    }

    /// Copies text of the link's or the run's events into the buffer. Suspends the connection while no text is available.
    ///
    /// - Returns: The number of bytes; 0 if the connection was suspended; MHD_CONTENT_READER_END_OF_STREAM (-1) at the
    ///   end.
    func readEvents(_ buffer: UnsafeMutablePointer<CChar>, _ limit: Int) -> Int {
        let count: Int
        let hasEnded: Bool
        if let link {
            count = link.take(into: buffer, upTo: limit)
            hasEnded = link.hasEnded
        } else if case .stream(let stream)? = exchange?.answer?.body {
            count = stream.take(into: buffer, upTo: limit)
            hasEnded = stream.hasEnded
        } else {
            return -1
        }
        if count > 0 { return count }
        if hasEnded { return -1 }
        suspend()
        return 0
    }

    func suspend() {
        isSuspended = true
        MHD_suspend_connection(connection)
        whenSuspended()
    }
}
