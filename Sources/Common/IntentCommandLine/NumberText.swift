package import IntentSharedTypes

/// Formats numbers and their bounds for users.
package enum NumberText {
    /// Formats a number. Omits the fraction if the number is whole.
    package static func short(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? String(number)
    }

    /// Formats bounds: `1 to 10`, `at least 1`, `at most 10`. Returns nil if the range has no bounds.
    package static func of(_ range: NumberRange) -> String? {
        switch (range.lowerBound, range.upperBound) {
        case (let lower?, let upper?): "\(short(lower)) to \(short(upper))"
        case (let lower?, nil): "at least \(short(lower))"
        case (nil, let upper?): "at most \(short(upper))"
        case (nil, nil): nil
        }
    }
}
