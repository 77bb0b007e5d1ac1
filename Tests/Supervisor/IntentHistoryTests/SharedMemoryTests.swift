import IntentLauncherMessages
import Testing

@testable import IntentHistory

/// The memory of the history that accounts share.
@Suite struct SharedMemoryTests {
    private static let ann = SubordinateIDs().account(of: .local(user: 1000, account: "ann"))
    private static let ben = SubordinateIDs().account(of: .local(user: 1001, account: "ben"))

    private func run(
        _ number: UInt64,
        key: String? = nil,
        user: UInt32 = 1000,
        account: String? = "ann"
    ) throws -> AcceptedRun {
        guard case .accepted(let run) = Sample.accepted(number, user: user, account: account, key: key).fact else {
            throw Unexpected()
        }
        return run
    }

    private struct Unexpected: Error {}

    private func entry(_ record: RunRecord, of account: Account?) -> HistoryEntry {
        HistoryEntry(record, at: RecordTime(wall: 0, monotonic: 0, boottime: 0), of: account)
    }

    // MARK: Records that are not on the disk

    @Test func `a user with records that fill the memory stops only their own runs`() {
        var backlog = RecordBacklog()
        let large = entry(
            Sample.accepted(1, values: ["a": .string(String(repeating: "x", count: 1 << 20))]),
            of: Self.ann
        )
        while backlog.acceptsRuns(of: Self.ann) { backlog.add(large) }
        #expect(!backlog.isFull && backlog.acceptsRuns(of: Self.ben))
        // Records of accepted runs are never left out.
        #expect(backlog.accepts(large))
        // What others have reduces what the next user may have.
        let ofBen = entry(large.record, of: Self.ben)
        var count = 0
        while backlog.acceptsRuns(of: Self.ben) {
            backlog.add(ofBen)
            count += 1
        }
        #expect(count > 4 && count < 16 && !backlog.isFull)
    }

    @Test func `a user with output that fills the memory loses only their own output`() {
        var backlog = RecordBacklog()
        let printed = entry(Sample.printed(1, String(repeating: "x", count: 1 << 16)), of: Self.ann)
        while backlog.accepts(printed) { backlog.add(printed) }
        #expect(backlog.accepts(entry(printed.record, of: Self.ben)))
        #expect(backlog.accepts(entry(Sample.ended(1), of: Self.ann)))
        #expect(backlog.acceptsRuns(of: Self.ann))
        // Accepted runs of others leave the room for output as it is.
        let large = entry(Sample.accepted(1, values: ["a": .string(String(repeating: "x", count: 10 << 20))]), of: nil)
        backlog.add(large)
        #expect(backlog.accepts(entry(printed.record, of: Self.ben)))
        #expect(RecordBacklog([printed]).accepts(printed))
    }

    // MARK: Known requests

    private func loaded(limit: Int) throws -> KnownRequests {
        let folder = try TemporaryFolder()
        let requests = KnownRequests(limit: limit)
        let file = try HistoryFile(path: folder.file, durability: .process)
        #expect(!requests.lacks(try run(1)))
        #expect(requests.load(from: file.database))
        return requests
    }

    @Test func `only the requests of the user who fills the set require a query`() throws {
        let requests = try loaded(limit: 100)
        let ofBen = try run(1, key: "daily", user: 1001, account: "ben")
        requests.add(ofBen)
        var number: UInt64 = 0
        while try requests.lacks(run(number + 1)), number < 1000 {
            number += 1
            requests.add(try run(number))
        }
        #expect(number == 50)
        #expect(try !requests.lacks(run(1)) && !requests.lacks(run(999)))
        #expect(!requests.lacks(ofBen))
        #expect(try requests.lacks(run(2, user: 1001, account: "ben")))
        #expect(try !requests.lacks(run(2, key: "daily", user: 1001, account: "ben")))
        // The share of the user who filled the set is free again.
        for number in 3...60 as ClosedRange<UInt64> { requests.add(try run(number, user: 1002, account: "cem")) }
        #expect(try requests.lacks(run(2, user: 1001, account: "ben")))
    }

    @Test func `subordinate ids fill the share of their account, and a change of them hides no request`() throws {
        let requests = try loaded(limit: 100)
        let range = SubordinateIDs.Range(first: 100_000, count: 1000, owner: Self.ann.payer)
        requests.share(by: SubordinateIDs([range]))
        for number in 1...30 as ClosedRange<UInt64> {
            requests.add(try run(number, user: 100_000 + UInt32(number), account: ""))
        }
        requests.share(by: SubordinateIDs())
        #expect(try !requests.lacks(run(7, user: 100_007, account: "")))
        #expect(try requests.lacks(run(8, user: 100_007, account: "")))
        requests.share(by: SubordinateIDs([range]))
        for number in 31...60 as ClosedRange<UInt64> { requests.add(try run(number)) }
        // The account is excluded with all its ids.
        #expect(try !requests.lacks(run(999, user: 100_999, account: "")))
        #expect(try requests.lacks(run(999, user: 1001, account: "ben")))
        // The requests of an excluded account are unknown, so a user who leaves it needs queries, too.
        requests.share(by: SubordinateIDs())
        #expect(try !requests.lacks(run(7, user: 100_007, account: "")))
        #expect(try !requests.lacks(run(999, user: 1001, account: "ben")))
    }

    @Test func `a user with too many recorded requests leaves the set to the others`() throws {
        let folder = try TemporaryFolder()
        do {
            let scribe = try Scribe(in: folder)
            try scribe.record((1...80).map { Sample.accepted($0, user: 1000, account: "ann") })
            try scribe.record((81...90).map { Sample.accepted($0, user: 1001, account: "ben") })
        }
        let requests = KnownRequests(limit: 100)
        #expect(requests.load(from: try HistoryFile(path: folder.file, durability: .process).database))
        #expect(try !requests.lacks(run(999)))
        #expect(try !requests.lacks(run(85, user: 1001, account: "ben")))
        #expect(try requests.lacks(run(999, user: 1001, account: "ben")))
    }
}
