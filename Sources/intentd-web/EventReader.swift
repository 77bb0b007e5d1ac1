import CMicrohttpd

/// Gives libmicrohttpd the text of a link's events, and suspends the connection until text arrives.
final class EventReader {
    private let request: PendingRequest
    private let connection: OpaquePointer

    init(_ request: PendingRequest, _ connection: OpaquePointer) {
        self.request = request
        self.connection = connection
    }

    /// Returns the number of bytes, 0 while the connection is suspended, or -1 at the end (MHD_CONTENT_READER_END_OF_STREAM).
    func read(_ buffer: UnsafeMutablePointer<CChar>, _ limit: Int) -> Int {
        guard let link = request.link else { return -1 }
        let count = link.take(into: buffer, upTo: limit)
        if count > 0 { return count }
        if link.hasEnded { return -1 }
        request.isSuspended = true
        MHD_suspend_connection(connection)
        return 0
    }
}
