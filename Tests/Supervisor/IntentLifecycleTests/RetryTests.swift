import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Failed runs that are performed again (`Retry=`, `Backoff=`).
@Suite struct RetryTests {
    private func app(count: Int = 2, _ change: (inout InstalledApp) -> Void = { _ in }) -> InstalledApp {
        var app = Scene.app
        var rule = RetryRule()
        rule.count = count
        rule.backoff = Backoff(first: .seconds(10), longest: .seconds(15))
        app.intentRules["Echo", default: IntentRules()].retry = rule
        app.notify.onFailure = NotifyRule.Target("Mail/Send")
        change(&app)
        return app
    }

    /// Performs a request, which fails or succeeds, and returns the actions of its end.
    private func run(
        _ request: PerformRequest,
        _ number: UInt64,
        in scene: inout Scene,
        of app: InstalledApp,
        fails: Bool = true,
        at seconds: Int64 = 0,
        begun: (inout RunTable) -> Void = { _ in }
    ) throws -> [RunTable.Action] {
        let requested = scene.runTable.handle(
            .requested(Scene.client, Scene.user, id: number, .perform(request, newRun: Scene.run(number), .found(app))),
            at: at(seconds)
        )
        #expect(Scene.refusal(in: requested) == nil)
        let slot = try scene.launchedSlot(requested, mode: .once)
        _ = scene.launched(slot)
        begun(&scene.runTable)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(seconds))
        let ending: WorkerEnding = fails ? .threw(message: "no") : .returned(value: .string("a"), dialog: nil)
        var actions = scene.runTable.handle(
            .reported(slot, .finished(WorkerResult(ending: ending))),
            at: at(seconds)
        )
        actions += scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(seconds))
        return actions
    }

    private func first(key: String? = nil) -> PerformRequest {
        PerformRequest(app: "Probe", intent: "Echo", values: ["text": .string("a")], key: key)
    }

    private func repetition(_ actions: [RunTable.Action]) -> PerformRequest? {
        actions.lazy.compactMap { if case .notify(.retry(let retry)) = $0 { retry.request } else { nil } }.first
    }

    private func reports(_ actions: [RunTable.Action]) -> Int {
        actions.count { if case .notify(.perform) = $0 { true } else { false } }
    }

    @Test func `a failed run is repeated after growing pauses, and only the last failure is reported`() throws {
        var scene = try Scene.ready()
        let app = app()
        var request = first(key: "schedule:nightly:x")
        var seconds: Int64 = 0
        var keys: [String?] = []
        for (number, pause) in [(1 as UInt64, 10 as Int64), (2, 15)] {
            let ended = try run(request, number, in: &scene, of: app, at: seconds)
            #expect(reports(ended) == 0)
            #expect(
                ended.contains {
                    if case .log(let line) = $0 { line.text.contains("repetition \(number) of 2") } else { false }
                }
            )
            let early = scene.runTable.handle(.timerFired(.notifications), at: at(seconds + pause - 1))
            #expect(repetition(early) == nil)
            seconds += pause
            request = try #require(repetition(scene.runTable.handle(.timerFired(.notifications), at: at(seconds))))
            #expect(request.retryOf == Scene.run(number))
            keys.append(request.key)
        }
        #expect(keys == ["schedule:nightly:x#1", "schedule:nightly:x#2"])
        let ended = try run(request, 3, in: &scene, of: app, at: seconds)
        #expect(reports(ended) == 1)
        #expect(ended.contains { if case .log(let line) = $0 { line.text.hasPrefix("gave up") } else { false } })
        #expect(repetition(scene.runTable.handle(.timerFired(.notifications), at: at(seconds + 1000))) == nil)
    }

    @Test func `a repetition survives a crash with its identifier, and a success ends the repetitions`() throws {
        var scene = try Scene.ready()
        let app = app()
        let ended = try run(first(), 1, in: &scene, of: app)
        var rows: [String: String] = [:]
        for case .record(let record) in ended {
            if case .stored(let name, let value) = record.fact { rows[name] = value }
        }
        let request = try #require(repetition(scene.runTable.handle(.timerFired(.notifications), at: at(10))))
        var next = try Scene.ready()
        #expect(repetition(next.runTable.handle(.recalled(rows), at: at(5))) == nil)
        #expect(repetition(next.runTable.handle(.timerFired(.notifications), at: at(10))) == request)
        _ = try run(request, 2, in: &next, of: app, fails: false, at: 10)
        #expect(repetition(next.runTable.handle(.timerFired(.notifications), at: at(1000))) == nil)
    }

    @Test func `a repetition has the secret values, which are not stored, and is lost with them`() throws {
        var scene = try Scene.ready()
        let app = app { $0.secretNames = ["text"] }
        var request = first(key: "schedule:nightly:x")
        request.answers = AnswersInAdvance(values: ["text": .string("4711")], others: .refuse)
        let ended = try run(request, 1, in: &scene, of: app)
        var rows: [String: String] = [:]
        for case .record(let record) in ended {
            if case .stored(let name, let value) = record.fact { rows[name] = value }
        }
        #expect(
            !rows.isEmpty && !rows.values.contains { $0.contains("4711") || $0.contains(#""text":"a""#) },
            "\(rows)"
        )
        let again = try #require(repetition(scene.runTable.handle(.timerFired(.notifications), at: at(10))))
        #expect(again.values == ["text": .string("a")])
        #expect(again.answers == request.answers)
        // The next intentd does not know the values. Its refusal makes the failure the last one.
        var next = try Scene.ready()
        let due = next.runTable.handle(.recalled(rows), at: at(20))
        let lost = try #require(
            due.lazy.compactMap { if case .notify(.retry(let retry)) = $0 { retry } else { nil } }.first
        )
        #expect(lost.isIncomplete == true && lost.secrets == ["text"] && lost.request.values == [:])
        var capacity = RunTable.Capacity()
        capacity.notify.onFailure = NotifyRule.Target("Mail/Send")
        _ = next.runTable.handle(
            .requested(Scene.client, Scene.user, id: 9, .reload(capacity, [], warnings: [])),
            at: at(20)
        )
        #expect(reports(next.runTable.handle(.undelivered(again.request, "intentd has restarted"), at: at(20))) == 1)
    }

    @Test func `a run with files is repeated with them if they can be read again, and the journal says if not`() throws
    {
        for isRepeatable in [true, false] {
            var scene = try Scene.ready()
            var request = first()
            request.fileCount = 1
            let actions = try run(request, 1, in: &scene, of: app()) { table in
                if isRepeatable { _ = table.handle(.filesRepeatable(Scene.run(1)), at: at(0)) }
            }
            let lines = actions.compactMap { if case .log(let line) = $0 { line.text } else { nil } }
            #expect(lines.contains { $0.contains(isRepeatable ? "repetition 1 of 2" : "is not repeated") }, "\(lines)")
            #expect(reports(actions) == (isRepeatable ? 0 : 1))
            #expect(scene.runTable.needsFiles(of: Scene.run(1)) == isRepeatable)
            let again = repetition(scene.runTable.handle(.timerFired(.notifications), at: at(1000)))
            #expect(again?.fileCount == (isRepeatable ? 1 : nil))
        }
    }

    @Test func `a run is not repeated without the operator's word`() throws {
        for change in [
            { $0.intentRules["Echo"]?.retry = nil },
            // The rule for the app applies only to idempotent intents.
            {
                $0.retry.count = 3
                $0.intentRules["Echo"]?.retry = nil
            },
        ] as [(inout InstalledApp) -> Void] {
            var scene = try Scene.ready()
            _ = try run(first(), 1, in: &scene, of: app(change))
            #expect(repetition(scene.runTable.handle(.timerFired(.notifications), at: at(1000))) == nil)
        }
        var idempotent = try Scene.ready()
        let app = app {
            $0.retry.count = 3
            $0.intentRules["Echo"]?.retry = nil
            $0.agents.isIdempotent = true
        }
        _ = try run(first(), 1, in: &idempotent, of: app)
        #expect(repetition(idempotent.runTable.handle(.timerFired(.notifications), at: at(1000))) != nil)
    }

    @Test func `cancelling the failed run ends its repetitions`() throws {
        var scene = try Scene.ready()
        _ = try run(first(), 1, in: &scene, of: app())
        _ = scene.runTable.handle(
            .requested(Scene.client, Scene.user, id: 9, .cancel(run: Scene.run(1).text)),
            at: at(1)
        )
        #expect(repetition(scene.runTable.handle(.timerFired(.notifications), at: at(1000))) == nil)
    }
}
