package import IntentWire

/// When a change of progress is to be reported: at once, then at most every 50 ms, and never twice the same.
///
/// Times are nanoseconds of CLOCK_MONOTONIC.
package struct ProgressPacer: Sendable {
    package static let spacing: Int64 = 50_000_000
    /// How often children are looked at, which change without telling.
    package static let sampleInterval: Int64 = 200_000_000

    package private(set) var lastReport: ProgressReport?
    private var isChanged = false
    private var isSampling = false
    private var lookedAt: Int64?

    package init() {}

    /// Takes in what happened since the last call.
    package mutating func update(isChanged changed: Bool, hasUnfinishedChildren: Bool, at now: Int64) {
        if changed { isChanged = true }
        // Once more after the last child has finished.
        if isSampling || hasUnfinishedChildren, elapsed(at: now) >= Self.sampleInterval { isChanged = true }
        isSampling = hasUnfinishedChildren
    }

    package func isDue(at now: Int64) -> Bool { isChanged && elapsed(at: now) >= Self.spacing }

    /// The current report when it is to be sent; nil when it was sent before.
    package mutating func take(_ report: ProgressReport, at now: Int64) -> ProgressReport? {
        isChanged = false
        lookedAt = now
        return report == lastReport ? nil : report
    }

    package mutating func sent(_ report: ProgressReport) {
        lastReport = report
    }

    /// The socket was full: the change is still to be reported.
    package mutating func notSent() {
        isChanged = true
    }

    /// When to look again, or nil when only a change can bring news.
    package func nextLook(at now: Int64) -> Int64? {
        if isChanged { return max(0, Self.spacing - elapsed(at: now)) }
        if isSampling { return max(0, Self.sampleInterval - elapsed(at: now)) }
        return nil
    }

    private func elapsed(at now: Int64) -> Int64 { lookedAt.map { now - $0 } ?? .max }
}
