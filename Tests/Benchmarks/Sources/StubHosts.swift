import IntentFleet
import IntentFleetService
import IntentLinux
import IntentProtocol
import IntentSystemd

/// Two hosts of a fleet with stub workers, in this process: each run ends when it starts. What remains is the work of
/// the database, and a host's statements and decisions.
///
/// Use an instance only on the thread that creates it.
final class StubHosts {
    private let loop: EventLoop
    private let stop: Int64
    private let folder: TemporaryFolder
    private var nodes: [FleetNode] = []
    /// For each host, the number of its runs that have not been submitted, because the host could not take them.
    private var waiting: [Int]
    private var openCount: Int
    private var endCount = 0
    private var serial = 0
    private var lastEnd: Int64
    private var problem: String?
    /// Submits after a node's event, because a node cannot submit while it handles one.
    private var deferred: EventSource?
    /// Submits what no node could take, such as before the nodes are connected.
    private var timer: EventSource?

    private static let names = ["web1", "web2"]
    private static let intent = "Stub/Run"

    /// Returns the number of runs that end per second while `inFlight` runs are in progress.
    static func rate(_ database: BenchmarkDatabase, inFlight: Int, seconds: Double) throws -> Double {
        let begin = ClockReading.monotonicNanoseconds()
        let hosts = try StubHosts(database, inFlight: inFlight, stop: begin + Int64(seconds * 1_000_000_000))
        return try hosts.rate(since: begin)
    }

    private init(_ database: BenchmarkDatabase, inFlight: Int, stop: Int64) throws {
        loop = try EventLoop()
        folder = try TemporaryFolder()
        self.stop = stop
        openCount = inFlight
        lastEnd = stop
        waiting = Self.names.map { _ in inFlight / Self.names.count }
        // The epoch of a host's service, which may have had the name before.
        let epoch = try File.text(at: "/proc/sys/kernel/random/boot_id").prefix { $0 != "\n" }
        let settings = NodeSettings(offers: [Self.intent: .init(.once)], slots: inFlight, epoch: String(epoch))
        for (index, name) in Self.names.enumerated() {
            nodes.append(
                try FleetNode(
                    settings,
                    name: name,
                    servers: [database.connection(name)],
                    outbox: EndOutbox(folder: "\(folder.path)/\(name)"),
                    on: loop
                ) { [weak self] request in self?.perform(request, index) }
            )
        }
    }

    private func rate(since begin: Int64) throws -> Double {
        deferred = try loop.deferred { [weak self] in self?.submitWaiting() }
        timer = try loop.timer(atNanoseconds: begin) { [weak self] in self?.timerFired() }
        for node in nodes { try node.open() }
        _ = try loop.run()
        for node in nodes { node.close() }
        if let problem { throw BenchmarkError(problem) }
        return Double(endCount) * 1_000_000_000 / Double(lastEnd - begin)
    }

    private func perform(_ request: FleetNode.Request, _ index: Int) {
        switch request {
        case .start(let run):
            nodes[index].runEnded(FleetRunEnd(run: run.id, attempt: run.attempt, state: .done, result: "{}"))
        case .decided(_, .committed):
            endCount += 1
            lastEnd = ClockReading.monotonicNanoseconds()
            openCount -= 1
            guard lastEnd < stop else {
                if openCount == 0 { loop.exit(0) }
                return
            }
            openCount += 1
            waiting[index] += 1
            do { try deferred?.fireOnce() } catch { fail("cannot submit: \(error)") }
        case .decided(let end, .stale): fail("the result of run \(end.run) is stale")
        case .misnamed(let role): fail("the connection has the role \(role)")
        case .warn(let message): fail(message)
        case .stop, .answer, .connected, .left: break
        }
    }

    private func timerFired() {
        submitWaiting()
        do {
            try timer?.rearm(atNanoseconds: ClockReading.monotonicNanoseconds() + 5_000_000)
        } catch {
            fail("cannot arm a timer: \(error)")
        }
    }

    private func submitWaiting() {
        for (index, node) in nodes.enumerated() {
            while waiting[index] > 0, submit(to: node) { waiting[index] -= 1 }
        }
    }

    private func submit(to node: FleetNode) -> Bool {
        serial += 1
        let arguments = FleetArguments(PerformRequest(app: "Stub", intent: "Run"))
        let key = "stub \(stop) \(serial)"
        let owner = node === nodes[0] ? "root@web1" : "root@web2"
        let submission = ClientStatement.submit(owner: owner, key: key, intent: Self.intent, arguments, spool: nil)
        return node.submit(submission) { [weak self] answer in
            if case .failure(let failure) = answer { self?.fail("\(failure)") }
        }
    }

    private func fail(_ problem: String) {
        self.problem = self.problem ?? problem
        loop.exit(1)
    }
}
