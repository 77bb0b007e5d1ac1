package import IntentProtocol

/// How far the runs of history are exported as traces. History itself keeps what is not exported yet, so that a crash or a
/// collector that cannot be reached loses nothing within ``pendingLimit``.
package struct TraceCursor: Equatable, Sendable, Codable {
    /// The maximum number of runs that wait for their end or for the collector. The oldest ones are left out.
    package static let pendingLimit = 10_000

    private struct Pending: Equatable, Sendable, Codable {
        var number: Int64
        var run: RunID
    }

    /// The number of the newest run that was seen; nil before the first look. Runs from before are not exported.
    package private(set) var mark: Int64?
    /// The runs that are not exported, the oldest first.
    private var pending: [Pending] = []

    package init() {}

    /// Notes the runs that were accepted since the last look.
    ///
    /// - Parameter runs: The runs with a larger number than ``mark``, in any order; before the first look, the newest run.
    /// - Returns: The number of runs that are left out.
    package mutating func saw(_ runs: [RecordedRun]) -> Int {
        defer { mark = max(mark ?? 0, runs.map(\.number).max() ?? 0) }
        guard let mark else { return 0 }
        let new = runs.filter { $0.number > mark && $0.isImported != true }.sorted { $0.number < $1.number }
        pending += new.map { Pending(number: $0.number, run: $0.run) }
        let excess = max(0, pending.count - Self.pendingLimit)
        pending.removeFirst(excess)
        return excess
    }

    package var isEmpty: Bool { pending.isEmpty }

    /// Returns the oldest runs that wait and have ended.
    ///
    /// - Parameter live: The numbers of the runs that have not ended. They must have been read after the runs that
    ///   ``saw(_:)`` received.
    package func ended(live: Set<Int64>, count: Int) -> [RunID] {
        Array(pending.lazy.filter { !live.contains($0.number) }.map(\.run).prefix(count))
    }

    /// Notes runs that the collector has received, or that it refuses.
    package mutating func exported(_ runs: [RunID]) {
        let runs = Set(runs)
        pending.removeAll { runs.contains($0.run) }
    }
}
