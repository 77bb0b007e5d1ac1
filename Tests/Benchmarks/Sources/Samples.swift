/// The measured values of all trials.
struct Samples {
    private var values: [Double] = []

    init(_ values: [Double] = []) {
        self.values = values
    }

    /// Reserves capacity, so that measuring does not allocate.
    init(room: Int) {
        values.reserveCapacity(room)
    }

    var count: Int { values.count }

    mutating func append(_ value: Double) { values.append(value) }

    mutating func append(nanoseconds: Int64) { values.append(Double(nanoseconds) / 1_000_000) }

    static func += (left: inout Samples, right: Samples) { left.values += right.values }

    var summary: Summary? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        // The nearest rank, which is always a measured value.
        func quantile(_ share: Double) -> Double {
            sorted[min(sorted.count - 1, max(0, Int((Double(sorted.count) * share).rounded(.up)) - 1))]
        }
        return Summary(p50: quantile(0.5), p99: quantile(0.99), lowest: sorted[0], count: sorted.count)
    }

    /// The quantiles of the samples.
    struct Summary: Codable {
        var p50: Double
        var p99: Double
        var lowest: Double
        var count: Int
    }
}
