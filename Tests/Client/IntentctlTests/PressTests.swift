import IntentClient
import Testing
import intentctl

/// Tests which control `intentctl press` selects.
@Suite struct PressTests {
    private let run = RunID(randomBits: 7)

    private func control(_ bowls: Int64) -> SnippetElement {
        let action = IntentReference(intent: "SetBowls", values: ["bowls": .int(bowls)])
        return SnippetElement(.control(SnippetControl(action: action)), [SnippetElement(.text("\(bowls) bowls"))])
    }

    private func story(
        state: RunState? = nil,
        asks questions: [Snippet?] = [],
        shows snippet: Snippet? = nil
    ) -> RunStory {
        var summary = RecordedRun(
            number: 1,
            run: run,
            app: "Soup",
            intent: "OrderSoup",
            user: 1000,
            entryPoint: .commandLine,
            accepted: Timestamp(millisecondsSince1970: 0)
        )
        summary.state = state
        let changes = questions.enumerated().map { index, snippet in
            var question = Question(number: UInt64(index + 1), text: "Order it?", type: .bool, kind: .confirmation)
            question.snippet = snippet
            return Recorded(
                time: Timestamp(millisecondsSince1970: 0),
                after: .zero,
                event: RunChange.question(question)
            )
        }
        var account = RunAccount(runtime: .zero)
        account.details = RunDetails(snippet: snippet)
        let end = RecordedEnd(outcome: .done(value: nil, dialog: nil), account: account, lastSerial: 1)
        return RunStory(
            summary: summary,
            process: 1,
            software: "",
            request: RequestID(randomBits: 0, 1),
            key: nil,
            retryOf: nil,
            traceparent: nil,
            traits: [],
            values: [:],
            secretNames: [],
            fileCount: 0,
            limits: RunLimits(),
            changes: changes,
            end: state == nil ? Recorded(time: Timestamp(millisecondsSince1970: 0), after: .zero, event: end) : nil,
            exit: nil,
            printedByteCount: 0
        )
    }

    private func snippet(_ bowls: Int64...) -> Snippet {
        Snippet(root: SnippetElement(.stack(.vertical), bowls.map(control)))
    }

    private func bowls(_ word: String, in story: RunStory) throws -> IntentValue? {
        try ControlSelection.find(word, in: story).control.action.values["bowls"]
    }

    @Test func `a number selects a control of the result in reading order`() throws {
        let story = story(shows: snippet(5, 6))
        #expect(try bowls("1", in: story) == .int(5))
        #expect(try bowls("2", in: story) == .int(6))
        for word in ["0", "3", "-1", "one", "99999999999999999999"] {
            #expect(throws: CommandFailure.self) { try bowls(word, in: story) }
        }
    }

    @Test func `while a run asks, its open question provides the controls, and afterwards only its result`() throws {
        let asking = story(state: .asking, asks: [snippet(1), snippet(2)])
        #expect(try bowls("1", in: asking) == .int(2))
        #expect(story(state: .asking, asks: [snippet(1), nil]).snippet == nil)
        #expect(story(state: .running, asks: [snippet(1)]).snippet == nil)
        #expect(story(asks: [snippet(1)], shows: snippet(3)).snippet == snippet(3))
        #expect(throws: CommandFailure.self) { try bowls("1", in: story(asks: [snippet(1)])) }
    }

    @Test func `show prints the snippet of a run and the command that uses it`() {
        let text = StoryText.show(story(shows: snippet(5, 6)), now: Timestamp(millisecondsSince1970: 0))
        #expect(
            text.contains("snippet:\n  [1] 5 bowls\n  [2] 6 bowls\n  to press a control: intentctl press \(run) 1…2\n"),
            "\(text)"
        )
    }
}
