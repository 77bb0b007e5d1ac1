import IntentFleet
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
    private var stream: FrameStream?
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
        timer = LoopTimer.after(Self.patience, on: loop) { [weak self] in self?.fail("intentd does not answer") }
        do {
            let stream = try FrameStream(
                SharedFileDescriptor(UnixSocket.connect(.stream, to: socket)),
                files: .closed,
                on: loop,
                received: { [weak self] payload in self?.received(payload, as: user) },
                ended: { [weak self] reason in self?.fail("intentd: \(reason)") }
            )
            self.stream = stream
            let hello = Hello(software: FleetRun.software, fleetUser: user)
            stream.send(NumberedRequest(id: 1, .hello(hello)))
        } catch {
            fail("cannot connect to intentd: \(error)")
        }
    }

    private func received(_ payload: [UInt8], as user: String?) {
        guard case .answer(_, let answer)? = try? WireCoding.decode(ClientMessage.self, from: payload) else { return }
        switch answer {
        case .hello(let hello):
            guard hello.fleetUser == user else { return fail("intentd does not support fleets: update it") }
            guard user == nil else {
                // Connect after this callback has returned, because it belongs to the stream that the new connection
                // replaces.
                timer = LoopTimer.after(.zero, on: loop) { [weak self] in self?.connect(as: nil) }
                return close()
            }
            stream?.send(NumberedRequest(id: 2, .list))
        case .apps(let apps):
            close()
            report(.installed(apps))
            again(after: Self.interval)
        case .refused(let error): fail("intentd: \(error.message)")
        case .accepted, .ended, .app, .watching, .asking, .answerAccepted, .ticket, .filesReceived, .files,
            .filesDiscarded, .runs, .status, .history, .story, .logs, .pruned, .imported, .metrics, .reloaded,
            .upgrading:
            break
        }
    }

    private func fail(_ reason: String) {
        close()
        report(.unusable(reason))
        again(after: Self.retryInterval)
    }

    private func close() {
        stream?.close()
        stream = nil
    }

    private func again(after pause: Duration) {
        timer = LoopTimer.after(pause, on: loop) { [weak self] in self?.ask() }
    }
}
