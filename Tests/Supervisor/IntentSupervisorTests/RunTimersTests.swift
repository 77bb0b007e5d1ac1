import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd
import Testing

@testable import IntentSupervisor

/// Timers of the kernel, on a real loop.
@Suite(.timeLimit(.minutes(1))) struct RunTimersTests {
    private let parts: SupervisorParts
    private let timers: RunTimers

    init() throws {
        parts = try SupervisorParts()
        timers = RunTimers(
            on: parts.loop,
            journal: parts.journal,
            decisions: parts.decisions,
            workers: parts.workers,
            launcher: parts.launcher,
            observes: true,
            late: { _ in }
        )
    }

    private func instant(afterMilliseconds milliseconds: Int64) -> Now.Instant {
        .monotonic(Now.Monotonic(nanoseconds: ClockReading.monotonicNanoseconds() + milliseconds * 1_000_000))
    }

    /// Runs the loop until that instant.
    private func run(untilMilliseconds milliseconds: Int64) throws {
        let end = ClockReading.monotonicNanoseconds() + milliseconds * 1_000_000
        let timer = try parts.loop.timer(atNanoseconds: end) { [loop = parts.loop] in loop.exit(0) }
        _ = try parts.loop.run()
        withExtendedLifetime(timer) {}
    }

    @Test func `an armed timer causes an event, and a disarmed timer does not`() throws {
        timers.arm(.owner(Sample.run(1)), at: instant(afterMilliseconds: 5))
        timers.arm(.owner(Sample.run(2)), at: instant(afterMilliseconds: 6))
        timers.disarm(.owner(Sample.run(2)))
        try run(untilMilliseconds: 60)
        #expect(parts.performedCount == 1)
    }

    @Test func `a timer that is armed again fires once, at the later instant`() throws {
        timers.arm(.owner(Sample.run(1)), at: instant(afterMilliseconds: 5))
        timers.arm(.owner(Sample.run(1)), at: instant(afterMilliseconds: 40))
        try run(untilMilliseconds: 20)
        #expect(parts.performedCount == 0)
    }

    @Test func `no worker is observed for a limit without a run`() throws {
        timers.arm(.run(Sample.run(1)), at: instant(afterMilliseconds: 5))
        try run(untilMilliseconds: 30)
        #expect(parts.performedCount == 1)
        #expect(try parts.commands().isEmpty)
    }
}
