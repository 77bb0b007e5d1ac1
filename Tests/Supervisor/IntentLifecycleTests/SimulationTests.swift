import Foundation
import TestSupport
import Testing

/// Schedules of modelled clients, workers and launcher: 5,000 in every run of the tests, 48,000 in a complete `Tests/run`, 100,000
/// by `Tests/endurance simulation`, and others by `Tests/simulate`.
///
/// A failing seed is printed; `INTENTD_SEED=SEED Tests/run --filter SimulationTests` replays it with its events.
@Suite(.ownThread) struct SimulationTests {
    @Test(arguments: 0..<UInt64(20))
    func `in any order of events, the promises of a run are kept`(_ part: UInt64) {
        for seed in Endurance.seeds(of: part, few: 250, more: 2400, many: 5000) {
            var world = SimulatedWorld(seed: seed)
            world.live(steps: 30)
            guard world.problems.isEmpty else {
                Issue.record("seed \(seed): \(world.problems.joined(separator: "; "))")
                return
            }
        }
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["INTENTD_SEED"] != nil, "INTENTD_SEED names no schedule"))
    func `a schedule that failed is replayed with its events`() throws {
        let seed = try #require(UInt64(ProcessInfo.processInfo.environment["INTENTD_SEED"] ?? ""))
        var world = SimulatedWorld(seed: seed, keepsLog: true)
        world.live(steps: 30)
        for line in world.log { print(line) }
        #expect(world.problems == [])
    }
}
