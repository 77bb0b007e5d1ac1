import Foundation
import IntentClient
import TestSupport
import Testing

/// The code of the article StateAndConcurrency, in runs that write at the same time.
@Suite(.ownThread) struct StateArticleTests {
    @Test func `a lock and a database keep what runs write at the same time`() async throws {
        let counts = try await PrivateApp.with("Ledger") { intentd in
            for intent in ["AddWithActor", "AddWithLock", "AddWithDatabase"] {
                let name = IntentName(app: "Ledger", intent: intent)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for line in 1...12 {
                        group.addTask { try await intentd.perform(name, ["text": "\(line)"]).result.requireSuccess() }
                    }
                    try await group.waitForAll()
                }
            }
            return try await intentd.perform("Ledger/CountLines").value(as: [Int].self)
        }
        // How many lines the actor loses depends on the scheduler.
        #expect((1...12).contains(counts[0]))
        #expect(counts[1] == 12)
        #expect(counts[2] == 12)
    }

    @Test func `a cancelled run removes the lines that it has added`() async throws {
        let (outcome, counts) = try await PrivateApp.with("Ledger") { intentd in
            try await intentd.perform("Ledger/AddWithLock", ["text": "kept"]).result.requireSuccess()
            let texts = IntentArgument((1...1000).map { "\($0)" })
            let run = try await intentd.perform("Ledger/AddSlowly", ["texts": texts])
            for try await progress in run.progress where progress.completedUnitCount >= 2 { break }
            let outcome = try await run.cancel().outcome
            return (outcome, try await intentd.perform("Ledger/CountLines").value(as: [Int].self))
        }
        #expect(outcome == RunOutcome.cancelled(.userCancelled))
        #expect(counts[1] == 1)
    }
}
