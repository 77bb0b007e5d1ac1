import IntentSystemd
import Testing

@Suite struct UnitJobTests {
    private func jobs(_ types: String...) -> [UnitJob.Listed] {
        [UnitJob.Listed(unit: "other.service", type: "stop")]
            + types.map { UnitJob.Listed(unit: "intentd.service", type: $0) }
    }

    @Test func `a stop is told from a restart by the unit's own job`() {
        #expect(UnitJob(of: "intentd.service", among: jobs("stop")) == .stop)
        #expect(UnitJob(of: "intentd.service", among: jobs("restart")) == .restart)
        #expect(UnitJob(of: "intentd.service", among: jobs("try-restart")) == .restart)
        #expect(UnitJob(of: "intentd.service", among: jobs("start")) == .restart)
    }

    @Test func `the jobs of others, and those that end nothing, are no reason for an end`() {
        #expect(UnitJob(of: "intentd.service", among: jobs()) == .none)
        #expect(UnitJob(of: "intentd.service", among: []) == .none)
        #expect(UnitJob(of: "intentd.service", among: jobs("verify-active")) == .none)
        #expect(UnitJob(of: "intentd.service", among: jobs("reload")) == .none)
        #expect(UnitJob(of: "intentd", among: jobs("stop")) == .none)
    }
}
