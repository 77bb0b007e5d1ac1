/// Determines how time passes during a test.
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

    /// As soon as the run is idle, the clock advances to the next instant at which a sleep ends or a limit expires. It does
    /// not advance while a question is open.
    ///
    /// Use this clock to test intents with pauses if the test does not examine the pauses. Use ``virtual`` for a test that
    /// cancels its run: with this clock, the run can exceed its limit before the test cancels it.
    public static let skipping = IntentTestClock(clock: nil, isSkipping: true)

    /// Skips idle time on the given clock.
    public static func skipping(_ clock: VirtualClock) -> IntentTestClock {
        IntentTestClock(clock: clock, isSkipping: true)
    }
}
