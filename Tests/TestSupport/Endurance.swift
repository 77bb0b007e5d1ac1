import Foundation

/// The extent of long tests.
package enum Endurance {
    /// True in `Tests/endurance`, where tests perform all repetitions. Otherwise, they are quick enough for every
    /// change.
    package static let isWhole = ProcessInfo.processInfo.environment["TESTS_ENDURANCE"] == "whole"
}
