/// The way in which time passes during a test.
///
/// Time never passes while a run is working: see ``IntentTestRun/advance(by:)``.
public struct IntentTestClock: Sendable {
    let clock: VirtualClock?
    /// True if the clock advances automatically while the run is idle.
    let isSkipping: Bool

    /// Time passes only when the test moves it with ``IntentTestRun/advance(by:)``.
    public static let virtual = IntentTestClock(clock: nil, isSkipping: false)

    /// Time passes only when the test moves the given clock.
    public static func virtual(_ clock: VirtualClock) -> IntentTestClock {
        IntentTestClock(clock: clock, isSkipping: false)
    }

    /// The clock advances to the next end of a sleep or limit as soon as the run is idle. It does not advance while a
    /// question is open.
    ///
    /// Use this clock for tests that perform intents with pauses and do not examine the pauses. Use ``virtual`` for a
    /// test that cancels its run: with this clock, the run can reach its limit before the test does anything.
    public static let skipping = IntentTestClock(clock: nil, isSkipping: true)

    /// Skips idle time on the given clock.
    public static func skipping(_ clock: VirtualClock) -> IntentTestClock {
        IntentTestClock(clock: clock, isSkipping: true)
    }
}
