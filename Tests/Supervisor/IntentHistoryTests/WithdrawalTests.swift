import IntentHistory
import IntentLauncherMessages
import Testing

/// Tests that donations which a later run withdraws are not returned any more.
@Suite struct WithdrawalTests {
    private func ended(_ number: UInt64, _ details: RunDetails) -> RunRecord {
        var account = RunAccount(runtime: .milliseconds(12))
        account.details = details
        return RunRecord(
            Sample.run(number),
            .ended(RecordedEnd(outcome: .done(value: nil, dialog: nil), account: account))
        )
    }

    private func donation(_ intent: String, _ identifier: String) -> IntentReference {
        IntentReference(intent: intent, values: ["days": .int(3)], identifier: identifier)
    }

    private func donations(_ scribe: Scribe, _ number: UInt64) throws -> [String?]? {
        try scribe.story(number)?.end?.account.details?.donations?.map(\.identifier)
    }

    private func scribe(user: UInt32 = 1000, _ withdrawals: DonationWithdrawals) throws -> Scribe {
        let scribe = try Scribe(in: try TemporaryFolder())
        let given = RunDetails(donations: [donation("Borrow", "a"), donation("Borrow", "b"), donation("Add", "c")])
        try scribe.record([Sample.accepted(1), ended(1, given)])
        let taker = RunDetails(donations: [donation("Borrow", "d")], withdrawals: withdrawals)
        try scribe.record([Sample.accepted(2, user: user), ended(2, taker)])
        try scribe.record([Sample.accepted(3), ended(3, RunDetails(donations: [donation("Borrow", "e")]))])
        return scribe
    }

    @Test func `donations with a withdrawn identifier are omitted, and others of the same run are kept`() throws {
        let scribe = try scribe(DonationWithdrawals(identifiers: ["b", "never"]))
        #expect(try donations(scribe, 1) == ["a", "c"])
    }

    @Test func `donations of a withdrawn intent are omitted from earlier runs, but not from later ones`() throws {
        let scribe = try scribe(DonationWithdrawals(intents: ["Borrow"]))
        #expect(try donations(scribe, 1) == ["c"])
        #expect(try donations(scribe, 2) == ["d"])
        #expect(try donations(scribe, 3) == ["e"])
    }

    @Test func `donations about a withdrawn entity are omitted if the parameter has one or several entities`() throws {
        let scribe = try Scribe(try TemporaryFolder().file)
        let values: [[String: IntentValue]] = [
            ["book": .string("1")], ["book": .string("2")], ["books": .array([.string("3"), .string("1")])],
            ["note": .string("1")],
        ]
        let given = zip("abcd", values).map {
            IntentReference(intent: "Borrow", values: $1, identifier: String($0))
        }
        try scribe.record([Sample.accepted(1), ended(1, RunDetails(donations: given))])
        let about = EntityWithdrawal(identifiers: ["1"], parameters: ["Borrow": ["book", "books"], "Add": ["note"]])
        let taker = RunDetails(withdrawals: DonationWithdrawals(entities: [about]))
        try scribe.record([Sample.accepted(2), ended(2, taker)])
        #expect(try donations(scribe, 1) == ["b", "d"])
    }

    @Test func `a run with only withdrawn donations has none`() throws {
        #expect(try donations(scribe(DonationWithdrawals(intents: ["Borrow", "Add"])), 1) == nil)
    }

    @Test func `a run cannot withdraw donations of another user's run`() throws {
        let scribe = try scribe(user: 1001, DonationWithdrawals(intents: ["Borrow", "Add"]))
        #expect(try donations(scribe, 1) == ["a", "b", "c"])
    }
}
