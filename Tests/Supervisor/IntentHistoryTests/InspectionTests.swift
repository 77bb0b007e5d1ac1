import IntentLauncherMessages
import Testing

@testable import IntentHistory

/// Queries of a history in which one page inspects ten runs.
@Suite struct InspectionTests {
    private let scribe: Scribe
    private let reader: RunReader
    private let viewer = Viewer(.local(user: 1000), seesAll: false)

    init() throws {
        let folder = try TemporaryFolder()
        scribe = try Scribe(in: folder)
        // Runs 1, 16 and 31 of 35 are rare.
        try scribe.record((1...35).map { Sample.accepted($0, intent: $0 % 15 == 1 ? "Rare" : "Echo") })
        reader = try RunReader(path: folder.file, inspectionLimit: 10)
    }

    /// The runs of all pages, and the number of pages.
    private func all(_ query: HistoryQuery) throws -> (numbers: [Int64], pageCount: Int) {
        var query = query
        var numbers: [Int64] = []
        for pageCount in 1... {
            let page = try reader.page(query, visibleTo: viewer)
            numbers += page.runs.map(\.number)
            guard let next = page.next else { return (numbers, pageCount) }
            query.before = next
            try #require(pageCount < 100)
        }
        return (numbers, 0)
    }

    @Test func `a rare run is found after pages without runs`() throws {
        let found = try all(HistoryQuery(intent: "Rare"))
        #expect(found.numbers == [31, 16, 1])
        #expect(found.pageCount == 4)
        #expect(
            try reader.page(HistoryQuery(intent: "Rare", before: 31), visibleTo: viewer)
                == HistoryPage(runs: [], next: 21)
        )
    }

    @Test(arguments: [1, 3, 10, 11, 1000]) func `no run is missing or repeated, whatever the count`(count: Int) throws {
        #expect(try all(HistoryQuery(count: count)).numbers == Array((1...35).reversed()))
    }

    @Test func `a page inspects no run of another user`() throws {
        try scribe.record((36...85).map { Sample.accepted($0, user: 1001) } + [Sample.accepted(86)])
        #expect(try reader.page(HistoryQuery(), visibleTo: Viewer(.local(user: 1002), seesAll: false)).next == nil)
        let page = try reader.page(HistoryQuery(), visibleTo: viewer)
        #expect(page.runs.map(\.number) == [86] + (27...35).reversed())
        #expect(page.next == 27)
        let theirs = try reader.page(HistoryQuery(user: 1001), visibleTo: Viewer(.local(user: 0), seesAll: true))
        #expect(theirs.runs.map(\.number) == (76...85).reversed())
    }

    @Test func `a page of failed runs inspects no successful run`() throws {
        try scribe.record(
            (1...35).map { Sample.ended($0, $0 % 17 == 2 ? .failed(message: "no") : .done(value: nil, dialog: nil)) }
        )
        #expect(
            try reader.page(HistoryQuery(state: "failed"), visibleTo: viewer).runs.map(\.number) == [19, 2]
        )
        var query = HistoryQuery(count: 1)
        query.isFailure = true
        #expect(try all(query).numbers == [19, 2])
        #expect(try all(HistoryQuery(state: "done")).numbers.count == 33)
        // When every run failed, a page inspects no more runs than any other page.
        try scribe.record((36...60).flatMap { [Sample.accepted($0), Sample.ended($0, .failed(message: "no"))] })
        #expect(try all(HistoryQuery(app: "Other", state: "failed")).pageCount == 3)
    }

    @Test func `the condition isFailure selects the same runs as the property`() throws {
        let reasons: [CancellationReason] = [
            .timeout, .userCancelled, .serviceStopping, .clientDisconnected, .replaced, .unknown("later"),
        ]
        let outcomes: [RunOutcome] =
            [.done(value: nil, dialog: nil), .failed(message: "no"), .lost(message: "no")]
            + reasons.map { .cancelled($0) }
        for (number, outcome) in zip(UInt64(1)..., outcomes) { try scribe.record([Sample.ended(number, outcome)]) }
        let expected = try reader.page(HistoryQuery(state: "ended", before: 11), visibleTo: viewer).runs
        #expect(expected.count == outcomes.count)
        var query = HistoryQuery()
        query.isFailure = true
        #expect(try all(query).numbers == expected.filter(\.isFailure).map(\.number))
        #expect(try all(query).numbers == [6, 4, 3, 2])
    }

    @Test func `a page with a time inspects only the hours around it`() throws {
        // Twelve runs an hour, and a clock that is set back by a day before the last of them.
        scribe.wall = Sample.morning + 86_400 * Sample.second
        for number in UInt64(36)...95 {
            if number == 84 { scribe.wall -= 86_400 * Sample.second }
            scribe.wall += 299 * Sample.second
            try scribe.record([Sample.accepted(number)])
        }
        func time(_ hours: Double) -> Timestamp {
            Timestamp(millisecondsSince1970: Sample.morning / 1_000_000 + Int64(hours * 3_600_000))
        }
        // The first 35 runs began in the first minute of the first day, and 84 to 95 in its fifth hour.
        let day = try all(HistoryQuery(since: time(24), until: time(25)))
        #expect(day.numbers == (36...46).reversed())
        #expect(day.pageCount == 3)
        #expect(try all(HistoryQuery(since: time(1), until: time(20))).numbers == (84...95).reversed())
        #expect(try all(HistoryQuery(until: time(1))).numbers == (1...35).reversed())
        #expect(
            try reader.page(HistoryQuery(since: time(100)), visibleTo: viewer) == HistoryPage(runs: [], next: nil)
        )
        #expect(
            try reader.page(HistoryQuery(since: time(2), until: time(1)), visibleTo: viewer)
                == HistoryPage(runs: [], next: nil)
        )
    }

    @Test(arguments: [Int64.min, -1, 0, 1]) func `nothing precedes the oldest run`(before: Int64) throws {
        #expect(try reader.page(HistoryQuery(before: before), visibleTo: viewer) == HistoryPage(runs: [], next: nil))
    }

    @Test(arguments: [36, 1000, Int64.max]) func `a number above the newest begins with the newest`(before: Int64)
        throws
    {
        let page = try reader.page(HistoryQuery(before: before), visibleTo: viewer)
        #expect(page.runs.map(\.number) == Array((26...35).reversed()))
        #expect(page.next == 26)
    }

    @Test func `an empty history has one page`() throws {
        let folder = try TemporaryFolder()
        let scribe = try Scribe(in: folder)
        try scribe.record([Sample.accepted(1)])
        try Database(folder.file).execute("DELETE FROM runs")
        let reader = try RunReader(path: folder.file)
        #expect(try reader.page(HistoryQuery(), visibleTo: viewer) == HistoryPage(runs: [], next: nil))
    }
}
