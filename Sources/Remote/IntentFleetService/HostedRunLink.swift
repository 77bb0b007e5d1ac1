import IntentDaemon
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
        case end(FleetRunEnd)
    }

    let run: FleetRun
    private let socket: String
    private let loop: EventLoop
    private let inputs: ReceivedInputs
    private let idle: IdleClients
    private let report: (Report) -> Void
    private let events = EventQueue<HostedRun.Event>()
    private var machine: HostedRun
    private var client: DaemonClient?

    /// - Parameter socket: The path of intentd's socket.
    init(
        _ run: FleetRun,
        socket: String,
        inputs: ReceivedInputs,
        idle: IdleClients,
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

    private func handle(_ event: HostedRun.Event) { events.handle(event) { carryOut(machine.handle($0)) } }

    private func carryOut(_ actions: [HostedRun.Action]) {
        for action in actions {
            switch action {
            case .fetch(let files): fetch(files)
            case .connect(let pause): connect(after: pause)
            case .send(let request): send(request)
            case .release:
                if let client { idle.keep(client) }
                client = nil
            case .close:
                client?.close()
                client = nil
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
            client?.send(request)
            return
        }
        do {
            client?.send(request, files: try inputs.open(machine.inputs, of: run))
        } catch {
            handle(.notFetched(message: "this host cannot open a file of the run: \(error)"))
        }
    }

    private func connect(after pause: Duration) {
        if pause == .zero, let client = idle.take(for: machine.user) {
            client.redirect { [weak self] in self?.received($0) }
            self.client = client
            return handle(.connected)
        }
        client = DaemonClient(for: machine.user, socket: socket, after: pause, on: loop) { [weak self] in
            self?.received($0)
        }
    }

    private func received(_ event: DaemonClient.Event) {
        switch event {
        case .greeted: handle(.connected)
        case .refused(let error): handle(.refused(error))
        case .received(let message, _): handle(.received(message))
        case .ended: handle(.disconnected)
        }
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
