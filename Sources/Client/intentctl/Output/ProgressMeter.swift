import IntentLinux

/// Formats progress as one line: the percentage, counts, rate, remaining time and the app's own description.
///
/// All times are on a monotonic clock.
package struct ProgressMeter: Sendable {
    /// What the units of a run's progress are.
    package enum Units: Sendable {
        /// Units of an app. The time that the others took tells when the rest will be done.
        case parts
        /// Steps of a shortcut, which have no time in common: neither a rate nor a remaining time is shown.
        case steps
    }

    private struct Sample: Sendable {
        var units: Int64
        var time: Duration
    }

    private var first: Sample?
    private var last: Sample?
    private var progress: ProgressReport?
    private let units: Units

    package init(_ units: Units = .parts) {
        self.units = units
    }

    package var isEmpty: Bool { progress == nil }

    package mutating func report(_ progress: ProgressReport, at now: Duration) {
        let sample = Sample(units: progress.completedUnitCount, time: now)
        // Restart the measurement if the count has decreased. Otherwise, the rate would be too low.
        if let last, last.units > sample.units { first = nil }
        if first == nil { first = sample }
        last = sample
        self.progress = progress
    }

    /// Returns the line for a terminal with the given number of columns.
    package func bar(columns: Int) -> String {
        guard let progress else { return "" }
        let words = words(of: progress)
        var numbers = numbers(of: progress)
        if progress.totalUnitCount > 0, columns >= 60 {
            let width = min(24, columns / 4)
            let filled = Int(share(of: progress) * Double(width))
            let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
            numbers = "[\(bar)] \(numbers)"
        }
        let line = words.isEmpty ? numbers : "\(numbers)  \(words)"
        // Leave the last column empty, because some terminals wrap as soon as it is written.
        return DisplayWidth.fit(line, in: max(1, columns - 1))
    }

    /// The line for a pipe or a log.
    package var plain: String {
        guard let progress else { return "" }
        let words = words(of: progress)
        return "progress: " + numbers(of: progress) + (words.isEmpty ? "" : "  \(words)")
    }

    private func words(of progress: ProgressReport) -> String {
        [progress.title, progress.detail]
            .compactMap { $0.map(SafeText.line) }
            .filter { !$0.isEmpty }
            .joined(separator: " - ")
    }

    private func numbers(of progress: ProgressReport) -> String {
        let completed = progress.completedUnitCount
        let total = progress.totalUnitCount
        var parts = total > 0 ? ["\(Int(share(of: progress) * 100))%", "\(completed)/\(total)"] : ["\(completed) done"]
        if let rate = unitsPerSecond, rate > 0 {
            parts.append("\(Self.short(rate))/s")
            if total > completed {
                let seconds = (Double(total) - Double(completed)) / rate
                // Omit an estimate of more than 100 days, which is meaningless.
                if seconds < 8_640_000 { parts.append("ETA \(TimeSpan.format(.seconds(seconds.rounded(.up))))") }
            }
        }
        return parts.joined(separator: "  ")
    }

    /// Returns the completed fraction, clamped to the range from 0 to 1.
    private func share(of progress: ProgressReport) -> Double {
        progress.fraction.isFinite ? min(1, max(0, progress.fraction)) : 0
    }

    /// The rate in units per second; nil during the first half second, and for steps.
    private var unitsPerSecond: Double? {
        guard units == .parts, let first, let last, last.time - first.time >= .milliseconds(500) else { return nil }
        // Compute in floating point, because the difference of two counts from an app could overflow an integer.
        return (Double(last.units) - Double(first.units)) / ((last.time - first.time) / .seconds(1))
    }

    private static func short(_ number: Double) -> String {
        let units: [(Double, String)] = [(1e9, "G"), (1e6, "M"), (1e3, "k")]
        for (size, name) in units where number >= size { return tenths(number / size) + name }
        return tenths(number)
    }

    private static func tenths(_ number: Double) -> String {
        number >= 100 ? "\(Int64(min(number, 1e15)))" : "\((number * 10).rounded() / 10)"
    }
}
