/// The limits of the web server.
package enum WebLimits {
    /// The maximum number of commands that print reports at a time.
    package static let reportCount = 16
    /// The maximum number of HTTP connections.
    package static let connectionCount: UInt32 = 2048
    /// The maximum number of HTTP connections of the service, and those of one address if it has a certificate: behind a
    /// proxy, all connections have the proxy's address.
    package static let serviceConnectionCount: UInt32 = 12_000
    package static let addressConnectionCount: UInt32 = 256
    /// The number of bytes that may be waiting for a client. A stream with more ends.
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
    /// The time in which a client of the service must send a request, with its body unless that is a file.
    package static let requestLife: Duration = .seconds(60)
    /// The maximum size of a request's body, in bytes, except for the contents of files.
    package static let bodyByteCount = 1 << 20
    /// The maximum size of the body, in bytes, that is read and dropped before a refusal.
    package static let droppedByteCount = 64 << 10
    /// The maximum size of a message of the Model Context Protocol, as over standard input.
    package static let messageByteCount = 16 << 20
    /// The maximum number of its sessions of a caller, the time without a message after which one ends, and the number and
    /// size of the sent messages that a session keeps for a stream that continues.
    package static let sessionCount = 32
    /// The maximum number of processes for the Model Context Protocol of one subject: one for each set of scopes.
    package static let callerProcessCount = 4
    package static let sessionLife: Duration = .seconds(3600)
    package static let keptMessageCount = 256
    package static let keptMessageByteCount = 1 << 20
    /// The maximum number and total size of the files that a caller may store, and the time after the last use of a file
    /// after which it is removed.
    package static let storedFileCount = 512
    package static let storedByteCount: Int64 = 64 << 30
    package static let storedLife: Duration = .seconds(3600)
    /// The maximum number of stored files of all callers together. Each needs a descriptor.
    package static let storedFileLimit = 4096
    /// The number of seconds after which the service closes an unused connection to intentd.
    package static let idleReviewCount = 30
    /// The time between two comments in a stream without events.
    package static let keepAlive: Duration = .seconds(20)
    /// The time for which the server of a session of `intentctl --host` waits for a further channel.
    package static let sessionPatience: Duration = .seconds(90)
}
