import Foundation

/// How much longer than on a usual machine the tests wait before they give up.
enum Patience {
    /// `INTENTD_TESTS_PATIENCE=N` multiplies each of the limits: a processor that is emulated takes many times as long.
    static let factor = max(1, ProcessInfo.processInfo.environment["INTENTD_TESTS_PATIENCE"].flatMap { Int($0) } ?? 1)
}
