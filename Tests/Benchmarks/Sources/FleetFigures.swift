import Glibc
import IntentLauncherMessages
import IntentLinux

/// Runs of a fleet of one and of two hosts, compared with runs at the same intentd, with Celery, and with the same
/// server's bare transactions: one that inserts a row, and a loop that inserts a row and removes one with SKIP LOCKED.
enum FleetFigures {
    private static let inFlight = 64

    static func measure(_ workbench: Workbench) throws -> [Figure] {
        guard let database = try BenchmarkDatabase(workbench.programs.folder) else {
            Console.say("fleet: without figures, because PostgreSQL 15 is missing, or the user postgres")
            return []
        }
        return try shortRuns(workbench, database) + stubRuns(workbench, database) + lostHosts(workbench, database)
            + liveRuns(workbench, database)
    }

    private static func stubRuns(_ workbench: Workbench, _ database: BenchmarkDatabase) throws -> [Figure] {
        var rate = Samples(), bare = Samples()
        for _ in 0..<workbench.options.count(3, quick: 1) {
            let seconds = workbench.options.isQuick ? 1.0 : 3
            rate.append(try StubHosts.rate(database, inFlight: inFlight, seconds: seconds))
            bare.append(try database.loop(clients: 8, transactions: 300).perSecond)
        }
        let title = "\(inFlight) in flight, two hosts, stub workers"
        return [
            Figure("fleet", title, .runsPerSecond, rate, goals: [.atLeast(1000)])
                .beside([Comparison("SKIP LOCKED loop", bare, worst: .runsPerSecond)])
        ]
    }

    private static func shortRuns(_ workbench: Workbench, _ database: BenchmarkDatabase) throws -> [Figure] {
        let options = workbench.options
        let celery = PeerGroup([.celery], options)
        let first = try BenchmarkHost("web1", workbench.programs, database, slots: inFlight)
        var figures = try oneByOne(first, database, celery, options)
        let one = try manyInFlight(first, database, celery, options)
        let atCelery = celery.comparisons(worst: .runsPerSecond)
        figures += try cancellations(first, celery, options)
        let second = try BenchmarkHost("web2", workbench.programs, database, slots: inFlight)
        let two = try manyInFlight(first, database, celery, options)
        withExtendedLifetime(second) {}
        func peers(_ rates: Rates) -> [Comparison] {
            [Comparison("intentd here", rates.local, worst: .runsPerSecond)]
        }
        let share = two.rate.summary.flatMap { rate in two.local.summary.map { rate.p50 / $0.p50 * 100 } }
        return figures + [
            Figure("fleet", "\(inFlight) in flight, one host", .runsPerSecond, one.rate)
                .beside(
                    [Comparison("SKIP LOCKED loop", one.bare, worst: .runsPerSecond)],
                    peers: peers(one) + atCelery
                ),
            Figure("fleet", "submit → result, \(inFlight) in flight, one host", .milliseconds, one.latency),
            Figure("fleet", "\(inFlight) in flight, two hosts", .runsPerSecond, two.rate)
                .beside(
                    [Comparison("SKIP LOCKED loop", two.bare, worst: .runsPerSecond)],
                    peers: peers(two) + celery.comparisons(worst: .runsPerSecond)
                ),
            Figure("fleet", "submit → result, \(inFlight) in flight, two hosts", .milliseconds, two.latency),
            Figure("fleet", "two hosts' share of the local rate", .percent, value: share, goals: [.atLeast(40)]),
            Figure("fleet", "database: processor time per run", .milliseconds, one.databaseTime),
            Figure("fleet", "database: WAL per run", .kilobytes, one.log),
        ]
    }

    /// One run at a time, in turns with the server's own insertion and with Celery.
    private static func oneByOne(
        _ host: BenchmarkHost,
        _ database: BenchmarkDatabase,
        _ celery: PeerGroup,
        _ options: BenchmarkOptions
    ) throws -> [Figure] {
        let here = try host.daemon.connect(), there = try DaemonConnection(to: host.socket)
        var request = try PreparedPerform.trivial(app: "Plain")
        var local = Samples(), shared = Samples(), accepted = Samples(), bare = Samples(), insertion = Samples()
        var queued = Samples()
        for _ in 0..<20 { _ = try perform(&request, on: there) }
        let rounds = options.count(5, quick: 2), count = options.count(60, quick: 30)
        for _ in 0..<rounds {
            for _ in 0..<count {
                usleep(Pause.betweenCalls)
                local.append(nanoseconds: try here.perform(&request))
                usleep(Pause.betweenCalls)
                let times = try perform(&request, on: there)
                accepted.append(nanoseconds: times.accepted)
                shared.append(nanoseconds: times.ended)
            }
            queued += try submissions(count, &request, on: there, database)
            insertion += try database.insertions(count * 2)
            celery.measure { "latency \($0.calls)" }
            bare.append(try database.loop(clients: 1, transactions: count).milliseconds)
        }
        return [
            Figure("fleet", "submission by a fleet", .milliseconds, accepted, goals: [.atMost(.p50, 1.5)])
                .beside([Comparison("INSERT and COMMIT", insertion)]),
            Figure("fleet", "submission while no host is free", .milliseconds, queued, goals: [.atMost(.p50, 1.5)])
                .beside([Comparison("INSERT and COMMIT", insertion)]),
            Figure("fleet", "submit → result by a fleet", .milliseconds, shared, goals: [.atMost(.p50, 4)])
                .beside(
                    [Comparison("INSERT and COMMIT", insertion), Comparison("SKIP LOCKED loop", bare)],
                    peers: [Comparison("intentd here", local)] + celery.comparisons()
                ),
        ]
    }

    /// The times of submissions that no host takes before the last one is accepted.
    private static func submissions(
        _ count: Int,
        _ request: inout PreparedPerform,
        on client: DaemonConnection,
        _ database: BenchmarkDatabase
    ) throws -> Samples {
        var samples = Samples()
        try database.drain(true)
        var open: Set<RunID> = []
        for _ in 0..<count {
            let number = request.renew()
            let begin = ClockReading.monotonicNanoseconds()
            try client.send(request.frame)
            let before = open.count
            while open.count == before {
                switch try client.nextMessage() {
                case .answer(number, .accepted(let run)):
                    samples.append(nanoseconds: ClockReading.monotonicNanoseconds() - begin)
                    open.insert(run)
                case .answer(_, .refused(let error)): throw BenchmarkError("the fleet refuses: \(error.message)")
                case .answer, .event: continue
                }
            }
        }
        try database.drain(false)
        while !open.isEmpty {
            if case .event(let event) = try client.nextMessage(), case .finished = event.event {
                open.remove(event.run)
            }
        }
        return samples
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
    private static func cancellations(
        _ host: BenchmarkHost,
        _ celery: PeerGroup,
        _ options: BenchmarkOptions
    ) throws -> [Figure] {
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
            celery.measure("revoke \(options.count(4, quick: 2))")
        }
        return [
            Figure("fleet", "cancel → recorded end by a fleet", .milliseconds, samples, goals: [.atMost(.p99, 10)])
                .beside(peers: celery.comparisons())
        ]
    }

    /// From the end of a killed host's lease to the second attempt of its run on another host.
    private static func lostHosts(_ workbench: Workbench, _ database: BenchmarkDatabase) throws -> [Figure] {
        let lease = 3
        var samples = Samples()
        func host(_ name: String) throws -> BenchmarkHost {
            try BenchmarkHost(name, workbench.programs, database, slots: 1, lease: lease, policy: "retryable")
        }
        func wait(forAttempt number: Int) throws {
            let attempt = "select count(*) from fleet.run where state = 'running' and attempt = \(number)"
            try BenchmarkDatabase.wait("attempt \(number) does not start") { try database.query(attempt) == "1" }
        }
        for _ in 0..<workbench.options.count(8, quick: 2) {
            let lost = try host("web1")
            let request = PerformRequest(app: "Plain", intent: "Wait", onDisconnect: .continue)
            guard case .accepted = try DaemonConnection(to: lost.socket).ask(.perform(request)) else {
                throw BenchmarkError("the fleet refuses a run")
            }
            try wait(forAttempt: 1)
            let other = try host("web2")
            // A host sweeps nothing until it has been connected for a lease.
            sleep(UInt32(lease))
            lost.kill()
            try wait(forAttempt: 2)
            let delay = try database.query(
                """
                select round(extract(epoch from r.started - n.seen - n.lease) * 1e9)::bigint
                from fleet.run r, fleet.node n where n.name = 'web1'
                """
            )
            guard let nanoseconds = Int64(delay) else { throw BenchmarkError("cannot read the delay: \(delay)") }
            samples.append(nanoseconds: nanoseconds)
            _ = try database.query("select fleet.cancel(id, 'userCancelled') from fleet.run")
            try BenchmarkDatabase.wait("the run does not end") {
                try database.query("select count(*) from fleet.run") == "0"
            }
            withExtendedLifetime(other) {}
        }
        return [
            Figure(
                "fleet",
                "end of a lost host's lease → second attempt",
                .milliseconds,
                samples,
                goals: [.atMost(.p99, 500)]
            )
        ]
    }

    /// The cost of a thousand runs that report progress once per second, for the database and for the host's service.
    private static func liveRuns(_ workbench: Workbench, _ database: BenchmarkDatabase) throws -> [Figure] {
        let host = try BenchmarkHost(
            "web1",
            workbench.programs,
            database,
            slots: ManyRuns.count,
            limits: ManyRuns.limits
        )
        let live = LiveRuns(on: try DaemonConnection(to: host.socket))
        let request = try PreparedPerform(app: "Plain", intent: "Tick", values: ["seconds": .int(600)])
        for count in stride(from: 16, through: ManyRuns.count + 15, by: 16) {
            while live.runs.count < min(count, ManyRuns.count) { try live.submit(request) }
            try live.pump(seconds: 60) { live.runningCount == live.runs.count }
        }
        // Wait until the work that follows the starts is done.
        try live.pump(for: 2_000_000_000)
        let (before, begin) = (try database.usage(), ClockReading.monotonicNanoseconds())
        let serviceBefore = ProcessTable.processorNanoseconds(of: host.serviceNumber)
        try live.pump(for: Int64(workbench.options.count(20, quick: 5)) * 1_000_000_000)
        let serviceAfter = ProcessTable.processorNanoseconds(of: host.serviceNumber)
        let (after, duration) = (try database.usage(), Double(ClockReading.monotonicNanoseconds() - begin))
        try live.cancelAll()
        let service = serviceBefore.flatMap { before in
            serviceAfter.map { Double($0 - before) / duration * 100 }
        }
        let share = Double(after.nanoseconds - before.nanoseconds) / duration * 100
        let log = Double(after.logBytes - before.logBytes) / 1000 / (duration / 1_000_000_000)
        return [
            Figure("fleet", "database, 1,000 live runs, a report a second each", .percentOfCore, value: share),
            Figure("fleet", "its WAL each second", .kilobytes, value: log),
            Figure("fleet", "intentd-fleet meanwhile", .percentOfCore, value: service),
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
        _ celery: PeerGroup,
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
            celery.measure { "throughput \(options.count($0.burst, quick: $0.burst / 2))" }
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
