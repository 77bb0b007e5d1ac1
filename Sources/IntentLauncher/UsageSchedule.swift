/// Decides when to measure the memory and processor time of a run.
///
/// The first samples are one second apart. The pause then grows with the age of the run, so that a run of any duration
/// has enough samples for a chart, and an old run has few: about 35 after one hour, and 50 after one day.
struct UsageSchedule {
    private static let shortestPause: Int64 = 1_000_000_000
    /// The part of the run's age that passes between two samples.
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

    /// Schedules the next sample after a sample that was taken now.
    mutating func sampled(at now: Int64) { next = now + max(Self.shortestPause, (now - start) / Self.ageDivisor) }
}
