/// The cost of a thousand live runs for a new run.
enum GrowthFigures {
    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let daemon = try BenchmarkDaemon(
            workbench.programs,
            apps: [.plain, .crowd],
            limits: ManyRuns.limits + ["Runtime=10min"]
        )
        let client = try daemon.connect()
        var request = try PreparedPerform.trivial(app: "Plain")
        let waiting = try PreparedPerform(app: "Crowd", intent: "Wait")
        _ = try SubmitFigures.calls(50, &request, on: client)
        let count = options.count(500, quick: 150)
        var empty = Samples(), full = Samples(), emptyForks = Samples(), fullForks = Samples()
        for _ in 0..<options.count(2, quick: 1) {
            // Measured before and after, so that a change of the host's speed does not look like growth.
            empty += try SubmitFigures.calls(count, &request, on: client)
            emptyForks += try workbench.floor.forks(count / 5)
            let live = LiveRuns(on: try daemon.connect())
            try live.start(Array(repeating: waiting, count: ManyRuns.count))
            try live.pump(for: 500_000_000)
            full += try SubmitFigures.calls(2 * count, &request, on: client)
            fullForks += try workbench.floor.forks(count / 5)
            try live.cancelAll()
            empty += try SubmitFigures.calls(count, &request, on: client)
        }
        let ratio = ratio(full, empty)
        return [
            Figure("growth", "submit → result, no live runs", .milliseconds, empty)
                .beside([Comparison("fork", emptyForks)]),
            Figure("growth", "submit → result, 1,000 live runs", .milliseconds, full)
                .beside([Comparison("fork", fullForks)]),
            Figure("growth", "the second over the first", .ratio, value: ratio, goals: [.atMost(.p50, 1.3)])
                .beside([Comparison("fork", Samples(Self.ratio(fullForks, emptyForks).map { [$0] } ?? []))]),
        ]
    }

    private static func ratio(_ above: Samples, _ below: Samples) -> Double? {
        guard let above = above.summary, let below = below.summary else { return nil }
        return above.p50 / below.p50
    }
}
