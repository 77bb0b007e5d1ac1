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
    private var client: DaemonClient?
    private var timer: EventSource?

    init(socket: String, on loop: EventLoop, _ report: @escaping (DaemonStatus) -> Void) {
        self.socket = socket
        self.loop = loop
        self.report = report
        connect()
    }

    private func connect(after pause: Duration = .zero) {
        client = DaemonClient(for: nil, socket: socket, after: pause, on: loop) { [weak self] in self?.received($0) }
    }

    private func received(_ event: DaemonClient.Event) {
        switch event {
        case .greeted: ask()
        case .received(.answer(_, let answer), _):
            if case .status(let status) = answer { report(status) }
            timer = LoopTimer.after(Self.interval, on: loop) { [weak self] in self?.ask() }
        // OfferLink reports that intentd is unavailable.
        case .ended: connect(after: Self.interval)
        case .received, .refused: break
        }
    }

    private func ask() { client?.send(.status) }
}
