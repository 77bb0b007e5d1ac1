import IntentFleet
import IntentLinux
import IntentProtocol
import IntentSystemd

/// A run that this host performs. Carries out the actions of ``HostedRun``, over a connection to intentd.
///
/// Use an instance only on the loop's thread.
final class HostedRunLink {
    enum Report {
        case progress(ProgressReport)
        case question(OpenQuestion?)
        case end(IntentFleet.RunEnd)
    }

    let run: FleetRun
    private let socket: String
    private let loop: EventLoop
    private let inputs: ReceivedInputs
    private let idle: IdleStreams
    private let report: (Report) -> Void
    private var machine: HostedRun
    private var stream: FrameStream?
    private var timer: EventSource?

    /// - Parameter socket: The path of intentd's socket.
    init(
        _ run: FleetRun,
        socket: String,
        inputs: ReceivedInputs,
        idle: IdleStreams,
        on loop: EventLoop,
        _ report: @escaping (Report) -> Void
    ) {
        self.run = run
        self.socket = socket
        self.inputs = inputs
        self.idle = idle
        self.loop = loop
        self.report = report
        machine = HostedRun(run)
    }

    /// intentd's identifier for the run; nil until intentd has accepted the run.
    var local: RunID? { machine.local }

    /// The run's open question; nil if none is open.
    var question: OpenQuestion? { machine.openQuestion }

    var receivesFiles: Bool { !machine.inputs.isEmpty }

    func start() { carryOut(machine.start()) }
    func stop(_ reason: NodeLoop.StopReason) { handle(.stopRequested(reason)) }
    func answer(_ json: String) { handle(.answered(json)) }

    private func handle(_ event: HostedRun.Event) { carryOut(machine.handle(event)) }

    private func carryOut(_ actions: [HostedRun.Action]) {
        for action in actions {
            switch action {
            case .fetch(let files): fetch(files)
            case .connect(let pause): connect(after: pause)
            case .send(let request): send(request)
            case .release:
                if let stream { idle.keep(stream, for: machine.user) }
                stream = nil
            case .close:
                stream?.close()
                stream = nil
            case .report(let progress): report(.progress(progress))
            case .ask(let question): report(.question(question))
            case .end(let end): report(.end(end))
            }
        }
    }

    private func fetch(_ files: [FleetInput]) {
        inputs.fetch(files, of: run) { [weak self] error in
            self?.handle(error.map { .notFetched(message: $0.message) } ?? .fetched)
        }
    }

    private func send(_ request: NumberedRequest) {
        guard case .perform = request.request, !machine.inputs.isEmpty else {
            stream?.send(request)
            return
        }
        do {
            stream?.send(request, files: try inputs.open(machine.inputs, of: run))
        } catch {
            handle(.notFetched(message: "this host cannot open a file of the run: \(error)"))
        }
    }

    private func connect(after pause: Duration) {
        if pause == .zero, let stream = idle.take(for: machine.user) {
            stream.redirect(
                received: { [weak self] payload in self?.received(payload) },
                ended: { [weak self] _ in self?.handle(.disconnected) }
            )
            self.stream = stream
            return handle(.reconnected)
        }
        // Always connect from the loop, so that no connection begins while a previous connection is being closed.
        timer = LoopTimer.after(pause, on: loop) { [weak self] in self?.connect() }
    }

    private func connect() {
        timer = nil
        do {
            stream = try FrameStream(
                SharedFileDescriptor(UnixSocket.connect(.stream, to: socket)),
                files: .closed,
                on: loop,
                received: { [weak self] payload in self?.received(payload) },
                ended: { [weak self] _ in self?.handle(.disconnected) }
            )
            handle(.connected)
        } catch {
            handle(.disconnected)
        }
    }

    private func received(_ payload: [UInt8]) {
        // Ignore an unknown message, because intentd may be newer than this process.
        guard let message = try? WireCoding.decode(ClientMessage.self, from: payload) else { return }
        handle(.received(message))
    }
}

/// Timers without which the service cannot operate. The process ends if a timer cannot be armed.
enum LoopTimer {
    static func after(_ pause: Duration, on loop: EventLoop, _ body: @escaping () -> Void) -> EventSource {
        do {
            return try loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds() + pause.nanoseconds, body)
        } catch {
            preconditionFailure("cannot arm a timer: \(error)")
        }
    }
}
