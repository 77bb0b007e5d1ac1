import Foundation
import IntentHistory
import IntentLauncherMessages
import IntentLinux
import TestSupport
import Testing

@Suite(.ownThread, .timeLimit(.minutes(2))) struct CallerTests {
    @Test func `an account with a reused uid has none of the previous account's runs`() throws {
        let scribe = try Scribe(in: try TemporaryFolder())
        let (ann, ben) = (Caller.local(user: 1000, account: "ann"), Caller.local(user: 1000, account: "ben"))
        try scribe.record([Sample.accepted(1, account: "ann", key: "k"), Sample.ended(1), Sample.gone(1)])
        func runs(_ viewer: Viewer, _ query: HistoryQuery = HistoryQuery()) throws -> [RunID] {
            guard case .page(let page) = try scribe.ask(.page(query, by: viewer)) else {
                throw NeverHappened(description: "a page")
            }
            return page.runs.map(\.run)
        }
        #expect(try runs(Viewer(ann, seesAll: false)) == [Sample.run(1)])
        #expect(try runs(Viewer(ben, seesAll: false)) == [])
        #expect(try runs(Viewer(.local(user: 1000), seesAll: false)) == [])
        for question in [
            HistoryQuestion.known(Sample.run(1), by: Viewer(ben, seesAll: false)),
            .undoable(Sample.run(1), by: Viewer(ben, seesAll: false)),
        ] {
            guard case .known(nil) = try scribe.ask(question) else { throw NeverHappened(description: "it is hidden") }
        }
        guard case .story(nil) = try scribe.ask(.story(Sample.run(1), by: Viewer(ben, seesAll: false))) else {
            throw NeverHappened(description: "it is hidden")
        }
        // The keys and requests of the previous account do not prevent new runs.
        try scribe.record([Sample.accepted(2, account: "ben", request: 1, key: "k")])
        #expect(try runs(Viewer(ben, seesAll: false)) == [Sample.run(2)])
        // An operator queries by uid.
        let operatorsView = Viewer(.local(user: 0, account: "root"), seesAll: true)
        #expect(try runs(operatorsView, HistoryQuery(user: 1000)) == [Sample.run(2), Sample.run(1)])
        guard case .page(let page) = try scribe.ask(.page(HistoryQuery(user: 1000), by: operatorsView)) else {
            throw NeverHappened(description: "a page")
        }
        #expect(page.runs.map(\.userName) == ["ben", "ann"])
        // An operator queries by name, with or without the uid; for other users, the name has no effect.
        var byName = HistoryQuery()
        byName.account = "ann"
        #expect(try runs(operatorsView, byName) == [Sample.run(1)])
        #expect(try runs(Viewer(ben, seesAll: false), byName) == [Sample.run(2)])
        byName.user = 1001
        #expect(try runs(operatorsView, byName) == [])
        // A run of ben cannot be a retry of ann's run.
        try scribe.record([Sample.accepted(3, account: "ben", retryOf: Sample.run(1))])
        #expect(try runs(Viewer(ben, seesAll: false)) == [Sample.run(2)])
    }

    @Test func `an agent reads only its own runs, its person reads all of them, also after a restart`() throws {
        let folder = try TemporaryFolder()
        var scribe: Scribe? = try Scribe(in: folder)
        try scribe?.record([
            Sample.accepted(1, key: "k"), Sample.accepted(2, agent: 500, request: 2), Sample.accepted(3, agent: 501),
        ])
        let person = Caller.local(user: 1000)
        func visible(to requester: Requester) throws -> [RunID] {
            let viewer = Viewer(requester, seesAll: false)
            guard case .page(let page)? = try scribe?.ask(.page(HistoryQuery(), by: viewer)) else { return [] }
            for number in UInt64(1)...3 {
                let run = Sample.run(number)
                let isListed = page.runs.contains { $0.run == run }
                guard case .story(let story)? = try scribe?.ask(.story(run, by: viewer)),
                    case .known(let known)? = try scribe?.ask(.known(run, by: viewer)),
                    case .logs(let logs)? = try scribe?.ask(.logs(run, after: 0, by: viewer))
                else { throw NeverHappened(description: "answers") }
                #expect((story != nil) == isListed && (known != nil) == isListed && (logs != nil) == isListed)
            }
            return page.runs.map(\.run)
        }
        #expect(try visible(to: Requester(person)) == [Sample.run(3), Sample.run(2), Sample.run(1)])
        #expect(try visible(to: Requester(person, agent: 500)) == [Sample.run(2)])
        // An agent cannot access a run of another requester, neither by a key nor by a request, and receives neither
        // its identifier nor its values.
        try scribe?.record([
            Sample.accepted(4, agent: 500, key: "k"), Sample.accepted(5, agent: 501, request: 2),
            Sample.accepted(6, agent: 500, key: "k", values: ["n": .int(2)]),
        ])
        #expect(scribe?.rejections.map(\.cause) == [.keyUnavailable, .keyUnavailable, .keyUnavailable])
        scribe = nil
        scribe = try Scribe(in: folder)
        try scribe?.wait("unfinished runs are reported") { scribe?.unfinished.count == 3 }
        #expect(scribe?.unfinished.map(\.accepted.caller.agent) == [nil, 500, 501])
    }
}
