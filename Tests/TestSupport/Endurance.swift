import Foundation

/// The extent of long tests.
package enum Endurance {
    /// True in `Tests/endurance`, where tests perform all repetitions. Otherwise, they are quick enough for every
    /// change.
    package static let isWhole = extent == "whole"

    /// True in a complete `Tests/run`, as in continuous integration. Other calls of the test runner, by which a developer waits
    /// for the result, simulate fewer schedules.
    package static let isCompleteRun = extent == "run"

    private static let extent = ProcessInfo.processInfo.environment["TESTS_ENDURANCE"]
}

extension Endurance {
    /// The seeds of a part of simulated schedules.
    ///
    /// `Tests/simulate` chooses others with TESTS_SCHEDULES: the first seed, and the number of seeds of each part.
    ///
    /// - Parameters:
    ///   - part: The number of the part, from 0.
    ///   - few: The number of seeds of each part in every run of the tests.
    ///   - more: The number in a complete `Tests/run`. All suites together have 100,000 schedules there.
    ///   - many: The number in `Tests/endurance`.
    package static func seeds(of part: UInt64, few: UInt64, more: UInt64, many: UInt64) -> Range<UInt64> {
        let words = (ProcessInfo.processInfo.environment["TESTS_SCHEDULES"] ?? "").split(separator: " ")
        let numbers = words.compactMap { UInt64($0) }
        let count = numbers.count == 2 ? numbers[1] : isWhole ? many : isCompleteRun ? more : few
        let first = (numbers.count == 2 ? numbers[0] : 0) + part * count
        return first..<first + count
    }
}

extension Endurance {
    /// The first seed of a loop of kills, and the number of kills after which the loop ends.
    ///
    /// `Tests/endurance shortcuts` chooses others with TESTS_KILLS, so that a call continues where the last one stopped.
    package static func kills(few: Int, many: Int) -> (seed: UInt64, count: Int) {
        let words = (ProcessInfo.processInfo.environment["TESTS_KILLS"] ?? "").split(separator: " ")
        if words.count == 2, let seed = UInt64(words[0]), let count = Int(words[1]) {
            return (seed, count)
        }
        return (1, isWhole ? many : few)
    }
}
