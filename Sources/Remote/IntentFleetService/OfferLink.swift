import IntentLinux
import IntentProtocol
import IntentSystemd

/// Queries intentd for the intents that this host may perform for the fleet: at the start, every minute, and on
/// request.
///
/// The first connection proves that intentd accepts this process as a fleet service. Without this proof, a host with an
/// error in its settings would take runs and fail all of them.
///
/// Use an instance only on the loop's thread.
final class OfferLink {
    enum Report {
        case installed([AppDescription])
        /// intentd does not answer, or does not permit this process to act for a fleet's users.
        case unusable(String)
    }

    private static let interval: Duration = .seconds(60)
    private static let retryInterval: Duration = .seconds(1)
    private static let patience: Duration = .seconds(30)

    private let socket: String
    /// A valid fleet user name that belongs to no user.
    private let probe: String
    private let loop: EventLoop
    private let report: (Report) -> Void
    private var client: DaemonClient?
    private var timer: EventSource?

    init(socket: String, host: String, on loop: EventLoop, _ report: @escaping (Report) -> Void) {
        self.socket = socket
        probe = "intentd-fleet@\(host)"
        self.loop = loop
        self.report = report
    }

    func ask() { connect(as: probe) }

    /// - Parameter user: The fleet user to act for; nil for the service itself.
    private func connect(as user: String?) {
        timer = nil
        client?.close()
        client = DaemonClient(for: user, socket: socket, within: Self.patience, on: loop) { [weak self] event in
            self?.received(event, as: user)
        }
    }

    private func received(_ event: DaemonClient.Event, as user: String?) {
        switch event {
        case .greeted where user == nil: client?.send(.list)
        case .greeted: connect(as: nil)
        case .received(.answer(_, .apps(let apps)), _): finish(.installed(apps), askAfter: Self.interval)
        case .refused(let error), .received(.answer(_, .refused(let error)), _): fail("intentd: \(error.message)")
        case .ended(let reason): fail(reason)
        case .received: break
        }
    }

    private func fail(_ reason: String) { finish(.unusable(reason), askAfter: Self.retryInterval) }

    private func finish(_ result: Report, askAfter pause: Duration) {
        client?.close()
        report(result)
        timer = LoopTimer.after(pause, on: loop) { [weak self] in self?.ask() }
    }
}
