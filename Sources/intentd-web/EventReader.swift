import CMicrohttpd

/// Passes the text of a link's events to libmicrohttpd. Suspends the connection while no text is available.
final class EventReader {
    private let request: PendingRequest
    private let connection: OpaquePointer

    init(_ request: PendingRequest, _ connection: OpaquePointer) {
        self.request = request
        self.connection = connection
    }

    /// Copies text into the buffer.
    ///
    /// - Returns: The number of bytes; 0 if the connection was suspended; MHD_CONTENT_READER_END_OF_STREAM (-1) at the
    ///   end.
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
