import IntentHistory
import IntentLauncherMessages
import TestSupport
import Testing

/// Tests the import of runs from another history.
@Suite(.ownThread, .timeLimit(.minutes(2))) struct ImportTests {
    /// Records of a run with a question, an answer, a cancel request and a signal.
    private static func eventful(_ number: UInt64) -> [RunRecord] {
        let run = Sample.run(number)
        let question = Question(number: 1, text: "Really?", type: .bool, kind: .confirmation)
        let answer = AnswerNotice(question: 1, by: CallerProcess(user: 7, process: 8, software: "s"))
        return [
            Sample.accepted(number, account: "ann", key: "k\(number)"), Sample.state(number, .starting, slot: 3),
            RunRecord(run, .asked(question)), RunRecord(run, .answered(RecordedAnswer(answer, value: .bool(true)))),
            RunRecord(run, .cancelRequested(CallerProcess(user: 7, process: 8, software: "s"))),
            RunRecord(run, .signalled(.terminate)), Sample.ended(number, .cancelled(.userCancelled)),
            Sample.gone(number),
        ]
    }

    private func stories(_ numbers: [UInt64], in scribe: Scribe) throws -> [RunStory] {
        try numbers.map { try #require(try scribe.story($0, user: 0)) }
    }

    /// Returns the story without the values that the target history assigns.
    private func content(of story: RunStory) -> RunStory {
        var story = story
        story.summary.number = 0
        story.summary.isImported = nil
        for index in story.changes.indices {
            guard case .answer(var answer) = story.changes[index].event else { continue }
            answer.link = nil
            story.changes[index].event = .answer(answer)
        }
        return story
    }

    @Test func `an imported run has the record of the original run, and is marked as imported`() throws {
        let source = try Scribe(in: try TemporaryFolder())
        try source.record(Self.eventful(1))
        try source.record(Sample.whole(2))
        let originals = try stories([1, 2], in: source)
        let folder = try TemporaryFolder()
        var target: Scribe? = try Scribe(in: folder)
        try target?.record(Sample.whole(3))
        #expect(try target?.importRuns(originals) == ImportReport(runCount: 2))
        for number in UInt64(1)...2 {
            let imported = try #require(try target?.story(number, user: 0))
            #expect(content(of: imported) == content(of: originals[Int(number) - 1]))
            #expect(imported.summary.isImported == true)
        }
        #expect(try target?.story(3)?.summary.isImported == nil)
        // A repeated import adds nothing.
        #expect(try target?.importRuns(originals) == ImportReport(knownCount: 2))
        // The next intentd does not consider the imported runs unfinished.
        target = nil
        let next = try Scribe(in: folder)
        try next.record([Sample.accepted(4)])
        #expect(next.unfinished.isEmpty)
    }

    @Test func `an unfinished run is not imported, nor is one with a known key or request`() throws {
        let source = try Scribe(in: try TemporaryFolder())
        try source.record([Sample.accepted(1)])
        try source.record([Sample.accepted(2, key: "k"), Sample.ended(2), Sample.gone(2)])
        let originals = try stories([1, 2], in: source)
        let target = try Scribe(in: try TemporaryFolder())
        try target.record([Sample.accepted(5, key: "k"), Sample.ended(5), Sample.gone(5)])
        #expect(try target.importRuns(originals) == ImportReport(knownCount: 1, unfinishedCount: 1))
        #expect(try target.page().runs.map(\.run) == [Sample.run(5)])
    }

    @Test func `a request of an imported run is not performed again`() throws {
        let source = try Scribe(in: try TemporaryFolder())
        try source.record(Sample.whole(1))
        let target = try Scribe(in: try TemporaryFolder())
        _ = try target.importRuns(try stories([1], in: source))
        try target.record([Sample.accepted(9, request: 1)])
        guard case .known(let known)? = target.rejections.first?.cause else {
            throw NeverHappened(description: "the request is on record")
        }
        #expect(known.run == Sample.run(1))
    }

    @Test func `impossible times are imported without harm`() throws {
        let source = try Scribe(in: try TemporaryFolder())
        try source.record(Sample.whole(1))
        var story = try stories([1], in: source)[0]
        story.summary.accepted = Timestamp(millisecondsSince1970: .max)
        story.end?.after = .milliseconds(Int64.max)
        story.changes[0].time = Timestamp(millisecondsSince1970: .min)
        let target = try Scribe(in: try TemporaryFolder())
        #expect(try target.importRuns([story]).runCount == 1)
        #expect(try target.story(1) != nil)
    }
}
