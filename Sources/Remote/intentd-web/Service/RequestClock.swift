import CIntentHTTP

/// How long the clients of connections have taken to send their requests. libmicrohttpd ends a connection without any
/// bytes; a client that sends one byte at a time has this limit.
///
/// Use an instance only on the loop's thread.
struct RequestClock {
    /// When each connection began to wait for a request.
    private var waiting: [OpaquePointer: Duration] = [:]

    /// A connection waits for a request.
    mutating func begin(_ connection: OpaquePointer?, at now: Duration) {
        if let connection { waiting[connection] = now }
    }

    /// A request has arrived as a whole, or the connection has ended.
    mutating func end(_ connection: OpaquePointer?) {
        if let connection { waiting[connection] = nil }
    }

    /// Removes and returns the connections that have waited for too long.
    mutating func overdue(at now: Duration) -> [OpaquePointer] {
        let late = waiting.filter { now - $0.value > WebLimits.requestLife }.map(\.key)
        for connection in late { waiting[connection] = nil }
        return late
    }
}
