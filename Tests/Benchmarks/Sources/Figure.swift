/// One line of the table: what was measured, what it shall be, and what others need for the same.
struct Figure: Encodable {
    /// Of the group that is selected on the command line.
    var name: String
    var title: String
    var unit: Unit
    /// The median; the number itself where there is only one.
    var p50: Double?
    var p99: Double?
    var sampleCount = 0
    var goals: [Goal] = []
    /// What the kernel alone needs.
    var floors: [Comparison] = []
    var peers: [Comparison] = []
    /// Load averages of the machine when it was measured.
    var load = ""

    enum Unit: String, Encodable {
        case milliseconds = "ms"
        case runsPerSecond = "runs/s"
        case percentOfCore = "% core"
        case megabytes = "MB"
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

    /// Nil where nothing was measured or there is no goal.
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

/// What a figure shall be.
struct Goal: Encodable {
    enum Measure: String, Encodable { case p50, p99 }

    var measure: Measure
    var bound: Double
    /// True: at least the bound; false: at most.
    var isMinimum = false

    static func atMost(_ measure: Measure, _ bound: Double) -> Goal { Goal(measure: measure, bound: bound) }
    static func atLeast(_ bound: Double) -> Goal { Goal(measure: .p50, bound: bound, isMinimum: true) }
}

/// Somebody else's number for the same.
struct Comparison: Encodable {
    var name: String
    var p50: Double?
    var p99: Double?
    /// Why there is none.
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
