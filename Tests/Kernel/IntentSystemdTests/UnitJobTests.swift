import IntentSystemd
import Testing

@Suite struct UnitJobTests {
    private func jobs(_ types: String...) -> [UnitJob.Listed] {
        [UnitJob.Listed(unit: "other.service", type: "stop")]
            + types.map { UnitJob.Listed(unit: "intentd.service", type: $0) }
    }

    @Test func `the job of the unit distinguishes a stop from a restart`() {
        #expect(UnitJob(of: "intentd.service", among: jobs("stop")) == .stop)
        #expect(UnitJob(of: "intentd.service", among: jobs("restart")) == .restart)
        #expect(UnitJob(of: "intentd.service", among: jobs("try-restart")) == .restart)
        #expect(UnitJob(of: "intentd.service", among: jobs("start")) == .restart)
    }

    @Test func `jobs of other units and jobs that stop nothing do not count`() {
        #expect(UnitJob(of: "intentd.service", among: jobs()) == .none)
        #expect(UnitJob(of: "intentd.service", among: []) == .none)
        #expect(UnitJob(of: "intentd.service", among: jobs("verify-active")) == .none)
        #expect(UnitJob(of: "intentd.service", among: jobs("reload")) == .none)
        #expect(UnitJob(of: "intentd", among: jobs("stop")) == .none)
    }
}
