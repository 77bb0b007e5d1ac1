import IntentFleet
import IntentLinux
import IntentProtocol
import IntentSystemd

/// Queries intentd every second for its number of runs, so that this host's users take precedence over the fleet, and for
/// the users that are agents.
///
/// Use an instance only on the loop's thread.
final class LoadLink {
    private static let interval: Duration = .seconds(1)

    private let socket: String
    private let loop: EventLoop
    private let report: (DaemonStatus) -> Void
    private var stream: FrameStream?
    private var timer: EventSource?
    private var lastID: UInt64 = 0
    private var isGreeted = false

    init(socket: String, on loop: EventLoop, _ report: @escaping (DaemonStatus) -> Void) {
        self.socket = socket
        self.loop = loop
        self.report = report
        // Ask from the loop, because the owner has not stored this instance yet.
        again(after: .zero)
    }

    private func again(after pause: Duration) {
        timer = LoopTimer.after(pause, on: loop) { [weak self] in
            self?.ask()
            self?.again(after: Self.interval)
        }
    }

    private func ask() {
        if isGreeted { return send(.status) }
        guard stream == nil else { return }
        do {
            stream = try FrameStream(
                SharedFileDescriptor(UnixSocket.connect(.stream, to: socket)),
                files: .closed,
                on: loop,
                received: { [weak self] payload in self?.received(payload) },
                ended: { [weak self] _ in self?.close() }
            )
            send(.hello(Hello(software: FleetRun.software)))
        } catch {
            // OfferLink reports that intentd is unavailable.
            close()
        }
    }

    private func send(_ request: ClientRequest) {
        lastID += 1
        stream?.send(NumberedRequest(id: lastID, request))
    }

    private func close() {
        stream?.close()
        stream = nil
        isGreeted = false
    }

    private func received(_ payload: [UInt8]) {
        guard case .answer(_, let answer)? = try? WireCoding.decode(ClientMessage.self, from: payload) else { return }
        if case .hello = answer {
            isGreeted = true
            send(.status)
        } else if case .status(let status) = answer {
            report(status)
        }
    }
}
