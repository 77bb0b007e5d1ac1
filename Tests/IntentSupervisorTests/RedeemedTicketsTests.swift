import IntentWire
import TestSupport
import Testing

@testable import IntentSupervisor

@Suite struct RedeemedTicketsTests {
    private let limit = RedeemedTickets.countPerUser

    private func ticket(_ number: Int, question: UInt64 = 1, of run: UInt64 = 1, user: UInt32 = 1000)
        -> RedeemedTickets.Ticket
    {
        RedeemedTickets.Ticket(run: Sample.run(run), question: question, user: user, number: UInt64(number))
    }

    @Test func `a ticket is redeemed once while its question is open`() {
        var redeemed = RedeemedTickets()
        #expect(redeemed.redeem(ticket(1)) { _ in 1 } == .accepted)
        #expect(redeemed.redeem(ticket(1)) { _ in 1 } == .repeated)
        #expect(redeemed.redeem(ticket(2)) { _ in 1 } == .accepted)
        #expect(redeemed.redeem(ticket(1)) { _ in nil } == .closed)
    }

    @Test func `one user's tickets of open questions are limited, and do not limit another user`() {
        var redeemed = RedeemedTickets()
        for number in 1...limit { #expect(redeemed.redeem(ticket(number)) { _ in 1 } == .accepted) }
        for number in limit + 1...10_000 { #expect(redeemed.redeem(ticket(number)) { _ in 1 } == .tooMany) }
        #expect(redeemed.redeem(ticket(1)) { _ in 1 } == .repeated)
        #expect(redeemed.redeem(ticket(1, user: 1001)) { _ in 1 } == .accepted)
        #expect(redeemed.count == limit + 1)
    }

    @Test func `tickets of a closed question are forgotten at the next redemption, and no longer count`() {
        var redeemed = RedeemedTickets()
        for number in 1...limit { _ = redeemed.redeem(ticket(number)) { _ in 1 } }
        #expect(redeemed.redeem(ticket(0, question: 2)) { _ in 2 } == .accepted)
        #expect(redeemed.count == 1)
        #expect(redeemed.redeem(ticket(1)) { _ in nil } == .closed)
        #expect(redeemed.count == 0)
    }

    @Test func `tickets of a run are forgotten when it ends`() {
        var redeemed = RedeemedTickets()
        for user in 1000..<1100 as Range<UInt32> {
            _ = redeemed.redeem(ticket(1, of: 1, user: user)) { _ in 1 }
            _ = redeemed.redeem(ticket(1, of: 2, user: user)) { _ in 1 }
        }
        redeemed.forget(Sample.run(1))
        #expect(redeemed.count == 100)
        redeemed.forget(Sample.run(2))
        #expect(redeemed.count == 0)
    }

    @Test func `a user who redeems one ticket after another for an open question is told to answer it`() throws {
        let parts = try SupervisorParts(outlivesSupervisor: false)
        let tickets = QuestionTickets(keptIn: nil, journal: parts.journal)
        let run = Sample.run(1)
        func redeem() -> ErrorReport? {
            let text = tickets.issue(for: 1, of: run, to: 1000, digest: "call")
            do throws(ErrorReport) {
                _ = try tickets.redeem(text, by: 1000, digest: "call") { _ in 1 }
                return nil
            } catch { return error }
        }
        for _ in 1...limit { #expect(redeem() == nil) }
        #expect(redeem()?.code == .busy)
        tickets.forget(run)
        #expect(redeem() == nil)
    }
}
