package import IntentWire

/// Decides when a change of progress is reported: at once, then at most every 50 ms, and never the same report twice.
///
/// Times are nanoseconds of CLOCK_MONOTONIC.
package struct ProgressPacer: Sendable {
    package static let spacing: Int64 = 50_000_000
    /// The interval at which children are sampled, because their changes are not observed.
    package static let sampleInterval: Int64 = 200_000_000

    package private(set) var lastReport: ProgressReport?
    private var isChanged = false
    private var isSampling = false
    private var lookedAt: Int64?

    package init() {}

    /// Notes what happened since the last call.
    package mutating func update(isChanged changed: Bool, hasUnfinishedChildren: Bool, at now: Int64) {
        if changed { isChanged = true }
        // One more sample follows the last child's completion.
        if isSampling || hasUnfinishedChildren, elapsed(at: now) >= Self.sampleInterval { isChanged = true }
        isSampling = hasUnfinishedChildren
    }

    package func isDue(at now: Int64) -> Bool { isChanged && elapsed(at: now) >= Self.spacing }

    /// The report if it differs from the last one; nil otherwise.
    package mutating func reportToSend(_ report: ProgressReport, at now: Int64) -> ProgressReport? {
        isChanged = false
        lookedAt = now
        return report == lastReport ? nil : report
    }

    package mutating func sent(_ report: ProgressReport) {
        lastReport = report
    }

    /// Notes that the socket was full: the change is still to be reported.
    package mutating func notSent() {
        isChanged = true
    }

    /// The time in nanoseconds until a report may be due; nil when none is due before the next change.
    package func nextLook(at now: Int64) -> Int64? {
        if isChanged { return max(0, Self.spacing - elapsed(at: now)) }
        if isSampling { return max(0, Self.sampleInterval - elapsed(at: now)) }
        return nil
    }

    private func elapsed(at now: Int64) -> Int64 { lookedAt.map { now - $0 } ?? .max }
}
