/// How time passes in a test of runs.
///
/// Time never passes by itself while a run works: see ``IntentTestRun/advance(by:)``.
public struct IntentTestClock: Sendable {
    let clock: VirtualClock?
    /// Whether time also passes without a request of the test.
    let isSkipping: Bool

    /// Time passes only when the test moves it with ``IntentTestRun/advance(by:)``.
    public static let virtual = IntentTestClock(clock: nil, isSkipping: false)

    /// Time passes only when the test moves it, on a clock that the test has created.
    public static func virtual(_ clock: VirtualClock) -> IntentTestClock {
        IntentTestClock(clock: clock, isSkipping: false)
    }

    /// As soon as the run is idle, time moves to the next sleep that ends or limit that expires. It stands still while a
    /// question is open.
    ///
    /// For tests that perform intents with pauses and have no interest in the pauses. A test that cancels its run uses
    /// ``virtual``: here, the run can reach its limit before the test does anything.
    public static let skipping = IntentTestClock(clock: nil, isSkipping: true)

    /// Skips idle time, on a clock that the test has created.
    public static func skipping(_ clock: VirtualClock) -> IntentTestClock {
        IntentTestClock(clock: clock, isSkipping: true)
    }
}
