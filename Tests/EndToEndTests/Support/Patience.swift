import Foundation

/// The factor by which the time limits of the tests are extended on slow machines.
enum Patience {
    /// The value of `INTENTD_TESTS_PATIENCE`, or 1. An emulated processor is many times slower.
    static let factor = max(1, ProcessInfo.processInfo.environment["INTENTD_TESTS_PATIENCE"].flatMap { Int($0) } ?? 1)
}
