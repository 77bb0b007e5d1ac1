import IntentLauncherMessages
import IntentLinux
import TestSupport
import Testing

@testable import IntentLauncher

/// Random orders of launches, exits, releases and disconnections, on real workspaces and a real connection: 16 in every
/// run of the tests, 800 by `Tests/endurance simulation`.
///
/// After each event, each worker has the folder that it was told, no two workers have the same workspace, and no launch
/// is refused. The failing seed is printed.
@Suite(.timeLimit(.minutes(30))) struct WorkspaceSimulationTests {
    private static let scheduleCount: UInt64 = Endurance.isWhole ? 800 : 16
    private static let turnCount = 60

    @Test func `in any order of events, a workspace belongs to one run`() throws {
        for seed in 0..<Self.scheduleCount {
            let world = try WorkspaceWorld()
            var numbers = SeededNumbers(seed: seed)
            try world.parts.base.turns(Self.turnCount) {
                // The launcher receives nothing between these events.
                for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                    try step(world, &numbers)
                    world.check()
                }
                return world.problems.isEmpty
            }
            guard world.problems.isEmpty else {
                Issue.record("seed \(seed): \(world.problems.joined(separator: "; "))")
                return
            }
        }
    }

    private func step(_ world: WorkspaceWorld, _ numbers: inout SeededNumbers) throws {
        let parts = world.parts.base
        let running = world.workers.all.map(\.id).sorted { $0.number < $1.number }
        switch Int.random(in: 0..<10, using: &numbers) {
        case 0, 1: if running.count + world.preparations.count < 10 { world.prepare(world.nextSlot()) }
        case 2, 3:
            let prepared = world.preparations.keys.sorted { $0.number < $1.number }
            if let slot = prepared.randomElement(using: &numbers) { world.begin(slot) }
        case 4, 5:
            for slot in running where Bool.random(using: &numbers) {
                world.exit(slot, wasKilled: Bool.random(using: &numbers))
            }
        case 6: world.workers.finishEnded()
        case 7:
            for slot in running where Bool.random(using: &numbers) { try parts.sendIfConnected(.release(slot: slot)) }
        case 8:
            if parts.isLost { try parts.reconnect() }
            _ = try parts.reports()
        default:
            // intentd has released runs, and exits before the launcher has received the commands.
            for slot in running where Bool.random(using: &numbers) { try parts.sendIfConnected(.release(slot: slot)) }
            world.backlog = (0..<Int.random(in: 0..<3, using: &numbers)).map { _ in world.nextSlot() }
            parts.killSupervisor()
            if Bool.random(using: &numbers) { world.workers.finishEnded() }
            // Otherwise, the launcher notices the loss when it receives or sends.
            if Bool.random(using: &numbers) { try parts.reconnect() }
        }
    }
}
