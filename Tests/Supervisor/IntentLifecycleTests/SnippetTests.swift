import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Tests what intentd permits in the snippet that a worker reports.
@Suite struct SnippetTests {
    private func control(_ intent: String, _ values: [String: IntentValue] = [:]) -> SnippetElement {
        SnippetElement(
            .control(SnippetControl(action: IntentReference(intent: intent, values: values))),
            [SnippetElement(.text("Press"))]
        )
    }

    private let label = SnippetElement(.stack(.horizontal), [SnippetElement(.text("Press"))])

    /// Reports the result, and returns the actions.
    private func actions(
        for snippet: Snippet,
        _ ending: WorkerEnding = .returned(value: nil, dialog: nil),
        app: InstalledApp = Scene.app
    ) throws -> [RunTable.Action] {
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")], app: app), mode: .once)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let result = WorkerResult(ending: ending, details: RunDetails(snippet: snippet))
        return scene.runTable.handle(.reported(slot, .finished(result)), at: at(1))
    }

    private func recorded(_ actions: [RunTable.Action]) -> Snippet? {
        actions.lazy.compactMap { action -> RecordedEnd? in
            if case .record(let record) = action, case .ended(let end) = record.fact { end } else { nil }
        }.first?.account.details?.snippet
    }

    private func published(_ actions: [RunTable.Action]) -> Snippet? {
        actions.lazy.compactMap { action -> RunEnd? in
            if case .publish(_, let event) = action, case .finished(let end) = event.event { end } else { nil }
        }.first?.account.details?.snippet
    }

    @Test func `controls with secrets, files, deep values or unknown intents are shown as their labels`() throws {
        var app = Scene.app
        app.intentRules["Echo", default: IntentRules()].secretNames = ["text"]
        var deep = IntentValue.int(1)
        for _ in 0...SnippetCheck.nestingLimit { deep = .array([deep]) }
        let usable = control("AddIntent", ["left": .int(1)])
        let snippet = Snippet(
            root: SnippetElement(
                .stack(.vertical),
                [
                    usable, control("Echo", ["text": .string("hush")]), control("Elsewhere"),
                    control("AddIntent", ["left": deep]),
                    control("AddIntent", ["left": .file(FileReference(index: 0, name: "x"))]),
                ]
            ),
            source: IntentReference(intent: "Echo", values: ["text": .string("hush")])
        )
        let expected = Snippet(root: SnippetElement(.stack(.vertical), [usable, label, label, label, label]))
        let actions = try actions(for: snippet, app: app)
        #expect(published(actions) == expected)
        #expect(recorded(actions) == expected)
    }

    @Test func `a source that the app declares is kept, and one that it does not declare is removed`() throws {
        let root = SnippetElement(.text("a"))
        let known = Snippet(root: root, source: IntentReference(intent: "AddIntent", values: ["left": .int(1)]))
        #expect(try published(actions(for: known)) == known)
        let unknown = Snippet(root: root, source: IntentReference(intent: "Elsewhere", values: [:]))
        #expect(try published(actions(for: unknown)) == Snippet(root: root))
    }

    @Test func `a worker with a snippet beyond the limit of bytes is killed, and a thrown error shows nothing`() throws
    {
        let large = Snippet(root: SnippetElement(.text(String(repeating: "x", count: Snippet.byteLimit))))
        #expect(
            try actions(for: large).contains { if case .signal(_, .kill) = $0 { true } else { false } }
        )
        let small = Snippet(root: SnippetElement(.text("x")))
        #expect(try recorded(actions(for: small)) == small)
        #expect(try recorded(actions(for: small, .threw(message: "no"))) == nil)
    }

    private func asked(_ snippet: Snippet) throws -> Question? {
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")]), mode: .once)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        var question = Question(number: 1, text: "Order it?", type: .bool, kind: .confirmation)
        question.snippet = snippet
        let actions = scene.runTable.handle(.reported(slot, .question(question)), at: at(1))
        return actions.lazy.compactMap { action -> Question? in
            if case .publish(_, let event) = action, case .question(let open) = event.event {
                open.question
            } else {
                nil
            }
        }.first
    }

    @Test func `a question shows its snippet without pictures, and without it if both are too large`() throws {
        let picture = SnippetElement(.image(FileReference(index: 0, name: "soup.png")))
        let snippet = Snippet(root: SnippetElement(.stack(.vertical), [picture, control("Elsewhere")]))
        let expected = Snippet(root: SnippetElement(.stack(.vertical), [SnippetElement(.text("soup.png")), label]))
        #expect(try asked(snippet)?.snippet == expected)
        let large = Snippet(root: SnippetElement(.text(String(repeating: "x", count: Question.byteLimit))))
        let question = try #require(try asked(large))
        #expect(question.text == "Order it?")
        #expect(question.snippet == nil)
    }

    @Test func `a client can decode a snippet with the deepest permitted values in every message`() throws {
        var value = IntentValue.int(1)
        for _ in 0..<SnippetCheck.nestingLimit { value = .object(["a": value]) }
        let snippet = Snippet(
            root: control("AddIntent", ["left": value]),
            source: IntentReference(intent: "AddIntent", values: ["left": value])
        )
        let shown = try #require(published(actions(for: snippet)))
        #expect(shown == snippet)
        var account = RunAccount(runtime: .zero)
        account.details = RunDetails(snippet: shown)
        let end = RunEnd(run: Scene.run(1), outcome: .done(value: nil, dialog: nil), account: account)
        let event = NumberedEvent(run: Scene.run(1), serial: 1, .finished(end))
        for message in [ClientMessage.event(event), .answer(id: 1, .ended(end))] {
            #expect(try WireCoding.decode(ClientMessage.self, from: WireCoding.encode(message)) == message)
        }
    }
}
