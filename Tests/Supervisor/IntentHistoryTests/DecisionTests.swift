import Foundation
import IntentHash
import IntentHistory
import IntentLauncherMessages
import TestSupport
import Testing

/// The chains of decisions: each user's answers to confirmations, numbered and hashed when they are recorded.
@Suite(.ownThread, .timeLimit(.minutes(2))) struct DecisionTests {
    /// Records of an ended run with the answers to a confirmation and to another question.
    private static func decided(
        _ number: UInt64,
        _ value: Bool = true,
        user: UInt32 = 1000,
        agent: UInt32? = nil
    ) -> [RunRecord] {
        let run = Sample.run(number)
        func answered(_ question: UInt64, _ value: IntentValue) -> RunRecord {
            let notice = AnswerNotice(question: question, by: CallerProcess(user: 7, process: 8, software: "s é"))
            return RunRecord(run, .answered(RecordedAnswer(notice, value: value)))
        }
        return [
            Sample.accepted(number, user: user, agent: agent), Sample.state(number, .starting, slot: 3),
            RunRecord(run, .asked(Question(number: 1, text: "Where?", type: .string, kind: .value))),
            answered(1, .string("here")),
            RunRecord(run, .asked(Question(number: 2, text: "Really? é", type: .bool, kind: .confirmation))),
            answered(2, .bool(value)), Sample.ended(number), Sample.gone(number),
        ]
    }

    private static let decisions: HistoryQuery = {
        var query = HistoryQuery()
        query.isAnswered = true
        return query
    }()

    private func answers(_ number: UInt64, in scribe: Scribe) throws -> [(RecordedAnswer, Timestamp)] {
        try #require(try scribe.story(number, user: 0)).changes.compactMap { change in
            if case .answer(let answer) = change.event { return (answer, change.time) }
            return nil
        }
    }

    @Test func `each decision has a number and the hash of the decision before it, and other answers have none`() throws
    {
        let scribe = try Scribe(in: try TemporaryFolder())
        var previous = String(repeating: "0", count: 64)
        for number in UInt64(1)...3 {
            try scribe.record(Self.decided(number, number != 2))
            let answers = try answers(number, in: scribe)
            #expect(answers.count == 2 && answers[0].0.link == nil)
            let link = try #require(answers[1].0.link)
            #expect(link.number == Int64(number) && link.previous == previous)
            let bytes = DecisionLink.bytes(
                number: link.number,
                previous: previous,
                run: Sample.run(number),
                app: "Probe",
                intent: "Echo",
                question: Question(number: 2, text: "Really? é", type: .bool, kind: .confirmation),
                answer: answers[1].0,
                isApproved: number != 2,
                at: answers[1].1
            )
            #expect(link.hash == SHA256.hexadecimal(of: bytes))
            previous = link.hash
        }
        let head = DecisionHead(user: 1000, userName: "", number: 3, hash: previous)
        #expect(try scribe.page(Self.decisions).heads == [head])
        #expect(try scribe.page().heads == nil)
    }

    @Test func `the head remains when history has removed the runs, and the next decision continues the chain`() throws
    {
        let folder = try TemporaryFolder()
        var head: DecisionHead?
        var none = Retention()
        none.runCountMax = 0
        do {
            let scribe = try Scribe(in: folder)
            // History keeps its newest run.
            try scribe.record(Self.decided(1) + Sample.whole(2))
            head = try scribe.page(Self.decisions).heads?.first
            #expect(try scribe.prune(none) == 1)
            let page = try scribe.page(Self.decisions)
            #expect(page.runs.isEmpty && page.heads == [head].compactMap(\.self))
        }
        let scribe = try Scribe(in: folder)
        try scribe.record(Self.decided(3))
        let link = try answers(3, in: scribe)[1].0.link
        #expect(link?.number == 2 && link?.previous == head?.hash)
    }

    @Test func `users see the heads of their own chains, operators all, and agents none`() throws {
        let scribe = try Scribe(in: try TemporaryFolder())
        try scribe.record(Self.decided(1) + Self.decided(2, user: 1001) + Self.decided(3, user: 1001))
        func heads(user: UInt32, everybody: Bool? = nil, of other: UInt32? = nil) throws -> [[Int64]] {
            var query = Self.decisions
            (query.everybody, query.user) = (everybody, other)
            return try scribe.page(query, user: user).heads?.map { [Int64($0.user), $0.number] } ?? []
        }
        #expect(try heads(user: 1000) == [[1000, 1]] && heads(user: 1000, everybody: true, of: 1001) == [[1000, 1]])
        #expect(try heads(user: 1002) == [])
        #expect(try heads(user: 0, everybody: true) == [[1000, 1], [1001, 2]])
        #expect(try heads(user: 0, of: 1001) == [[1001, 2]])
        let viewer = Viewer(Requester(.local(user: 1000), agent: 990), seesAll: false)
        guard case .page(let page) = try scribe.ask(.page(Self.decisions, by: viewer)) else {
            throw NeverHappened(description: "a page")
        }
        #expect(page.heads == nil)
    }

    @Test func `an imported decision is in no chain, because another history has numbered it`() throws {
        let source = try Scribe(in: try TemporaryFolder())
        try source.record(Self.decided(1))
        let story = try #require(try source.story(1, user: 0))
        let target = try Scribe(in: try TemporaryFolder())
        try target.record(Self.decided(2))
        #expect(try target.importRuns([story]) == ImportReport(runCount: 1))
        #expect(try answers(1, in: target).allSatisfy { $0.0.link == nil })
        #expect(try target.page(Self.decisions).heads?.map(\.number) == [1])
    }
}
