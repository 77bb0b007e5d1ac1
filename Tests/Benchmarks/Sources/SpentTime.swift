/// The processor time that each process involved uses per run.
struct SpentTime {
    private let daemon: Int32
    private let launcher: Int32?
    private let servers: [Int32]
    private var before: [Int64?] = []
    private var spent: [Samples]

    private static let titles = ["intentd", "the launcher", "fork servers", "the worker, from fork to exit"]

    init(on daemon: BenchmarkDaemon) {
        self.daemon = daemon.number
        let family = daemon.family
        launcher = family.first { $0.name == "intentd-launche" }?.number
        servers = family.filter { $0.name == "intentd-fork" }.map(\.number)
        spent = Array(repeating: Samples(), count: Self.titles.count)
    }

    mutating func begin() { before = now() }

    /// Ends a measurement during which `count` runs were performed.
    mutating func end(after count: Int) {
        for (index, pair) in zip(before, now()).enumerated() {
            guard let before = pair.0, let after = pair.1, count > 0 else { continue }
            spent[index].append(Double(after - before) / 1_000_000 / Double(count))
        }
    }

    var figures: [Figure] {
        zip(Self.titles, spent).map { title, samples in
            Figure("rate", "processor time per run: \(title)", .milliseconds, value: samples.summary?.p50)
        }
    }

    private func now() -> [Int64?] {
        [
            ProcessTable.processorNanoseconds(of: daemon), launcher.flatMap(ProcessTable.processorNanoseconds),
            servers.reduce(0) { $0 + (ProcessTable.processorNanoseconds(of: $1) ?? 0) },
            launcher.flatMap(ProcessTable.endedChildrenNanoseconds),
        ]
    }
}
