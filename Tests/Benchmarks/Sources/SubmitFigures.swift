import Glibc

/// From a client's wish to the end of its run, one client, a pause between calls.
enum SubmitFigures {
    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [.plain, .withoutSpares])
        let client = try daemon.connect()
        var warm = try PreparedPerform.trivial(app: "Plain")
        var cold = try PreparedPerform.trivial(app: "NoSpares")
        // Catalogues, fork servers and the first spare workers come with the first calls.
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
        // The first half brings the app into steady use, the second is measured.
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
                "the same, in steady use",
                .milliseconds,
                steady,
                goals: [.atMost(.p50, 0.5), .atMost(.p99, 3)]
            ).beside(floors),
            Figure("submit", "the same, 4 calls a second", .milliseconds, seldom).beside(floors),
            Figure("submit", "submit → result, Spare=0", .milliseconds, forked, goals: [.atMost(.p50, 1.5)])
                .beside(floors),
        ]
    }

    /// Calls one after the other.
    static func calls(
        _ count: Int,
        _ wish: inout PreparedPerform,
        on client: DaemonConnection,
        pauseMicroseconds: UInt32 = Pause.betweenCalls
    ) throws -> Samples {
        var samples = Samples(room: count)
        for _ in 0..<count {
            usleep(pauseMicroseconds)
            samples.append(nanoseconds: try client.perform(&wish))
        }
        return samples
    }
}
