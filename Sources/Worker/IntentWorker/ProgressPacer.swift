package import IntentSharedTypes

/// Decides when to report a change of progress: the first change immediately, later changes at most every 50 ms, and
/// never the same report twice.
///
/// All times are in nanoseconds of CLOCK_MONOTONIC.
package struct ProgressPacer: Sendable {
    /// The minimum interval between two reports.
    package static let spacing: Int64 = 50_000_000
    /// The interval at which child progress is sampled, because its changes cannot be observed.
    package static let sampleInterval: Int64 = 200_000_000

    package private(set) var lastReport: ProgressReport?
    private var isChanged = false
    private var isSampling = false
    private var lastCheck: Int64?

    package init() {}

    /// Records whether progress has changed since the previous call.
    package mutating func update(isChanged changed: Bool, hasUnfinishedChildren: Bool, at now: Int64) {
        if changed { isChanged = true }
        // Take one more sample after the last child has completed.
        if isSampling || hasUnfinishedChildren, elapsed(at: now) >= Self.sampleInterval { isChanged = true }
        isSampling = hasUnfinishedChildren
    }

    package func isDue(at now: Int64) -> Bool { isChanged && elapsed(at: now) >= Self.spacing }

    /// Returns the report if it differs from the last report that was sent; otherwise nil.
    package mutating func reportToSend(_ report: ProgressReport, at now: Int64) -> ProgressReport? {
        isChanged = false
        lastCheck = now
        return report == lastReport ? nil : report
    }

    package mutating func sent(_ report: ProgressReport) {
        lastReport = report
    }

    /// Records that the report was not sent because the socket was full. The change is reported later.
    package mutating func notSent() {
        isChanged = true
    }

    /// Returns the time until the next report may be due; nil if no report is due before the next change.
    package func nextDelay(at now: Int64) -> Int64? {
        if isChanged { return max(0, Self.spacing - elapsed(at: now)) }
        if isSampling { return max(0, Self.sampleInterval - elapsed(at: now)) }
        return nil
    }

    private func elapsed(at now: Int64) -> Int64 { lastCheck.map { now - $0 } ?? .max }
}
