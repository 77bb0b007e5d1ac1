extension Duration {
    /// The duration in whole milliseconds, rounded towards zero. A value that does not fit is clamped.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return carry ? .max : sum
    }

    /// The duration in whole microseconds, rounded towards zero. A value that does not fit is clamped.
    package var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return carry ? .max : sum
    }

    /// The duration in whole milliseconds, rounded up, so that a short duration never becomes zero.
    package var wholeMilliseconds: Int64 {
        let rest = components.attoseconds % 1_000_000_000_000_000
        return rest > 0 && milliseconds < .max ? milliseconds + 1 : milliseconds
    }
}
