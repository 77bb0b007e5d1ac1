import IntentWire
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

    @Test func `a user without runs gets the end after as many pages as inspect the history`() throws {
        var query = HistoryQuery()
        var pageCount = 0
        repeat {
            let page = try reader.page(query, visibleTo: Viewer(.local(user: 1001), seesAll: false))
            #expect(page.runs.isEmpty)
            query.before = page.next
            pageCount += 1
        } while query.before != nil && pageCount < 100
        #expect(pageCount == 4)
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
