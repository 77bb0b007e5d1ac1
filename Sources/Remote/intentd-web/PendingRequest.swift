import CIntentHTTP

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
    var isSuspended = false
    var report: ReportProcess?

    init(_ decision: WebAccess.Decision, on connection: OpaquePointer) {
        self.decision = decision
        self.connection = connection
    }

    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard body.count + bytes.count <= WebLimits.partByteCount else {
            isTooLarge = true
            return
        }
        body += bytes
    }

    /// Copies text of the link's events into the buffer. Suspends the connection while no text is available.
    ///
    /// - Returns: The number of bytes; 0 if the connection was suspended; MHD_CONTENT_READER_END_OF_STREAM (-1) at the
    ///   end.
    func readEvents(_ buffer: UnsafeMutablePointer<CChar>, _ limit: Int) -> Int {
        guard let link else { return -1 }
        let count = link.take(into: buffer, upTo: limit)
        if count > 0 { return count }
        if link.hasEnded { return -1 }
        suspend()
        return 0
    }

    func suspend() {
        isSuspended = true
        MHD_suspend_connection(connection)
    }
}
