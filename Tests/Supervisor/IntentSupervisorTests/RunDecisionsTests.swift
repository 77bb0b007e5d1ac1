import IntentLauncherMessages
import IntentLifecycle
import Testing

@testable import IntentSupervisor

/// The order of events and actions, with the real run table.
@Suite struct RunDecisionsTests {
    private let decisions = RunDecisions(
        RunTable(capacity: RunTable.Capacity(), succession: .none, at: .current)
    )

    @Test func `an event that an action causes is handled after the other actions of its event`() {
        var order: [String] = []
        decisions.start(
            perform: { [decisions] action in
                guard case .quit(let cause) = action else { return }
                order.append("quit: \(cause)")
                decisions.handle(.isolationReported(Isolation(grade: .none, parts: [])))
                order.append("isolation is \(decisions.table.isolation == nil ? "unknown" : "known")")
            },
            sendPosted: { order.append("send") },
            performed: { [decisions] in
                order.append("performed: isolation is \(decisions.table.isolation == nil ? "unknown" : "known")")
            }
        )
        decisions.handle(.stopRequested)
        #expect(order == ["quit: stopped", "isolation is unknown", "send", "performed: isolation is known"])
    }

    @Test func `the messages of a batch are sent once`() {
        var sentCount = 0
        decisions.start(perform: { _ in }, sendPosted: { sentCount += 1 }, performed: {})
        decisions.batch {
            decisions.handle(.isolationReported(Isolation(grade: .none, parts: [])))
            decisions.batch { decisions.handle(.isolationReported(Isolation(grade: .full, parts: []))) }
            #expect(sentCount == 0)
        }
        #expect(sentCount == 1)
    }
}
