import Glibc
import IntentHistory
import IntentLauncherMessages
import Testing

/// Tests records that survive a crash before they are on the disk. No client waits for them, and the next process
/// writes them.
@Suite struct ReplayTests {
    private func entries(_ records: [RunRecord], from second: Int64 = 1) -> [HistoryEntry] {
        records.enumerated().map { index, record in
            let rest = (second + Int64(index)) * Sample.second
            return HistoryEntry(
                record,
                at: RecordTime(wall: Sample.morning + rest, monotonic: rest, boottime: rest)
            )
        }
    }

    private func awaited(_ number: UInt64) -> [RunRecord] {
        Sample.whole(number).filter(\.isAwaited)
    }

    @Test func `unwritten records are written before the unfinished runs are reported`() throws {
        let scribe = try Scribe(in: try TemporaryFolder())
        try scribe.replay(entries(awaited(1) + [Sample.accepted(2), Sample.state(2, .queued)]))
        #expect(scribe.unfinished.map(\.run) == [Sample.run(1), Sample.run(2)])
        #expect(scribe.unfinished.map { $0.end != nil } == [true, false])
        #expect(try scribe.story(1)?.end?.outcome == .done(value: .string("a"), dialog: nil))
    }

    @Test(arguments: 0...6)
    func `records that are already on the disk are not written again, however many there are`(count: Int) throws {
        let folder = try TemporaryFolder()
        var records = awaited(1)
        records.insert(RunRecord(Sample.run(1), .cancelRequested(CallerProcess(user: 1000))), at: 2)
        records += awaited(2)
        let left = entries(records)
        do {
            let first = try Scribe(in: folder)
            first.history.record(Array(left.prefix(count)))
        }
        for _ in 1...2 {
            let next = try Scribe(in: folder)
            try next.replay(left)
            #expect(next.rejections.isEmpty)
            #expect(try next.page().runs.map(\.run) == [Sample.run(2), Sample.run(1)])
            #expect(try next.story(1)?.changes.map(\.event).count == 2)
            #expect(try next.story(2)?.changes.count == 1)
        }
    }

    @Test func `the record of an ended run does not change`() throws {
        let folder = try TemporaryFolder()
        do {
            let first = try Scribe(in: folder)
            try first.record(Sample.whole(1))
            _ = try first.page()
        }
        let next = try Scribe(in: folder)
        try next.replay(entries(awaited(1), from: 100))
        #expect(try next.story(1)?.changes.count == 2)
        #expect(next.unfinished.isEmpty)
    }

    @Test func `no client waits for kept records, and queries return them`() throws {
        let scribe = try Scribe(in: try TemporaryFolder())
        try scribe.record(Sample.whole(1))
        scribe.send(Sample.whole(2), isKept: true)
        #expect(!scribe.history.isAwaited)
        #expect(try scribe.page().runs.map(\.number) == [2, 1])
    }

    @Test func `a request is new if neither it nor its key can be recorded already`() throws {
        let folder = try TemporaryFolder()
        do {
            let scribe = try Scribe(in: folder)
            try scribe.record(Sample.whole(1))
            try scribe.record([Sample.accepted(2, key: "recorded")])
        }
        let scribe = try Scribe(in: folder)
        func isNew(_ record: RunRecord) -> Bool {
            guard case .accepted(let run) = record.fact else { return false }
            return scribe.history.isNew(run)
        }
        try scribe.wait("the recorded requests are loaded") { isNew(Sample.accepted(9)) }
        #expect(!isNew(Sample.accepted(1)))
        #expect(isNew(Sample.accepted(1, user: 1001)))
        #expect(!isNew(Sample.accepted(3, key: "recorded")))
        #expect(isNew(Sample.accepted(3, user: 1001, key: "recorded")))
        #expect(isNew(Sample.accepted(3, key: "k")))
        #expect(!isNew(Sample.accepted(3, retryOf: Sample.run(1))))
        scribe.send([Sample.accepted(4, key: "k")], isKept: true)
        #expect(!isNew(Sample.accepted(4)))
        #expect(!isNew(Sample.accepted(3, key: "k")))
    }
}
