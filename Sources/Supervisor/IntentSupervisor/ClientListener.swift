import IntentLifecycle
import IntentLinux
import IntentSystemd

/// An object that accepts connections on the listening sockets.
///
/// Must be used only on the event loop's thread. When the process has no free descriptors, connections wait in the
/// kernel's queue, and the listener retries every second.
final class ClientListener {
    /// The only client of a private daemon. The daemon exits when this client disconnects.
    let onlyClient: SharedFileDescriptor?
    var onlyClientID: ClientID?
    private let expectsRun: Bool
    private let sockets: [SharedFileDescriptor]
    private let loop: EventLoop
    private let journal: Journal
    private var accepted: (consuming FileDescriptor) -> Void = { _ in }
    private var failed: () -> Void = {}
    private var sources: [EventSource] = []
    private var retryTimer: EventSource?

    private static let retryNanoseconds: Int64 = 1_000_000_000

    init(_ options: SupervisorOptions, on loop: EventLoop, journal: Journal) {
        sockets = options.listeners
        onlyClient = options.onlyClient
        expectsRun = options.expectsRun
        self.loop = loop
        self.journal = journal
    }

    /// The only client, if it will request a run.
    var clientExpectedToRun: ClientID? { expectsRun ? onlyClientID : nil }

    /// Starts accepting connections.
    ///
    /// - Parameters:
    ///   - accepted: Receives each connection.
    ///   - failed: Called if the loop cannot arm a timer for the next attempt.
    func start(accepted: @escaping (consuming FileDescriptor) -> Void, failed: @escaping () -> Void) {
        self.accepted = accepted
        self.failed = failed
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
    private func accept(on socket: SharedFileDescriptor) {
        do {
            guard let connection = try UnixSocket.accept(on: socket.rawValue) else { return }
            accepted(connection)
        } catch {
            // The process probably has no free descriptors. Stop listening. Otherwise, the loop would retry without a
            // pause.
            retry(after: "cannot accept a connection: \(error)")
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
                "cannot arm the retry timer of the client sockets (\(error)); exiting so that systemd restarts intentd"
            )
            failed()
        }
    }
}
