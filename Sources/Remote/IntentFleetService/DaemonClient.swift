import IntentDaemon
import IntentFleet
import IntentLinux
import IntentProtocol
import IntentSystemd

/// A connection to intentd, on which this service acts for a user of the fleet or for itself.
///
/// Use an instance only on the loop's thread.
final class DaemonClient {
    enum Event {
        /// intentd has accepted the user. The client may send requests from now on.
        case greeted
        /// intentd has refused the user.
        case refused(ErrorReport)
        /// A message after the greeting, and its encoded form.
        case received(ClientMessage, [UInt8])
        /// The connection could not be made or has ended, or intentd did not answer in time.
        case ended(String)
    }

    private static let helloID: UInt64 = 1
    /// The number of a request on a connection that has only one request at a time.
    private static let requestID: UInt64 = 2

    /// The user of the fleet; nil for the service itself.
    let user: String?
    private let loop: EventLoop
    private var report: (Event) -> Void
    private var stream: FrameStream?
    /// The timer for the connection, and then for its end.
    private var timer: EventSource?

    /// Connects from the loop, so that no connection begins while an earlier connection is being closed.
    ///
    /// - Parameters:
    ///   - socket: The path of intentd's socket.
    ///   - pause: The time to wait before the connection.
    ///   - patience: The time after which the connection ends unless it has been closed; nil for no limit.
    init(
        for user: String?,
        socket: String,
        files: FrameStream.Files = .closed,
        after pause: Duration = .zero,
        within patience: Duration? = nil,
        on loop: EventLoop,
        _ report: @escaping (Event) -> Void
    ) {
        self.user = user
        self.loop = loop
        self.report = report
        timer = LoopTimer.after(pause, on: loop) { [weak self] in self?.connect(to: socket, files, patience) }
    }

    /// Sends a request on a connection that has several requests at a time, with numbers from 2.
    func send(_ request: NumberedRequest, files: [SharedFileDescriptor] = []) { stream?.send(request, files: files) }

    func send(_ request: ClientRequest) { send(NumberedRequest(id: Self.requestID, request)) }

    func takeFiles() -> [SharedFileDescriptor] { stream?.takeFiles() ?? [] }

    /// Replaces the function that receives events.
    func redirect(_ report: @escaping (Event) -> Void) { self.report = report }

    /// Closes the connection without an event.
    func close() {
        timer = nil
        stream?.close()
        stream = nil
    }

    private func connect(to socket: String, _ files: FrameStream.Files, _ patience: Duration?) {
        timer = patience.map { patience in
            LoopTimer.after(patience, on: loop) { [weak self] in self?.end("intentd does not answer") }
        }
        do {
            stream = try FrameStream(
                SharedFileDescriptor(UnixSocket.connect(.stream, to: socket)),
                files: files,
                on: loop,
                received: { [weak self] payload in self?.received(payload) },
                ended: { [weak self] reason in self?.end("intentd: \(reason)") }
            )
            let hello = Hello(software: FleetRun.software, fleetUser: user)
            send(NumberedRequest(id: Self.helloID, .hello(hello)))
        } catch {
            end("cannot connect to intentd: \(error)")
        }
    }

    private func received(_ payload: [UInt8]) {
        // Ignore an unknown message, because intentd may be newer than this process.
        guard let message = try? WireCoding.decode(ClientMessage.self, from: payload) else { return }
        switch message {
        case .answer(Self.helloID, .hello(let hello)) where hello.fleetUser == user: report(.greeted)
        case .answer(Self.helloID, .hello):
            report(.refused(ErrorReport(.unknownRequest, "intentd does not support fleets")))
        case .answer(Self.helloID, .refused(let error)): report(.refused(error))
        case .answer, .event: report(.received(message, payload))
        }
    }

    private func end(_ reason: String) {
        close()
        report(.ended(reason))
    }
}
