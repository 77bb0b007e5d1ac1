/// Decides when to measure the memory and processor time of a run.
///
/// The first samples are one second apart. The pause then grows with the age of the run, so that a short run has enough
/// samples for a chart and a long run does not have too many: about 35 after one hour, and 50 after one day.
struct UsageSchedule {
    private static let shortestPause: Int64 = 1_000_000_000
    /// The pause between two samples is the run's age divided by this number.
    private static let ageDivisor: Int64 = 4

    /// The start of the run on CLOCK_MONOTONIC, in nanoseconds.
    private let start: Int64
    /// The earliest time of the next sample.
    private(set) var next: Int64

    init(start: Int64) {
        self.start = start
        next = start + Self.shortestPause
    }

    func isDue(at now: Int64) -> Bool { now >= next }

    /// Schedules the next sample. Call this method after each sample.
    mutating func sampled(at now: Int64) { next = now + max(Self.shortestPause, (now - start) / Self.ageDivisor) }
}
