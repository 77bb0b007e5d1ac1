import IntentLauncherMessages
import IntentLifecycle
import Testing

/// How many approvals stay open, and which one a user revokes.
extension StandingApprovalTests {
    private static let hour = Duration.seconds(3600)

    /// Approves a run of a client of its own for an hour, and ends the run.
    private static func open(_ number: UInt64, in scene: inout ApprovalScene) -> Bool {
        var asked = ApprovalScene.Asked()
        asked.request.request = Scene.request(number)
        _ = scene.perform(asked, newRun: number, software: "client \(number)")
        let isAccepted = scene.answer(.bool(true), to: 0, of: number, for: hour, by: .person).isAccepted
        if let slot = scene.slot { scene.scene.finish(slot) }
        return isAccepted
    }

    private static func openRuns(_ scene: inout ApprovalScene) -> Set<RunID> {
        let facts = RunTable.StatusFacts(installedAppCount: 1, problems: [])
        let approvals = scene.handle(.status(facts, of: []), by: .person, seconds: 2).lazy
            .compactMap { if case .answer(_, _, .status(let status)) = $0 { status.standingApprovals } else { nil } }
            .first
        return Set((approvals ?? []).map(\.run))
    }

    @Test func `a user revokes the approval of the named run, and no other`() throws {
        var scene = try ApprovalScene(.always, upTo: Self.hour)
        for number in UInt64(1)...3 { #expect(Self.open(number, in: &scene)) }
        let refused = scene.handle(.revoke(run: Scene.run(9).text), by: .person, seconds: 2)
        #expect(Scene.refusal(in: refused)?.code == .unknownRun)
        _ = scene.handle(.revoke(run: Scene.run(2).text), by: .person, seconds: 2)
        #expect(Self.openRuns(&scene) == [Scene.run(1), Scene.run(3)])
    }

    @Test func `a revocation ends the waiting runs of its own approval alone`() throws {
        var scene = try ApprovalScene(.always, upTo: Self.hour)
        for number in UInt64(1)...2 { #expect(Self.open(number, in: &scene)) }
        var capacity = RunTable.Capacity()
        capacity.runCount = 0
        _ = scene.handle(.reload(capacity, [], warnings: []), by: .root)
        for number in UInt64(1)...2 {
            var asked = ApprovalScene.Asked()
            asked.request.request = Scene.request(number + 10)
            _ = scene.perform(asked, newRun: number + 10, software: "client \(number)", seconds: 2)
            #expect(scene.scene.runTable.isLive(Scene.run(number + 10)))
        }
        _ = scene.handle(.revoke(run: Scene.run(1).text), by: .person, seconds: 3)
        #expect(!scene.scene.runTable.isLive(Scene.run(11)) && scene.scene.runTable.isLive(Scene.run(12)))
    }

    @Test func `of more than 64 approvals of a user, the one that ends first is closed`() throws {
        var scene = try ApprovalScene(.always, upTo: Self.hour)
        for number in UInt64(1)...64 { #expect(Self.open(number, in: &scene)) }
        #expect(Self.openRuns(&scene).count == 64)
        #expect(Self.open(65, in: &scene))
        let open = Self.openRuns(&scene)
        #expect(open.count == 64 && open.contains(Scene.run(65)))
    }
}
