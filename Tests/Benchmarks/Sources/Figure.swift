/// One line of the table: a measurement, its goals, and comparisons.
struct Figure: Encodable {
    /// The name of the group.
    var name: String
    var title: String
    var unit: Unit
    /// The median, or the value itself if there is only one.
    var p50: Double?
    var p99: Double?
    var sampleCount = 0
    var goals: [Goal] = []
    /// The same operation by the kernel alone.
    var floors: [Comparison] = []
    var peers: [Comparison] = []
    /// The load averages of the host during the measurement.
    var load = ""

    enum Unit: String, Encodable {
        case milliseconds = "ms"
        case runsPerSecond = "runs/s"
        case percentOfCore = "% core"
        case percent = "%"
        case kilobytes = "kB"
        case megabytes = "MB"
        case megabytesPerSecond = "MB/s"
        case wakeUps = "wakes/10s"
        case ratio = "×"
    }

    init(_ name: String, _ title: String, _ unit: Unit, _ samples: Samples, goals: [Goal] = []) {
        self.name = name
        self.title = title
        self.unit = unit
        self.goals = goals
        guard let summary = samples.summary else { return }
        p50 = summary.p50
        p99 = unit == .runsPerSecond ? summary.lowest : summary.p99
        if summary.count == 1 { p99 = nil }
        sampleCount = summary.count
    }

    init(_ name: String, _ title: String, _ unit: Unit, value: Double?, goals: [Goal] = []) {
        self.init(name, title, unit, Samples(value.map { [$0] } ?? []), goals: goals)
    }

    /// Nil without a measurement or a goal.
    var isMet: Bool? {
        guard !goals.isEmpty else { return nil }
        var verdict = true
        for goal in goals {
            guard let measured = goal.measure == .p50 ? p50 : p99 else { return nil }
            verdict = verdict && (goal.isMinimum ? measured >= goal.bound : measured <= goal.bound)
        }
        return verdict
    }

    func beside(_ floors: [Comparison] = [], peers: [Comparison] = []) -> Figure {
        var figure = self
        figure.floors = floors
        figure.peers = peers
        return figure
    }

    private enum Key: String, CodingKey {
        case name, title, unit, p50, p99, sampleCount, goals, isMet, floors, peers, load
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(title, forKey: .title)
        try container.encode(unit, forKey: .unit)
        try container.encodeIfPresent(p50, forKey: .p50)
        try container.encodeIfPresent(p99, forKey: .p99)
        try container.encode(sampleCount, forKey: .sampleCount)
        try container.encode(goals, forKey: .goals)
        try container.encodeIfPresent(isMet, forKey: .isMet)
        try container.encode(floors, forKey: .floors)
        try container.encode(peers, forKey: .peers)
        try container.encode(load, forKey: .load)
    }
}

/// A bound that a figure should meet.
struct Goal: Encodable {
    enum Measure: String, Encodable { case p50, p99 }

    var measure: Measure
    var bound: Double
    /// True for a lower bound, false for an upper bound.
    var isMinimum = false

    static func atMost(_ measure: Measure, _ bound: Double) -> Goal { Goal(measure: measure, bound: bound) }
    static func atLeast(_ bound: Double) -> Goal { Goal(measure: .p50, bound: bound, isMinimum: true) }
}

/// The measurement of a floor or a peer.
struct Comparison: Encodable {
    var name: String
    var p50: Double?
    var p99: Double?
    /// The reason why it was not measured.
    var problem: String?

    init(_ name: String, _ samples: Samples, worst: Figure.Unit? = nil) {
        self.name = name
        let summary = samples.summary
        p50 = summary?.p50
        p99 = worst == .runsPerSecond ? nil : summary?.p99
        if summary?.count == 1 { p99 = nil }
    }

    init(_ name: String, problem: String) {
        self.name = name
        self.problem = problem
    }
}
