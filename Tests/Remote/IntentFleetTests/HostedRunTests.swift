import IntentFleet
import IntentProtocol
import Testing

/// The connection to intentd of a run that this host performs.
struct HostedRunTests {
    private static let id = RunID(randomBits: 77)
    private var run = FleetRun(
        id: 5,
        attempt: 2,
        intent: "A/B",
        owner: "ada@web1",
        arguments: #"{"values":{"text":"x"}}"#,
        policy: .once,
        token: "t"
    )

    @Test func `a run is requested for its owner, with a key that names the attempt`() throws {
        var hosted = HostedRun(run)
        #expect(hosted.start() == [.connect(after: .zero)])
        #expect(hosted.user == "ada@web1")
        let perform = try #require(performed(hosted.handle(.connected)))
        #expect(perform.key == "fleet t 2")
        #expect(perform.values == ["text": .string("x")])
        #expect(perform.onDisconnect == .continue)
    }

    @Test func `a run with files is requested when the files are here, with their number`() throws {
        var hosted = HostedRun(runWithFiles)
        #expect(hosted.start() == [.fetch(hosted.inputs)])
        #expect(hosted.inputs.map(\.byteCount) == [3])
        #expect(hosted.handle(.answered("{}")) == [])
        #expect(hosted.handle(.fetched) == [.connect(after: .zero)])
        #expect(try #require(performed(hosted.handle(.connected))).fileCount == 1)
        // After a crash of intentd, the files are still here.
        #expect(hosted.handle(.disconnected).count == 1)
        #expect(try #require(performed(hosted.handle(.connected))).fileCount == 1)
    }

    @Test
    func `a run without its files ends as not started, and one that is cancelled before they arrive as cancelled`() {
        var hosted = HostedRun(runWithFiles)
        _ = hosted.start()
        #expect(outcome(hosted.handle(.notFetched(message: "the host 'web9' was lost"))) == "notStarted")
        #expect(hosted.handle(.fetched) == [])
        var cancelled = HostedRun(runWithFiles)
        _ = cancelled.start()
        #expect(outcome(cancelled.handle(.stopRequested(.cancelled("userCancelled")))) == "cancelled")
        var swept = HostedRun(runWithFiles)
        _ = swept.start()
        #expect(outcome(swept.handle(.stopRequested(.swept))) == "notStarted")
    }

    @Test(arguments: [
        #"[{"byteCount":-1,"digest":"D"}]"#, #"[{"byteCount":1,"digest":"../../etc/passwd"}]"#,
        #"[{"byteCount":1073741825,"digest":"D"}]"#,
        #"[{"byteCount":1073741824,"digest":"D"},{"byteCount":1,"digest":"D"}]"#,
        "[" + Array(repeating: #"{"byteCount":1,"digest":"D"}"#, count: 17).joined(separator: ",") + "]",
    ])
    func `descriptions of files that no host writes are refused`(files: String) {
        var invalid = run
        invalid.arguments = "{\"values\":{},\"files\":\(files.replacing("D", with: String(repeating: "a", count: 64)))}"
        var hosted = HostedRun(invalid)
        #expect(outcome(hosted.start()) == "notStarted")
    }

    private var runWithFiles: FleetRun {
        var run = run
        let digest = String(repeating: "0a", count: 32)
        run.arguments = "{\"values\":{},\"files\":[{\"byteCount\":3,\"digest\":\"\(digest)\"}]}"
        return run
    }

    @Test func `an intentd that refuses the owner performs nothing, and one that is busy is asked again`() {
        var hosted = HostedRun(run)
        _ = hosted.start()
        var busy = ErrorReport(.busy, "too many connections")
        busy.retryAfter = .seconds(2)
        #expect(hosted.handle(.refused(busy)) == [.close, .connect(after: .seconds(2))])
        #expect(outcome(hosted.handle(.refused(ErrorReport(.notPermitted, "no")))) == "notStarted")
    }

    @Test func `after a lost connection the request is repeated with the same key`() throws {
        var hosted = performing()
        guard case .connect(let pause)? = hosted.handle(.disconnected).first else {
            Issue.record("the host does not connect again")
            return
        }
        #expect(pause > .zero)
        #expect(try #require(performed(hosted.handle(.connected))).key == "fleet t 2")
    }

    @Test func `a cancellation is passed on with its reason, also when it arrives before the acceptance`() {
        var hosted = performing()
        let cancel = ClientRequest.cancel(run: Self.id.text, reason: .clientDisconnected)
        #expect(requests(hosted.handle(.stopRequested(.cancelled("clientDisconnected")))) == [cancel])
        var early = HostedRun(run)
        _ = early.start()
        #expect(early.handle(.stopRequested(.cancelled("clientDisconnected"))) == [])
        _ = early.handle(.connected)
        #expect(requests(early.handle(.received(.answer(id: 2, .accepted(run: Self.id))))) == [cancel])
    }

    @Test func `the owner's next run uses the connection again, unless an answer may still arrive on it`() throws {
        let done = event(.finished(end(.done(value: nil, dialog: nil))))
        var first = performing()
        #expect(first.handle(done).first == .release)
        var second = HostedRun(run)
        _ = second.start()
        #expect(try #require(performed(second.handle(.connected))).key == "fleet t 2")
        _ = second.handle(.received(.answer(id: 2, .accepted(run: Self.id))))
        _ = second.handle(.stopRequested(.cancelled("userCancelled")))
        #expect(second.handle(done).first == .close)
    }

    @Test func `a busy intentd is asked again, and any other refusal ends the run as not started`() {
        var hosted = HostedRun(run)
        _ = hosted.start()
        _ = hosted.handle(.connected)
        var busy = ErrorReport(.busy, "full")
        busy.retryAfter = .seconds(3)
        #expect(hosted.handle(.received(.answer(id: 2, .refused(busy)))) == [.close, .connect(after: .seconds(3))])
        _ = hosted.handle(.connected)
        let actions = hosted.handle(.received(.answer(id: 2, .refused(ErrorReport(.unknownIntent, "no")))))
        #expect(outcome(actions) == "notStarted")
        #expect(hosted.handle(.disconnected) == [])
    }

    @Test func `a question is opened once, its answer is sent once, and a refused answer asks again`() {
        var hosted = performing()
        let question = OpenQuestion(Question(number: 1, text: "How many?", type: .int), remaining: .seconds(60))
        #expect(hosted.handle(event(.question(question))) == [.ask(question)])
        let stored = #"{"question":1,"answer":3}"#
        let answer = ClientRequest.answer(AnswerRequest(run: Self.id.text, question: 1, value: .int(3)))
        #expect(requests(hosted.handle(.answered(stored))) == [answer])
        #expect(hosted.handle(.answered(stored)) == [])
        let refusal = ErrorReport(.badAnswer, "too many")
        #expect(hosted.handle(.received(.answer(id: 4, .refused(refusal)))) == [.ask(nil), .ask(question)])
        #expect(hosted.handle(.answered(#"{"question":2,"answer":3}"#)) == [])
        #expect(hosted.handle(.answered("{")) == [])
        #expect(requests(hosted.handle(.answered(stored))) == [answer])
        #expect(hosted.handle(event(.state(.running, reason: nil))) == [.ask(nil)])
    }

    @Test func `events of another run are ignored`() {
        var hosted = performing()
        let other = NumberedEvent(run: RunID(randomBits: 1), serial: 1, .finished(end(.done(value: nil, dialog: nil))))
        #expect(hosted.handle(.received(.event(other))) == [])
    }

    @Test func `the files of a result stay on the host, and the end says how many there are`() throws {
        var hosted = performing()
        var files = end(.done(value: .string("a"), dialog: nil))
        files.fileCount = 2
        let actions = hosted.handle(event(.finished(files)))
        #expect(outcome(actions) == "done")
        guard case .end(let recorded)? = actions.last, let json = recorded.result else {
            Issue.record("\(actions)")
            return
        }
        let end = try WireCoding.decode(RunEnd.self, from: Array(json.utf8))
        #expect(end.fileCount == 0 && end.keptFileCount == 2)
    }

    @Test func `a result that is too large ends the run as failed and says why`() {
        var large = performing()
        let text = String(repeating: "a", count: 70_000)
        #expect(outcome(large.handle(event(.finished(end(.done(value: .string(text), dialog: nil)))))) == "failed")
        var small = performing()
        #expect(outcome(small.handle(event(.finished(end(.done(value: .int(1), dialog: nil)))))) == "done")
    }

    @Test func `a view that the database would not store is replaced with a sentence, and the result remains`() throws {
        let source = IntentReference(intent: "ShowOrder", values: [:])
        // The database stores a space after each comma, so that this view is too large only there.
        let texts = Array(repeating: SnippetElement(.text(String(repeating: ",", count: 128))), count: 300)
        let snippet = Snippet(root: SnippetElement(.stack(.vertical), texts), source: source)
        #expect(WireCoding.encode(snippet).count < 65_536)
        var shows = performing()
        var end = end(.done(value: .int(1), dialog: nil))
        end.account.details = RunDetails(snippet: snippet)
        let actions = shows.handle(event(.finished(end)))
        #expect(outcome(actions) == "done")
        guard case .end(let stored)? = actions.last, let json = stored.result else {
            Issue.record("\(actions)")
            return
        }
        let kept = try WireCoding.decode(RunEnd.self, from: Array(json.utf8))
        let sentence = Snippet(
            root: SnippetElement(.text("The view exceeds 65536 bytes, the limit of a fleet.")),
            source: source
        )
        #expect(kept.account.details?.snippet == sentence)
        var asks = performing()
        var question = Question(number: 1, text: "Order it?", type: .bool, kind: .confirmation)
        question.snippet = snippet
        let asked = asks.handle(event(.question(OpenQuestion(question, remaining: .seconds(9)))))
        question.snippet = sentence
        #expect(asked == [.ask(OpenQuestion(question, remaining: .seconds(9)))])
    }

    @Test func `a run that this host's intentd lost is reported as lost, so that another attempt can follow`() {
        var hosted = performing()
        guard case .end(let end)? = hosted.handle(event(.finished(end(.lost(message: "no exit status"))))).last else {
            Issue.record("no end")
            return
        }
        #expect(end.state == .lost && end.reason == "no exit status")
    }

    @Test func `arguments that cannot be read end the run at once`() {
        var broken = run
        broken.arguments = "[]"
        var hosted = HostedRun(broken)
        #expect(outcome(hosted.start()) == "notStarted")
        var unnamed = run
        unnamed.intent = "A"
        var other = HostedRun(unnamed)
        #expect(outcome(other.start()) == "notStarted")
    }

    @Test(arguments: [1, 31, 32, 33, 1_000_000, (1 << 50) - 1] as [Int64])
    func `a run's number and its identifier name one another`(number: Int64) {
        #expect(RunID(fleet: number).fleetNumber == number)
        #expect(RunID(RunID(fleet: number).text) == RunID(fleet: number))
    }

    // MARK: Support

    private func performing() -> HostedRun {
        var hosted = HostedRun(run)
        _ = hosted.start()
        _ = hosted.handle(.connected)
        _ = hosted.handle(.received(.answer(id: 2, .accepted(run: Self.id))))
        return hosted
    }

    private func event(_ event: RunEvent) -> HostedRun.Event {
        .received(.event(NumberedEvent(run: Self.id, serial: 1, event)))
    }

    private func end(_ outcome: RunOutcome) -> RunEnd {
        RunEnd(run: Self.id, outcome: outcome, account: RunAccount())
    }

    private func requests(_ actions: [HostedRun.Action]) -> [ClientRequest] {
        actions.compactMap { if case .send(let numbered) = $0 { numbered.request } else { nil } }
    }

    private func performed(_ actions: [HostedRun.Action]) -> PerformRequest? {
        requests(actions).lazy.compactMap { if case .perform(let request) = $0 { request } else { nil } }.first
    }

    /// The kind of the outcome that the actions record.
    private func outcome(_ actions: [HostedRun.Action]) -> String? {
        for case .end(let recorded) in actions {
            guard let json = recorded.result,
                let end = try? WireCoding.decode(RunEnd.self, from: Array(json.utf8))
            else { return "unreadable" }
            #expect((recorded.state == .done) == (end.outcome.kindName == "done"))
            return end.outcome.kindName
        }
        return nil
    }
}
