package import IntentWire

/// Decides when to report a change of progress: at once, then at most every 50 ms, and never the same report twice.
///
/// All times are nanoseconds of CLOCK_MONOTONIC.
package struct ProgressPacer: Sendable {
    /// The minimum interval between two reports.
    package static let spacing: Int64 = 50_000_000
    /// The interval at which child progress is sampled, because its changes are not observed.
    package static let sampleInterval: Int64 = 200_000_000

    package private(set) var lastReport: ProgressReport?
    private var isChanged = false
    private var isSampling = false
    private var lastCheck: Int64?

    package init() {}

    /// Records what has changed since the last call.
    package mutating func update(isChanged changed: Bool, hasUnfinishedChildren: Bool, at now: Int64) {
        if changed { isChanged = true }
        // One more sample follows the last child's completion.
        if isSampling || hasUnfinishedChildren, elapsed(at: now) >= Self.sampleInterval { isChanged = true }
        isSampling = hasUnfinishedChildren
    }

    package func isDue(at now: Int64) -> Bool { isChanged && elapsed(at: now) >= Self.spacing }

    /// Returns the report if it differs from the last one sent; otherwise nil.
    package mutating func reportToSend(_ report: ProgressReport, at now: Int64) -> ProgressReport? {
        isChanged = false
        lastCheck = now
        return report == lastReport ? nil : report
    }

    package mutating func sent(_ report: ProgressReport) {
        lastReport = report
    }

    /// Records that the socket was full, so that the change is reported later.
    package mutating func notSent() {
        isChanged = true
    }

    /// Returns the time until a report may be due; nil if none is due before the next change.
    package func nextDelay(at now: Int64) -> Int64? {
        if isChanged { return max(0, Self.spacing - elapsed(at: now)) }
        if isSampling { return max(0, Self.sampleInterval - elapsed(at: now)) }
        return nil
    }

    private func elapsed(at now: Int64) -> Int64 { lastCheck.map { now - $0 } ?? .max }
}
