extension Duration {
    /// The duration in whole milliseconds, rounded towards zero. A value that does not fit is clamped.
    package var milliseconds: Int64 { count(perSecond: 1000) }

    /// The duration in whole microseconds, rounded towards zero. A value that does not fit is clamped.
    package var microseconds: Int64 { count(perSecond: 1_000_000) }

    @inline(__always)
    private func count(perSecond units: Int64) -> Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: units)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carry) = product.addingReportingOverflow(attoseconds / (1_000_000_000_000_000_000 / units))
        return carry ? .max : sum
    }

    /// The duration in whole milliseconds, rounded up, so that a short duration never becomes zero.
    package var wholeMilliseconds: Int64 {
        let rest = components.attoseconds % 1_000_000_000_000_000
        return rest > 0 && milliseconds < .max ? milliseconds + 1 : milliseconds
    }
}
