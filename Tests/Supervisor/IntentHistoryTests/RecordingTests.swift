import Foundation
import IntentHistory
import IntentLauncherMessages
import Testing

@Suite struct RecordingTests {
    @Test func `the folder of the file ends at the last slash, even before a combining mark`() {
        for (path, folder) in [("/srv/a/b", "/srv/a"), ("/srv/a/\u{301}b", "/srv/a"), ("/a", "/"), ("a", ".")] {
            #expect(History.Options(path: path).folder == folder)
        }
    }

    @Test func `a run is returned with everything that was recorded about it`() throws {
        let folder = try TemporaryFolder()
        let scribe = try Scribe(in: folder)
        var records = Sample.whole(1)
        records.insert(RunRecord(Sample.run(1), .signalled(.terminate)), at: 3)
        try scribe.record(records)
        _ = try scribe.page()
        let story = try #require(try scribe.story(1))
        #expect(story.summary.outcome == "done")
        #expect(story.summary.app == "Probe")
        #expect(story.summary.exitCode == 0)
        #expect(story.summary.usage?.systemTime == .microseconds(20))
        #expect(story.summary.queued == .seconds(1))
        #expect(story.values == ["text": .string("a")])
        #expect(story.software == "a test")
        #expect(story.process == 7)
        #expect(story.end?.outcome == .done(value: .string("a"), dialog: nil))
        #expect(
            story.changes.map(\.event) == [
                .state(.starting, reason: nil, slot: SlotID(number: 1)), .state(.running, reason: nil, slot: nil),
                .signal(.terminate),
            ]
        )
        #expect(story.changes.map(\.after) == [.seconds(1), .seconds(2), .seconds(3)])
        #expect(story.limits.runtime == .seconds(30))
    }

    @Test func `every kind of outcome and value is read back unchanged`() throws {
        let values: [IntentValue] = [
            .null, .bool(true), .int(.min), .double(0.1), .double(.infinity), .string("\"\\\n\u{1}ü😀"),
            .array([.int(1), .array([])]), .file(FileReference(index: 0, name: "a.txt", contentType: "text/plain")),
        ]
        var outcomes = values.map { RunOutcome.done(value: $0, dialog: "said") }
        outcomes += [
            .done(value: nil, dialog: nil), .failed(message: "why"), .unanswered(parameter: "a", question: "which?"),
            .cancelled(.timeout), .crashed(.signaled(signal: 11)), .exceeded(.memory), .violated(message: "lied"),
            .notStarted(message: "no"), .busy(message: "full"), .lost(message: "gone"),
        ]
        let scribe = try Scribe(in: try TemporaryFolder())
        for (index, outcome) in outcomes.enumerated() {
            let number = UInt64(index + 1)
            try scribe.record([Sample.accepted(number), Sample.ended(number, outcome)])
            let found = try scribe.story(number)?.end?.outcome
            // JSON has no infinity. It is recorded as a string.
            if case .done(.double(.infinity)?, _) = outcome { continue }
            #expect(found == outcome)
        }
    }

    @Test func `records survive a restart, and the numbers of runs continue to increase`() throws {
        let folder = try TemporaryFolder()
        var scribe: Scribe? = try Scribe(in: folder)
        for number in 1...3 { try scribe?.record(Sample.whole(UInt64(number))) }
        scribe = nil
        let second = try Scribe(in: folder)
        try second.record(Sample.whole(4))
        #expect(try second.page().runs.map(\.number) == [4, 3, 2, 1])
        var everything = Retention()
        everything.keep = .zero
        #expect(try second.prune(everything) == 3)
        try second.record(Sample.whole(5))
        #expect(try second.page().runs.map(\.number) == [5, 4])
    }

    @Test func `unfinished runs are reported at the next start, with their slots`() throws {
        let folder = try TemporaryFolder()
        var scribe: Scribe? = try Scribe(in: folder)
        try scribe?.record([Sample.accepted(1), Sample.state(1, .starting, slot: 12)])
        try scribe?.record([Sample.accepted(2)])
        try scribe?.record(Sample.whole(3))
        scribe = nil
        let second = try Scribe(in: folder)
        try second.wait("unfinished runs are reported") { !second.unfinished.isEmpty }
        #expect(second.unfinished.map(\.run) == [Sample.run(1), Sample.run(2)])
        #expect(second.unfinished.map(\.state) == [.starting, .queued])
        #expect(second.unfinished.map(\.slot) == [SlotID(number: 12), nil])
        // The runs continue after the restart.
        try second.record([Sample.state(1, .running), Sample.ended(1)])
        #expect(try second.story(1)?.changes.count == 2)
    }

    @Test func `a recorded request is found and not recorded again`() throws {
        let scribe = try Scribe(in: try TemporaryFolder())
        try scribe.record(Sample.whole(1))
        try scribe.record([Sample.accepted(2, request: 1), Sample.state(2, .starting, slot: 2)])
        let rejection = try #require(scribe.rejections.first)
        guard case .known(let known) = rejection.cause else {
            Issue.record("\(rejection)")
            return
        }
        #expect(rejection.run == Sample.run(2))
        #expect(known.run == Sample.run(1))
        #expect(known.end?.outcome == .done(value: .string("a"), dialog: nil))
        // A request of another user with the same identifier is another request.
        try scribe.record([Sample.accepted(3, user: 1001, request: 1)])
        #expect(scribe.rejections.count == 1)
    }

    @Test func `a key refers to one run as long as the requested values are equal`() throws {
        let scribe = try Scribe(in: try TemporaryFolder())
        try scribe.record([Sample.accepted(1, key: "daily", values: ["n": .int(1), "s": .string("x")])])
        try scribe.record([Sample.accepted(2, key: "daily", values: ["n": .int(1), "s": .string("x")])])
        try scribe.record([Sample.accepted(3, key: "daily", values: ["n": .int(2)])])
        try scribe.record([Sample.accepted(4, intent: "Other", key: "daily")])
        #expect(scribe.rejections.count == 2)
        guard case .known(let known)? = scribe.rejections.first?.cause,
            case .keyTaken(let owner, let differences)? = scribe.rejections.last?.cause
        else {
            Issue.record("\(scribe.rejections)")
            return
        }
        #expect(known.run == Sample.run(1))
        #expect(known.end == nil)
        #expect(owner == Sample.run(1))
        #expect(differences == ["n was 1 and is now 2", "s was \"x\" and is now not given"])
    }

    @Test func `the newest attempt to undo a run is found by its key, and runs with similar keys are not`() throws {
        let scribe = try Scribe(in: try TemporaryFolder())
        func known(_ number: UInt64) throws -> KnownRun? {
            guard
                case .known(let known) = try scribe.ask(
                    .undoable(Sample.run(number), by: Viewer(.local(user: 1000), seesAll: false))
                )
            else {
                throw NeverHappened(description: "a run")
            }
            return known
        }
        let key = "undo:\(Sample.run(1))"
        try scribe.record(Sample.whole(1))
        #expect(try known(1)?.lastUndo == nil)
        try scribe.record([Sample.accepted(2, intent: "Undo", key: key), Sample.ended(2, .failed(message: "no"))])
        try scribe.record([Sample.accepted(3, intent: "Undo", key: "\(key):2")])
        try scribe.record([Sample.accepted(4, intent: "Undo", key: "\(key):x"), Sample.accepted(5, user: 7, key: key)])
        let last = try #require(try known(1)?.lastUndo)
        #expect(last.run == Sample.run(3))
        #expect(last.key.attempt == 2)
        #expect(last.end == nil)
        try scribe.record([Sample.ended(3, .failed(message: "no"))])
        #expect(try known(1)?.lastUndo?.end?.outcome == .failed(message: "no"))
        #expect(try known(2)?.lastUndo == nil)
    }

    @Test func `a retry of an unknown run is refused`() throws {
        let scribe = try Scribe(in: try TemporaryFolder())
        try scribe.record(Sample.whole(1))
        try scribe.record([Sample.accepted(2, retryOf: Sample.run(1))])
        try scribe.record([Sample.accepted(3, retryOf: Sample.run(99))])
        #expect(scribe.rejections.map(\.run) == [Sample.run(3)])
        #expect(scribe.rejections.map(\.cause) == [.unknownPredecessor(Sample.run(99))])
        #expect(try scribe.story(2)?.retryOf == Sample.run(1))
    }

    @Test func `only their user and operators can read runs`() throws {
        let scribe = try Scribe(in: try TemporaryFolder())
        try scribe.record([Sample.accepted(1, user: 1000)])
        try scribe.record([Sample.accepted(2, user: 1001)])
        #expect(try scribe.page(user: 1000).runs.map(\.run) == [Sample.run(1)])
        #expect(try scribe.page(HistoryQuery(everybody: true), user: 1000).runs.count == 1)
        #expect(try scribe.page(HistoryQuery(user: 1001), user: 1000).runs.map(\.run) == [Sample.run(1)])
        #expect(try scribe.page(HistoryQuery(everybody: true), user: 0).runs.count == 2)
        #expect(try scribe.story(2, user: 1000) == nil)
        #expect(try scribe.story(2, user: 0) != nil)
        // An operator need not be root.
        let overseer = Viewer(.local(user: 1000), seesAll: true)
        guard case .known(.some) = try scribe.ask(.known(Sample.run(2), by: overseer)),
            case .story(.some) = try scribe.ask(.story(Sample.run(2), by: overseer))
        else { throw NeverHappened(description: "an operator sees the run") }
        guard case .known(nil) = try scribe.ask(.known(Sample.run(2), by: Viewer(.local(user: 1000), seesAll: false)))
        else {
            throw NeverHappened(description: "the run of another user is hidden")
        }
        guard
            case .logs(nil) = try scribe.ask(
                .logs(Sample.run(2), after: 0, by: Viewer(.local(user: 1000), seesAll: false))
            )
        else {
            Issue.record("another user's output is shown")
            return
        }
    }

    @Test func `runs can be queried by time, app, intent and state, page by page`() throws {
        let scribe = try Scribe(in: try TemporaryFolder())
        for number in 1...5 { try scribe.record(Sample.whole(UInt64(number))) }
        try scribe.record([
            Sample.accepted(6, intent: "SlowIntent"), Sample.state(6, .starting), Sample.state(6, .running),
        ])
        try scribe.record([Sample.accepted(7), Sample.ended(7, .cancelled(.userCancelled))])
        func numbers(_ query: HistoryQuery) throws -> [Int64] { try scribe.page(query).runs.map(\.number) }
        #expect(try numbers(HistoryQuery(state: "done", count: 2)) == [5, 4])
        #expect(try numbers(HistoryQuery(state: "done", before: 4)) == [3, 2, 1])
        #expect(try numbers(HistoryQuery(state: "live")) == [6])
        #expect(try numbers(HistoryQuery(state: "running")) == [6])
        #expect(try numbers(HistoryQuery(state: "queued")) == [])
        #expect(try numbers(HistoryQuery(state: "cancelled")) == [7])
        #expect(try numbers(HistoryQuery(intent: "Slow")) == [6])
        #expect(try numbers(HistoryQuery(app: "Unknown")) == [])
        let third = try #require(try scribe.story(3)).summary.accepted
        #expect(try numbers(HistoryQuery(since: third)) == [7, 6, 5, 4, 3])
        #expect(try numbers(HistoryQuery(until: third)) == [2, 1])
        let first = try scribe.page(HistoryQuery(count: 3))
        #expect(first.next == 5)
        #expect(try scribe.page(HistoryQuery(before: first.next)).next == nil)
    }

    @Test func `setting the clock back changes neither the order nor the durations`() throws {
        let scribe = try Scribe(in: try TemporaryFolder())
        try scribe.record(Sample.whole(1))
        scribe.wall -= 3600 * Sample.second
        try scribe.record(Sample.whole(2))
        #expect(try scribe.page().runs.map(\.number) == [2, 1])
        let story = try #require(try scribe.story(2))
        #expect(story.changes.map(\.after) == [.seconds(1), .seconds(2)])
        var hour = Retention()
        hour.keep = .seconds(60)
        // With a wall clock at 1970, no run is older than the limit, so nothing is pruned.
        #expect(try scribe.prune(hour) <= 1)
    }

    @Test func `the beginning and the end of long output are kept, and the gap is marked`() throws {
        let scribe = try Scribe(in: try TemporaryFolder())
        try scribe.record([Sample.accepted(1)])
        let line = String(repeating: "x", count: 1000)
        for number in 0..<3000 {
            scribe.send([Sample.printed(1, "\(number) \(line)\n")])
            if number % 50 == 0 { _ = try scribe.page() }
        }
        try scribe.record([Sample.ended(1)])
        var pieces: [LogPiece] = []
        var next: Int64? = 0
        while let serial = next {
            let page = try #require(try scribe.logs(1, after: serial))
            pieces += page.pieces
            next = page.next
        }
        let text = pieces.map(\.text).joined()
        #expect(text.hasPrefix("0 x"))
        #expect(text.hasSuffix("x\n"))
        #expect(text.contains("2999 x"))
        #expect(pieces.count(where: \.followsGap) == 1)
        #expect(text.utf8.count < 1_200_000)
        #expect(text.utf8.count > 500_000)
    }

    @Test func `values that look like SQL are stored as values`() throws {
        let scribe = try Scribe(in: try TemporaryFolder())
        let text = "'); DROP TABLE runs; --"
        try scribe.record([Sample.accepted(1, intent: text, key: text, values: [text: .string(text)])])
        #expect(try scribe.page(HistoryQuery(intent: text)).runs.count == 1)
        #expect(try scribe.page(HistoryQuery(app: text)).runs.count == 0)
        #expect(try scribe.page(HistoryQuery(state: text)).runs.count == 0)
        #expect(try scribe.story(1)?.values == [text: .string(text)])
    }
}
