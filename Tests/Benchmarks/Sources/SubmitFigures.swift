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
        var spare = Samples(), forked = Samples(), forks = Samples(), trips = Samples()
        let rounds = options.count(20, quick: 6)
        for round in 0..<rounds {
            spare += try calls(75, &warm, on: client)
            forks += try workbench.floor.forks(50)
            forked += try calls(50, &cold, on: client)
            trips += try workbench.floor.roundTrips(50)
            if round % options.count(2, quick: 3) == 0 { peers.measure { "latency \($0.calls)" } }
        }
        let floors = [Comparison("fork", forks), Comparison("socket", trips)]
        let compared = peers.comparisons()
        // The first half brings the app into steady use; the second half is measured.
        let steadyCount = options.count(1000, quick: 300)
        _ = try calls(steadyCount, &warm, on: client)
        let steady = try calls(steadyCount, &warm, on: client)
        let seldom = try calls(options.count(40, quick: 12), &warm, on: client, pauseMicroseconds: 250_000)
        return [
            Figure(
                "submit",
                "submit → result, spares ready",
                .milliseconds,
                spare,
                goals: [.atMost(.p50, 0.8), .atMost(.p99, 3)]
            ).beside(floors, peers: compared),
            Figure(
                "submit",
                "submit → result, in steady use",
                .milliseconds,
                steady,
                goals: [.atMost(.p50, 0.5), .atMost(.p99, 3)]
            ).beside(floors),
            Figure("submit", "submit → result, 4 calls per second", .milliseconds, seldom).beside(floors),
            Figure("submit", "submit → result, Spare=0", .milliseconds, forked, goals: [.atMost(.p50, 1.5)])
                .beside(floors),
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
