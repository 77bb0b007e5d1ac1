/// The limits of the web server.
package enum WebLimits {
    /// The maximum number of open links. Each open page has one link.
    package static let linkCount = 16
    /// The maximum number of relays, including relays that are waiting for their page to reconnect.
    package static let relayCount = 48
    /// The maximum number of HTTP connections.
    package static let connectionCount: UInt32 = 64
    /// The maximum size of one part of a link's input, in bytes. Every packet of the relay protocol fits into one part.
    package static let partByteCount = 1280 << 10
    /// The number of bytes that may be waiting for a page. Above this number, the server does not read the relay's
    /// output.
    package static let waitingByteCount = 512 << 10
    /// The maximum memory for a request's headers, in bytes.
    package static let headerByteCount = 32 << 10
    /// The time without activity, in seconds, after which an HTTP connection is closed.
    package static let connectionSeconds: UInt32 = 60
    /// The maximum output of a command for a report, in bytes. ``reportLife`` is the time that the command may run.
    package static let reportByteCount = 1 << 20
    package static let reportLife: Duration = .seconds(30)
    /// The time for which the printed address is valid.
    package static let tokenLife: Duration = .seconds(15 * 60)
    /// The time without an open page after which the server exits.
    package static let idleLife: Duration = .seconds(8 * 3600)
}
