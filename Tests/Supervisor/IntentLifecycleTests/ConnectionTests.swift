import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Tests which connections are admitted, which are served next, and which are closed.
@Suite struct ConnectionTests {
    private let root = Account.local(user: 0)
    private let ada = Account.local(user: 1000)
    private let bob = Account.local(user: 1001)
    private let start = Now.Monotonic(nanoseconds: 1_000_000_000)

    // MARK: Connections

    @Test func `a user gets as many connections as remain free, and the next user half of the rest`() {
        var admission = ConnectionAdmission()
        var number: UInt64 = 0
        let counts = (1...12).map { user in fill(&admission, Account.local(user: user), &number) }
        #expect(counts == [256, 128, 64, 32, 16, 8, 4, 2, 1, 1, 1, 1])
    }

    @Test func `an operator can connect when the shared pool is exhausted, and a closed connection is released`() {
        var admission = ConnectionAdmission()
        var number: UInt64 = 0
        for user in 1...20 as ClosedRange<UInt32> { _ = fill(&admission, Account.local(user: user), &number) }
        let counts = (0..<2).map { _ in fill(&admission, root, &number, as: .operator) }
        // The pools for first connections and for operators.
        #expect(counts == [1 + ConnectionAdmission.operatorPoolSize, 0])
        admission.leave(ClientID(number: number))
        // A refused connection has nothing to release.
        admission.leave(ClientID(number: number + 1000))
        // After that, one connection was refused in each of the two rounds.
        let last = ClientID(number: number - 2)
        admission.leave(last)
        let isAdmitted = admission.admit(last, of: root, as: .operator)
        #expect(isAdmitted)
    }

    @Test func `a fleet's service has a connection for each of its runs, and takes none from users`() {
        var admission = ConnectionAdmission()
        var number: UInt64 = 0
        for user in 1...20 as ClosedRange<UInt32> { _ = fill(&admission, Account.local(user: user), &number) }
        #expect(fill(&admission, ada, &number, as: .fleet) == ConnectionAdmission.fleetPoolSize)
        admission.leave(ClientID(number: number - 1))
        #expect(fill(&admission, ada, &number, as: .fleet) == 1)
        var other = ConnectionAdmission()
        #expect(fill(&other, ada, &number, as: .fleet) == ConnectionAdmission.fleetPoolSize)
        #expect(fill(&other, bob, &number) == 256)
    }

    @Test func `connections are released in whatever order they close`() {
        var admission = ConnectionAdmission()
        for round in 0..<50 as Range<UInt64> {
            var number = round * 10_000
            for user in 1...15 as ClosedRange<UInt32> { _ = fill(&admission, Account.local(user: user), &number) }
            for client in (round * 10_000...number).shuffled() { admission.leave(ClientID(number: client)) }
        }
        var number: UInt64 = 1_000_000
        #expect(fill(&admission, ada, &number) == 256)
    }

    private func fill(
        _ admission: inout ConnectionAdmission,
        _ user: Account,
        _ number: inout UInt64,
        as kind: ConnectionAdmission.Kind = .user
    ) -> Int {
        var count = 0
        while true {
            number += 1
            guard admission.admit(ClientID(number: number), of: user, as: kind) else { return count }
            count += 1
        }
    }

    @Test func `all ids that are subordinate to an account share its connections, its time and its slots`() {
        let ids = SubordinateIDs([.init(first: 100_000, count: 65_536, owner: .local(user: 1000, account: "ada"))])
        let users = (100_000..<101_500).map { ids.account(of: .local(user: $0)) }
        let owner = ids.account(of: .local(user: 1000, account: "ada"))
        var admission = ConnectionAdmission()
        let count = users.enumerated().count { number, account in
            admission.admit(ClientID(number: UInt64(number)), of: account, as: .user)
        }
        #expect(count == 256)
        let ownIsAdmitted = admission.admit(ClientID(number: 5000), of: owner, as: .user)
        #expect(!ownIsAdmitted)
        #expect(Set(users) == [owner])
        // An id beyond the range, and an id with an account of its own.
        #expect(ids.account(of: .local(user: 165_536)) != owner)
        #expect(ids.account(of: .local(user: 100_001, account: "bob")) != owner)
    }

    @Test func `unfinished frames of one account leave bytes to every other account`() {
        var budget = ByteBudget.frames
        var number: UInt64 = 0
        let counts = (1...8 as ClosedRange<UInt32>).map { user in
            var count = 0
            repeat {
                number += 1
                count += 1
            } while budget.holds(1 << 20, ClientID(number: number), of: .local(user: user))
            _ = budget.holds(0, ClientID(number: number), of: .local(user: user))
            return count - 1
        }
        #expect(counts == [32, 16, 8, 4, 2, 1, 0, 0])
        let isPermitted = budget.holds(512 << 10, ClientID(number: 9999), of: .local(user: 99))
        #expect(isPermitted)
    }

    // MARK: Answers

    @Test func `a connection with too many unread answers is paused, and others of its user are not`() {
        var budget = AnswerBudget()
        let (first, second) = (ClientID(number: 1), ClientID(number: 2))
        budget.asked(first, of: ada)
        #expect(budget.mayAsk(first, of: ada))
        budget.answered(AnswerBudget.byteLimit + 1, first, of: ada)
        #expect(!budget.mayAsk(first, of: ada))
        #expect(budget.hasUnread(first))
        #expect(budget.mayAsk(second, of: ada))
        budget.received(AnswerBudget.byteLimit + 1, first, of: ada)
        #expect(budget.mayAsk(first, of: ada))
        #expect(!budget.hasUnread(first))
    }

    @Test func `the connections of one user share a budget that does not affect other users`() {
        var budget = AnswerBudget()
        let each = AnswerBudget.byteLimit
        let count = AnswerBudget.userByteLimit / each + 1
        for number in 1...count {
            budget.asked(ClientID(number: UInt64(number)), of: ada)
            budget.answered(each, ClientID(number: UInt64(number)), of: ada)
        }
        let (fresh, asking) = (ClientID(number: 10_000), ClientID(number: 10_001))
        budget.asked(asking, of: ada)
        #expect(!budget.mayAsk(asking, of: ada))
        #expect(!budget.mayAsk(ClientID(number: 2), of: ada))
        // A connection without unread answers may make one request at a time.
        #expect(budget.mayAsk(fresh, of: ada))
        #expect(budget.mayAsk(asking, of: bob))
        #expect(budget.mayAnswer(AnswerBudget.userByteCeiling - count * each, to: ada))
        #expect(!budget.mayAnswer(AnswerBudget.userByteCeiling - count * each + 1, to: ada))
        budget.left(ClientID(number: 1), of: ada)
        #expect(budget.mayAsk(asking, of: ada))
    }

    @Test func `requests without an answer count against a connection and its user`() {
        var budget = AnswerBudget()
        for client in 1...4 as ClosedRange<UInt64> {
            for _ in 0..<AnswerBudget.openLimit { budget.asked(ClientID(number: client), of: ada) }
            #expect(!budget.mayAsk(ClientID(number: client), of: ada))
        }
        let fifth = ClientID(number: 5)
        #expect(budget.mayAsk(fifth, of: ada))
        budget.asked(fifth, of: ada)
        #expect(!budget.mayAsk(fifth, of: ada))
        budget.answered(10, ClientID(number: 1), of: ada)
        budget.answered(10, ClientID(number: 1), of: ada)
        #expect(budget.mayAsk(ClientID(number: 1), of: ada))
        #expect(budget.mayAsk(fifth, of: ada))
    }

    // MARK: Deadlines

    @Test(arguments: ConnectionPatience.Obligation.allCases)
    func `an obligation has a deadline from its beginning to its end`(
        _ obligation: ConnectionPatience.Obligation
    ) {
        var patience = ConnectionPatience()
        #expect(patience.deadline == nil && !patience.isPending(obligation))
        patience.begin(obligation, at: start)
        #expect(patience.isPending(obligation))
        // Another byte of the same frame does not extend the deadline.
        patience.begin(obligation, at: start + .seconds(5))
        #expect(patience.deadline == start + obligation.limit)
        #expect(patience.overdue(at: start + obligation.limit + .nanoseconds(-1)) == nil)
        #expect(patience.overdue(at: start + obligation.limit) == obligation)
        patience.end(obligation)
        #expect(patience.overdue(at: start + .seconds(1000)) == nil)
        #expect(patience.deadline == nil && !patience.isPending(obligation))
    }

    // MARK: Memory

    @Test func `memory is returned once, after the process has grown and most of the growth is free`() {
        var release = HeapRelease()
        let limit = HeapRelease.byteLimit
        let first = [limit, 2 * limit - 1, 2 * limit].map { release.hasGrown(residentByteCount: $0) }
        #expect(first == [false, false, true])
        #expect(!release.isWorthwhile(freeByteCount: limit - 1))
        #expect(release.isWorthwhile(freeByteCount: limit))
        release.released(residentByteCount: 2 * limit)
        // Growth is measured from the size to which the process has shrunk by itself.
        let second = [3 * limit - 1, limit, 2 * limit].map { release.hasGrown(residentByteCount: $0) }
        #expect(second == [false, false, true])
    }
}
