import IntentLauncherMessages
import TestSupport
import Testing

@testable import IntentSupervisor

@Suite struct RedeemedTicketsTests {
    private let limit = RedeemedTickets.countPerAccount

    private func ticket(_ number: Int, question: UInt64 = 1, of run: UInt64 = 1, user: UInt32 = 1000)
        -> RedeemedTickets.Ticket
    {
        RedeemedTickets.Ticket(
            run: Sample.run(run),
            question: question,
            account: .local(user: user),
            number: UInt64(number)
        )
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

    /// Issues a ticket for a question of run 1, and redeems it.
    private func redeem(
        _ tickets: QuestionTickets,
        _ text: String? = nil,
        by user: UInt32 = 1000,
        mayNot refusal: ErrorReport? = nil
    ) -> ErrorReport? {
        let (run, user) = (Sample.run(1), user)
        let text = text ?? tickets.issue(for: 1, of: run, to: user, digest: "call")
        let question = OpenQuestion(Question(number: 1, text: "?", type: .bool), remaining: .seconds(1))
        let asking = AskingRun(run: run, app: "Probe", intent: "Echo", user: user, title: nil, question: question)
        do throws(ErrorReport) {
            let account = Account.local(user: user)
            _ = try tickets.redeem(
                text,
                by: user,
                of: account,
                digest: "call",
                isPreview: false,
                openQuestion: { _ in 1 }
            ) {
                _,
                _ throws(ErrorReport) in
                if let refusal { throw refusal }
                return asking
            }
            return nil
        } catch { return error }
    }

    @Test func `a user who redeems one ticket after another for an open question is told to answer it`() throws {
        let parts = try SupervisorParts(outlivesSupervisor: false)
        let tickets = QuestionTickets(keptIn: nil, journal: parts.journal)
        for _ in 1...limit { #expect(redeem(tickets) == nil) }
        #expect(redeem(tickets)?.code == .busy)
        // Another account, such as an agent of the user, has its own tickets.
        #expect(redeem(tickets, by: 990) == nil)
        tickets.redeemed.forget(Sample.run(1))
        #expect(redeem(tickets) == nil)
    }

    @Test func `a ticket of a question that the user may not see is not redeemed`() throws {
        let parts = try SupervisorParts(outlivesSupervisor: false)
        let tickets = QuestionTickets(keptIn: nil, journal: parts.journal)
        let text = tickets.issue(for: 1, of: Sample.run(1), to: 1000, digest: "call")
        let refusal = ErrorReport(.noQuestion, "not visible")
        for _ in 1...limit + 1 { #expect(redeem(tickets, text, mayNot: refusal) == refusal) }
        #expect(redeem(tickets, text) == nil)
        #expect(redeem(tickets, text)?.code == .badTicket)
        #expect(redeem(tickets, text, by: 990)?.code == .badTicket)
    }
}
