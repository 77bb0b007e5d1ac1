import IntentLauncherMessages
import TestSupport
import Testing

/// Tests the example app Payments.
@Suite(.ownThread) struct PaymentsTests {
    private let values: [String: IntentValue] = [
        "amount": .string("12.50"), "recipient": .string("Ada"), "stepCount": .int(2),
        "confirmation": .int(60),
    ]

    @Test func `a payment completes in steps`() throws {
        let values = values.merging(["confirmation": .int(0)]) { $1 }
        let worker = try AppProcess.performing("SendPaymentIntent", of: "Payments", values)
        let run = try worker.result()
        #expect(run.result.ending == .returned(value: .string("12.5"), dialog: "Sent 12.5 to Ada."))
        #expect(run.progress.last?.completedUnitCount == 2)
        #expect(worker.output == "1. booked step 1 of 2\n2. booked step 2 of 2\n3. ledger closed: sent\n")
        #expect(try worker.acknowledge() == 0)
    }

    @Test(arguments: [(CancellationReason.timeout, "rolled back"), (.userCancelled, "cancelled")])
    func `a cancelled or timed-out payment undoes every step`(
        reason: CancellationReason,
        closing: String
    ) throws {
        let worker = try AppProcess.performing("SendPaymentIntent", of: "Payments", values)
        try worker.waitForProgress()
        try worker.send(.cancel(reason: reason, graceMilliseconds: 5000))
        #expect(try worker.result().result.ending == .threwCancellation)
        let lines = worker.output.split(separator: "\n").map { $0.drop { $0 != " " }.dropFirst() }
        let booked = lines.filter { $0.hasPrefix("booked ") }.map { $0.dropFirst(7) }
        let undone = lines.filter { $0.hasPrefix("undid ") }.map { $0.dropFirst(6) }
        #expect(!booked.isEmpty)
        #expect(undone == booked.reversed())
        #expect(lines.last == "ledger closed: \(closing)")
        #expect(try worker.acknowledge() == 0)
    }

    @Test func `a string that is not an amount is refused`() throws {
        let values = values.merging(["amount": .int(0)]) { $1 }
        let run = try AppProcess.run("SendPaymentIntent", of: "Payments", values)
        #expect(run.message == "The amount must be greater than 0, but is 0.")
    }
}
