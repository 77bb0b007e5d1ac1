/// A test's clock, which determines how time passes.
///
/// Time never passes while a run is working: see ``IntentTestRun/advance(by:)``.
public struct IntentTestClock: Sendable {
    let clock: VirtualClock?
    /// True if the clock advances automatically while the run is idle.
    let isSkipping: Bool

    /// A clock that advances only when the test calls ``IntentTestRun/advance(by:)``.
    public static let virtual = IntentTestClock(clock: nil, isSkipping: false)

    /// Returns a test clock that advances the given clock only when the test moves it.
    public static func virtual(_ clock: VirtualClock) -> IntentTestClock {
        IntentTestClock(clock: clock, isSkipping: false)
    }

    /// A clock that, as soon as the run is idle, advances to the next instant at which a sleep ends or a limit expires.
    /// It does not advance while a question is open.
    ///
    /// Use this clock to test intents with pauses if the test does not examine the pauses. Use ``virtual`` for a test
    /// that cancels its run: with a skipping clock, the run can exceed its limit before the test cancels it.
    public static let skipping = IntentTestClock(clock: nil, isSkipping: true)

    /// Returns a test clock that advances the given clock as soon as the run is idle; see ``skipping``.
    public static func skipping(_ clock: VirtualClock) -> IntentTestClock {
        IntentTestClock(clock: clock, isSkipping: true)
    }
}
