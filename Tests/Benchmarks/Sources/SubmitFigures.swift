import Glibc

/// The latency of a run, with one client that pauses between calls.
enum SubmitFigures {
    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [.plain, .withoutSpares])
        let client = try daemon.connect()
        var warm = try PreparedPerform.trivial(app: "Plain")
        var cold = try PreparedPerform.trivial(app: "NoSpares")
        // The first calls create catalogues, fork servers and spares.
        _ = try calls(20, &warm, on: client)
        _ = try calls(20, &cold, on: client)

        let peers = PeerGroup([.celery, .celeryFresh, .rq], options)
        var spare = Samples(), forked = Samples(), forks = Samples(), executions = Samples(), trips = Samples()
        let rounds = options.count(20, quick: 6)
        for round in 0..<rounds {
            spare += try calls(75, &warm, on: client)
            forks += try workbench.floor.forks(50)
            executions += try workbench.floor.executions(25)
            forked += try calls(50, &cold, on: client)
            trips += try workbench.floor.roundTrips(50)
            if round % options.count(2, quick: 3) == 0 { peers.measure { "latency \($0.calls)" } }
        }
        let floors = [Comparison("fork", forks), Comparison("exec", executions), Comparison("socket", trips)]
        /// The goals for a run: a multiple of the fork of the same table, and a p99 of three times the median.
        func goals(_ multiple: Double, _ samples: Samples) -> [Goal] {
            guard let fork = forks.summary?.p50, let median = samples.summary?.p50 else { return [] }
            return [.atMost(.p50, multiple * fork), .atMost(.p99, 3 * median)]
        }
        let ratio = spare.summary.flatMap { spare in executions.summary.map { spare.p50 / $0.p50 } }
        let compared = peers.comparisons()
        // The first half brings the app into steady use; the second half is measured.
        let steadyCount = options.count(1000, quick: 300)
        _ = try calls(steadyCount, &warm, on: client)
        let steady = try calls(steadyCount, &warm, on: client)
        let seldom = try calls(options.count(40, quick: 12), &warm, on: client, pauseMicroseconds: 250_000)
        return [
            Figure("submit", "submit → result, spares ready", .milliseconds, spare, goals: goals(0.7, spare))
                .beside(floors, peers: compared),
            Figure("submit", "submit → result, in steady use", .milliseconds, steady, goals: goals(0.6, steady))
                .beside(floors),
            Figure("submit", "submit → result, 4 calls per second", .milliseconds, seldom).beside(floors),
            Figure("submit", "submit → result, Spare=0", .milliseconds, forked, goals: goals(1.6, forked))
                .beside(floors),
            Figure("submit", "spares ready, relative to exec", .ratio, value: ratio, goals: [.atMost(.p50, 1)]),
        ]
    }

    /// Measures successive calls.
    static func calls(
        _ count: Int,
        _ request: inout PreparedPerform,
        on client: DaemonConnection,
        pauseMicroseconds: UInt32 = Pause.betweenCalls
    ) throws -> Samples {
        var samples = Samples(room: count)
        for _ in 0..<count {
            usleep(pauseMicroseconds)
            samples.append(nanoseconds: try client.perform(&request))
        }
        return samples
    }
}
