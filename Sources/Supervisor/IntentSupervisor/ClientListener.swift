import IntentDaemon
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// The listening sockets, and the only client of a private daemon.
///
/// Must be used only on the event loop's thread.
final class ClientListener {
    /// The only client of a private daemon. The daemon exits when this client disconnects.
    let onlyClient: SharedFileDescriptor?
    var onlyClientID: ClientID?
    private let expectsRun: Bool
    let sockets: SocketListener
    /// The file of the socket that this process created; nil if systemd or a client passed the sockets.
    private var file: SocketFile?

    init(_ options: SupervisorOptions, on loop: EventLoop, journal: Journal) {
        sockets = SocketListener(on: options.listeners, of: loop, journal: journal)
        onlyClient = options.onlyClient
        expectsRun = options.expectsRun
        guard let path = options.socketPath else { return }
        do throws(SystemError) {
            file = try SocketFile(path, on: loop, journal: journal) { [sockets] in sockets.replace(with: $0) }
        } catch {
            journal.write(.warning, "cannot watch the socket file (\(error)); continuing without")
        }
    }

    /// The only client, if it will request a run.
    var clientExpectedToRun: ClientID? { expectsRun ? onlyClientID : nil }
}
