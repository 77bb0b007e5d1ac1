import Glibc
import IntentLinux
import IntentWire

/// Runs of a fleet of one and of two hosts, compared with runs at the same intentd, and with the same server's bare
/// transactions: one that inserts a row, and a loop that inserts a row and removes one with SKIP LOCKED.
enum FleetFigures {
    private static let inFlight = 64

    static func measure(_ workbench: Workbench) throws -> [Figure] {
        guard let database = try BenchmarkDatabase(workbench.programs.folder) else {
            Console.say("fleet: without figures, because PostgreSQL 15 is missing, or the user postgres")
            return []
        }
        let options = workbench.options
        let first = try BenchmarkHost("web1", workbench.programs, database, slots: inFlight)
        var figures = try oneByOne(first, database, options)
        let one = try manyInFlight(first, database, options)
        figures += try cancellations(first, options)
        let second = try BenchmarkHost("web2", workbench.programs, database, slots: inFlight)
        let two = try manyInFlight(first, database, options)
        withExtendedLifetime(second) {}
        func peers(_ rates: Rates) -> [Comparison] {
            [Comparison("intentd here", rates.local, worst: .runsPerSecond)]
        }
        let share = two.rate.summary.flatMap { rate in two.local.summary.map { rate.p50 / $0.p50 * 100 } }
        return figures + [
            Figure("fleet", "\(inFlight) in flight, one host", .runsPerSecond, one.rate)
                .beside([Comparison("SKIP LOCKED loop", one.bare, worst: .runsPerSecond)], peers: peers(one)),
            Figure("fleet", "submit → result, \(inFlight) in flight, one host", .milliseconds, one.latency),
            Figure("fleet", "\(inFlight) in flight, two hosts", .runsPerSecond, two.rate)
                .beside([Comparison("SKIP LOCKED loop", two.bare, worst: .runsPerSecond)], peers: peers(two)),
            Figure("fleet", "submit → result, \(inFlight) in flight, two hosts", .milliseconds, two.latency),
            Figure("fleet", "two hosts' share of the local rate", .percent, value: share, goals: [.atLeast(40)]),
            Figure("fleet", "database: processor time per run", .milliseconds, one.databaseTime),
            Figure("fleet", "database: WAL per run", .kilobytes, one.log),
        ]
    }

    /// One run at a time, in turns with the server's own insertion.
    private static func oneByOne(_ host: BenchmarkHost, _ database: BenchmarkDatabase, _ options: BenchmarkOptions)
        throws
        -> [Figure]
    {
        let here = try host.daemon.connect(), there = try DaemonConnection(to: host.socket)
        var request = try PreparedPerform.trivial(app: "Plain")
        var local = Samples(), shared = Samples(), accepted = Samples(), bare = Samples(), insertion = Samples()
        for _ in 0..<20 { _ = try perform(&request, on: there) }
        let rounds = options.count(5, quick: 2), count = options.count(60, quick: 30)
        for _ in 0..<rounds {
            for _ in 0..<count {
                local.append(nanoseconds: try here.perform(&request))
                let times = try perform(&request, on: there)
                accepted.append(nanoseconds: times.accepted)
                shared.append(nanoseconds: times.ended)
            }
            insertion += try database.insertions(count * 2)
            bare.append(try database.loop(clients: 1, transactions: count).milliseconds)
        }
        return [
            Figure("fleet", "submission by a fleet", .milliseconds, accepted, goals: [.atMost(.p50, 1.5)])
                .beside([Comparison("INSERT and COMMIT", insertion)]),
            Figure("fleet", "submit → result by a fleet", .milliseconds, shared, goals: [.atMost(.p50, 4)])
                .beside(
                    [Comparison("INSERT and COMMIT", insertion), Comparison("SKIP LOCKED loop", bare)],
                    peers: [Comparison("intentd here", local)]
                ),
        ]
    }

    /// The times from the request to the answer that accepts the run, and to the run's end.
    private static func perform(_ request: inout PreparedPerform, on client: DaemonConnection) throws
        -> (accepted: Int64, ended: Int64)
    {
        let number = request.renew()
        let begin = ClockReading.monotonicNanoseconds()
        try client.send(request.frame)
        var run: RunID?
        var accepted: Int64 = 0
        while true {
            switch try client.nextMessage() {
            case .answer(number, .accepted(let accepting)):
                run = accepting
                accepted = ClockReading.monotonicNanoseconds() - begin
            case .answer(_, .refused(let error)): throw BenchmarkError("the fleet refuses: \(error.message)")
            case .event(let event):
                guard event.run == run, case .finished(let end) = event.event else { continue }
                guard case .done = end.outcome else { throw BenchmarkError("a run failed: \(end.outcome)") }
                return (accepted, ClockReading.monotonicNanoseconds() - begin)
            case .answer: continue
            }
        }
    }

    /// From the request to cancel a run that waits, to its recorded end.
    private static func cancellations(_ host: BenchmarkHost, _ options: BenchmarkOptions) throws -> [Figure] {
        let client = try DaemonConnection(to: host.socket)
        var samples = Samples()
        for _ in 0..<options.count(5, quick: 2) {
            var runs: [RunID] = []
            var running: Set<RunID> = []
            let request = PerformRequest(app: "Plain", intent: "Wait", onDisconnect: .cancel)
            for _ in 0..<20 {
                guard case .accepted(let run) = try client.ask(.perform(PerformRequest(again: request))) else {
                    continue
                }
                runs.append(run)
            }
            while running.count < runs.count {
                guard case .event(let event) = try client.nextMessage() else { continue }
                if case .state(.running, _) = event.event { running.insert(event.run) }
            }
            for run in runs {
                let begin = ClockReading.monotonicNanoseconds()
                guard case .ended = try client.ask(.cancel(run: run.text)) else {
                    throw BenchmarkError("a cancelled run did not end")
                }
                samples.append(nanoseconds: ClockReading.monotonicNanoseconds() - begin)
                usleep(Pause.betweenCalls)
            }
        }
        return [
            Figure("fleet", "cancel → recorded end by a fleet", .milliseconds, samples, goals: [.atMost(.p99, 10)])
        ]
    }

    /// What clients that never pause measure, and what they cost the database.
    private struct Rates {
        var local = Samples(), rate = Samples(), bare = Samples(), latency = Samples(), databaseTime = Samples(),
            log = Samples()
    }

    private static func manyInFlight(
        _ host: BenchmarkHost,
        _ database: BenchmarkDatabase,
        _ options: BenchmarkOptions
    ) throws -> Rates {
        let request = try PreparedPerform.trivial(app: "Plain")
        var rates = Rates()
        for _ in 0..<options.count(3, quick: 1) {
            let seconds = options.isQuick ? 1.0 : 3
            rates.local.append(try load(host.daemon.socket, request, seconds: seconds).rate)
            let begin = try database.usage()
            let loaded = try load(host.socket, request, seconds: seconds)
            let end = try database.usage()
            rates.rate.append(loaded.rate)
            rates.latency += loaded.latency
            let count = Double(loaded.latency.count)
            rates.databaseTime.append(Double(end.nanoseconds - begin.nanoseconds) / 1_000_000 / count)
            rates.log.append(Double(end.logBytes - begin.logBytes) / 1000 / count)
            rates.bare.append(try database.loop(clients: 8, transactions: options.count(300, quick: 100)).perSecond)
        }
        return rates
    }

    /// The outcomes per second of clients that never pause, and the time of each.
    private static func load(_ socket: String, _ request: PreparedPerform, seconds: Double) throws
        -> (rate: Double, latency: Samples)
    {
        var request = request
        let clients = try (0..<inFlight).map { _ in try DaemonConnection(to: socket) }
        var sockets = clients.map { pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0) }
        var sent = [Int64](repeating: 0, count: clients.count)
        var latency = Samples()
        let begin = ClockReading.monotonicNanoseconds()
        let stop = begin + Int64(seconds * 1_000_000_000)
        var last = begin
        var openCount = clients.count
        for index in clients.indices {
            request.renew()
            sent[index] = ClockReading.monotonicNanoseconds()
            try clients[index].send(request.frame)
        }
        while openCount > 0 {
            let ready = try syscall("poll") { poll(&sockets, nfds_t(sockets.count), 20_000) }
            guard ready > 0 else { throw BenchmarkError("no run ended within 20 s") }
            for index in clients.indices where sockets[index].revents != 0 {
                try clients[index].receive()
                while let payload = clients[index].bufferedPayload() {
                    guard let isDone = try DaemonConnection.end(in: payload) else { continue }
                    guard isDone else { throw BenchmarkError("a run failed") }
                    last = ClockReading.monotonicNanoseconds()
                    latency.append(nanoseconds: last - sent[index])
                    if last < stop {
                        request.renew()
                        sent[index] = last
                        try clients[index].send(request.frame)
                    } else {
                        openCount -= 1
                    }
                }
            }
        }
        return (Double(latency.count) * 1_000_000_000 / Double(last - begin), latency)
    }
}

extension PerformRequest {
    /// Repeats a request under a new identifier.
    fileprivate init(again request: PerformRequest) {
        self.init(
            app: request.app,
            intent: request.intent,
            values: request.values,
            onDisconnect: request.onDisconnect
        )
    }
}

/// A host of the fleet: an intentd and an intentd-fleet.
final class BenchmarkHost {
    let daemon: BenchmarkDaemon
    private let service: ChildProcess

    init(_ name: String, _ programs: Programs, _ database: BenchmarkDatabase, slots: Int) throws {
        let fleet = ["[App]", "State=no", "[Fleet]", "Fleet=once"]
        daemon = try BenchmarkDaemon(
            programs,
            apps: [BenchmarkDaemon.App(name: "Plain", sandbox: fleet)],
            limits: ["MaxRunsPerUser=\(slots)"],
            agents: ["[Fleet]", "User=\(database.user)"]
        )
        try daemon.admitEverybody()
        service = try database.startService(name, below: daemon.folder.path, intentd: daemon.socket, slots: slots)
        let socket = socket
        try BenchmarkDatabase.wait("\(name) does not offer the app") {
            try database.query("select cardinality(intents) > 0 from fleet.node where name = '\(name)'") == "t"
                && (try? DaemonConnection(to: socket).ask(.describe(app: "Plain"))) != nil
        }
    }

    deinit { BenchmarkDatabase.stop(service) }

    var socket: String { "\(daemon.folder.path)/fleet/clients.sock" }
}
