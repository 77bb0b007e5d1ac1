/// The limits of the server for the page.
package enum WebLimits {
    /// The maximum number of open links: one for each open page.
    package static let linkCount = 16
    /// The maximum number of relays, those included that wait for their page to return.
    package static let relayCount = 48
    /// The maximum number of connections.
    package static let connectionCount: UInt32 = 64
    /// The maximum number of bytes in one part of a link's input. A packet of the relay protocol fits.
    package static let partByteCount = 1280 << 10
    /// The number of bytes that wait for a page, from which on the relay is not read.
    package static let waitingByteCount = 512 << 10
    /// The memory for the header of a request.
    package static let headerByteCount = 32 << 10
    /// After this time without progress, a connection is closed.
    package static let connectionSeconds: UInt32 = 60
    /// The maximum output of a command that reports about the host, and how long it may take.
    package static let reportByteCount = 1 << 20
    package static let reportLife: Duration = .seconds(30)
    /// How long the printed address can be opened.
    package static let tokenLife: Duration = .seconds(15 * 60)
    /// After this time without an open page, the server exits.
    package static let idleLife: Duration = .seconds(8 * 3600)
}
