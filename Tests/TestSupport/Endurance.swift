import Foundation

/// Whether tests do all that they can, as `Tests/endurance` has them do, or as much as every change can wait for.
package enum Endurance {
    package static let isWhole = ProcessInfo.processInfo.environment["TESTS_ENDURANCE"] == "whole"
}
