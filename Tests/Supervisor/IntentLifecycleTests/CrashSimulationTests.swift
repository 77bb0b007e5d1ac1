import Foundation
import TestSupport
import Testing

/// Schedules in which intentd crashes before or after any of its actions, and another intentd takes over: 5,000 in
/// every run of the tests, 48,000 in a complete `Tests/run`, 100,000 in `Tests/endurance simulation`, and others by
/// `Tests/simulate`.
///
/// A failing seed is printed; `INTENTD_CRASH_SEED=SEED` replays it with its events.
@Suite(.ownThread) struct CrashSimulationTests {
    @Test(arguments: 0..<UInt64(20))
    func `whenever intentd crashes, every accepted run ends exactly once with a true outcome`(_ part: UInt64) {
        var crashCount = 0
        let seeds = Endurance.seeds(of: part, few: 250, more: 2400, many: 5000)
        for seed in seeds {
            var world = CrashWorld(seed: seed)
            world.live(steps: 40)
            crashCount += world.crashCount
            guard world.problems.isEmpty else {
                Issue.record("seed \(seed): \(world.problems.joined(separator: "; "))")
                return
            }
        }
        // A world without crashes would test nothing.
        #expect(crashCount > seeds.count)
    }

    @Test(
        .enabled(
            if: ProcessInfo.processInfo.environment["INTENTD_CRASH_SEED"] != nil,
            "INTENTD_CRASH_SEED names no schedule"
        )
    )
    func `a schedule that failed is replayed with its crashes`() throws {
        let seed = try #require(UInt64(ProcessInfo.processInfo.environment["INTENTD_CRASH_SEED"] ?? ""))
        var world = CrashWorld(seed: seed, keepsLog: true)
        world.live(steps: 40)
        for line in world.log { print(line) }
        #expect(world.problems == [])
    }
}
