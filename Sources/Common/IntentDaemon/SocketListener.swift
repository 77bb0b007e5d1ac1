package import IntentLinux
package import IntentSystemd

/// An object that accepts connections on listening sockets.
///
/// Must be used only on the event loop's thread. When the process has no free descriptors, connections wait in the
/// kernel's queue, and the listener retries every second.
package final class SocketListener {
    private var sockets: [SharedFileDescriptor]
    private let loop: EventLoop
    private let journal: Journal
    private var accepted: (consuming FileDescriptor) throws(SystemError) -> Void = { _ in }
    private var failed: () -> Void = {}
    private var sources: [EventSource] = []
    private var retryTimer: EventSource?

    private static let retryNanoseconds: Int64 = 1_000_000_000

    package init(on sockets: [SharedFileDescriptor], of loop: EventLoop, journal: Journal) {
        self.sockets = sockets
        self.loop = loop
        self.journal = journal
    }

    /// Starts accepting connections.
    ///
    /// - Parameters:
    ///   - accepted: Receives each connection. After an error, no connections are accepted for a second.
    ///   - failed: Called if the loop cannot arm a timer for the next attempt.
    package func start(
        accepted: @escaping (consuming FileDescriptor) throws(SystemError) -> Void,
        failed: @escaping () -> Void
    ) {
        self.accepted = accepted
        self.failed = failed
        listen()
    }

    /// Accepts connections on another socket instead. Connections that wait on the earlier sockets are accepted first.
    package func replace(with socket: SharedFileDescriptor) {
        for earlier in sockets { while accept(on: earlier) {} }
        sockets = [socket]
        listen()
    }

    private func listen() {
        do {
            sources = try sockets.map { socket in
                try loop.descriptor(socket, .readable) { [weak self] _ in self?.accept(on: socket) }
            }
        } catch {
            retry(after: "cannot listen: \(error)")
        }
    }

    /// Accepts only one connection, so that many simultaneous connections do not delay other events.
    ///
    /// - Returns: False if no connection was waiting, or if it could not be accepted.
    @discardableResult
    private func accept(on socket: SharedFileDescriptor) -> Bool {
        do {
            guard let connection = try UnixSocket.accept(on: socket.rawValue) else { return false }
            try accepted(connection)
            return true
        } catch {
            // The process probably has no free descriptors. Stop listening. Otherwise, the loop would retry without a
            // pause.
            retry(after: "cannot accept a connection: \(error)")
            return false
        }
    }

    private func retry(after problem: String) {
        sources = []
        journal.write(.error, "\(problem); trying again in 1 s")
        do {
            let instant = ClockReading.monotonicNanoseconds() + Self.retryNanoseconds
            retryTimer = try loop.timer(atNanoseconds: instant) { [weak self] in self?.listen() }
        } catch {
            journal.write(
                .error,
                "cannot arm the retry timer of the client sockets (\(error)); exiting so that systemd restarts this service"
            )
            failed()
        }
    }
}
