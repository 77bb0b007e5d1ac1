import IntentLauncherMessages
import IntentLifecycle
import Testing

/// What the run of an agent is told, when, and by which sender: every part of a request × every later message × every
/// sender.
@Suite struct ApprovalTests {
    private typealias Sender = ApprovalScene.Sender
    private typealias Asked = ApprovalScene.Asked

    // MARK: Parts of a request

    /// The parts for each stored property of a request.
    private static let properties: [String: [RequestPart]] = [
        "request": [.request], "app": [.app], "intent": [.intent], "values": [.values, .secretValues],
        "fileCount": [.files], "writable": [.writable], "_limit": [.limit], "_ceiling": [.ceiling],
        "onDisconnect": [.onDisconnect], "locale": [.locale], "query": [.query], "key": [.key], "retryOf": [.retryOf],
        "undoOf": [.undoOf], "plan": [.plan], "entryPoint": [.entryPoint], "traceparent": [.traceparent],
        "isInteractive": [.isInteractive], "answers": [],
    ]
    private static let answers: [String: [RequestPart]] = [
        "values": [.answerValues, .secretAnswerValues], "confirmations": [.answerConfirmations],
        "others": [.answerOthers],
    ]

    @Test func `every property of a request has its parts, and every part its property`() {
        func names(_ value: Any) -> Set<String> { Set(Mirror(reflecting: value).children.compactMap(\.label)) }
        #expect(names(Asked().request) == Set(Self.properties.keys))
        #expect(names(AnswersInAdvance()) == Set(Self.answers.keys))
        let parts = (Array(Self.properties.values) + Array(Self.answers.values)).flatMap(\.self)
        #expect(Set(parts) == Set(RequestPart.allCases) && parts.count == RequestPart.allCases.count)
    }

    private static let file = PassedFile(
        name: .verified("/srv/file"),
        byteCount: 3,
        contents: .copy(digest: String(repeating: "ab", count: 32))
    )

    /// Returns a request without the part, and the same request with it.
    private static func requests(with part: RequestPart) -> (without: Asked, with: Asked) {
        var without = Asked()
        if part == .writable { (without.request.fileCount, without.files) = (1, [file]) }
        if part == .undoOf { without.request.intent = "Copy" }
        var with = without
        switch part {
        case .request: with.request.request = Scene.request(2)
        case .app: with.request.app = "Other"
        case .intent: with.request.intent = "Copy"
        case .values: with.request.values = ["path": .string("/srv/b")]
        case .secretValues: with.request.values["token"] = .string("s3cret")
        case .files: (with.request.fileCount, with.files) = (1, [file])
        case .writable:
            with.request.writable = [0]
            with.files[0].contents = .writable(device: 1, inode: 2)
        case .limit: with.request.limit = .seconds(7)
        case .ceiling: with.request.ceiling = .seconds(77)
        case .onDisconnect: with.request.onDisconnect = .continue
        case .locale: with.request.locale = "de_AT.UTF-8"
        case .query: with.request.query = OptionsQuery(parameter: "path")
        case .key: with.request.key = "daily"
        case .retryOf: with.request.retryOf = Scene.run(99)
        // intentd replaces it by an intent and a key before the run table receives the request.
        case .undoOf: with.request.key = UndoKey(run: Scene.run(99), attempt: 1).text
        case .entryPoint: with.request.entryPoint = .mcp
        // intentd replaces it by the shortcut that it describes.
        case .plan: with.request.plan = "[Shortcut Move]"
        case .traceparent: with.request.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        case .isInteractive: with.request.isInteractive = true
        case .answerValues: with.request.answers = AnswersInAdvance(values: ["other": .string("/srv/c")])
        case .secretAnswerValues: with.request.answers = AnswersInAdvance(values: ["token": .string("s3cret")])
        case .answerConfirmations: with.request.answers = AnswersInAdvance(confirmations: .all)
        case .answerOthers: with.request.answers = AnswersInAdvance(others: .refuse)
        }
        return (without, with)
    }

    @Test(arguments: RequestPart.allCases)
    func `what an agent's request tells the run is in the question and its digest, or has no effect, or is refused`(
        part: RequestPart
    ) throws {
        let (without, with) = Self.requests(with: part)
        var first = try ApprovalScene(.always)
        var second = try ApprovalScene(.always)
        let before = try #require(first.perform(without).question).question
        let actions = second.perform(with)
        switch part.treatment {
        case .shown:
            let after = try #require(actions.question).question
            #expect(after.text != before.text && after.digest != before.digest)
        case .ignored:
            let after = try #require(actions.question).question
            #expect(after == before)
        case .refused:
            #expect(Scene.refusal(in: actions)?.code == .notPermitted)
            #expect(!"\(actions)".contains("s3cret"))
            #expect(!second.scene.runTable.isLive(Scene.run(1)))
        case .unapproved: #expect(actions.question == nil && second.scene.launchedRuns(actions) == [1])
        }
        // The run of a person is not affected.
        var own = try ApprovalScene(.always)
        #expect(
            own.scene.launchedRuns(own.perform(with, by: .person))
                == [part == .entryPoint || part == .plan ? nil : 1].compactMap(\.self)
        )
    }

    @Test func `a request with more files or answers than the question can show is refused`() throws {
        var asked = Asked()
        asked.request.answers = AnswersInAdvance(values: ["other": .string(String(repeating: "x", count: 5000))])
        var scene = try ApprovalScene(.always)
        #expect(Scene.refusal(in: scene.perform(asked))?.code == .tooLarge)
        asked = Asked()
        asked.files = (0..<200).map { number in
            var file = Self.file
            file.name = .verified("/srv/folder-with-a-long-name/\(number)")
            return file
        }
        asked.request.fileCount = 200
        #expect(Scene.refusal(in: scene.perform(asked))?.code == .tooLarge)
        asked = Asked()
        asked.request.key = String(repeating: "k", count: 2000)
        #expect(Scene.refusal(in: scene.perform(asked))?.code == .tooLarge)
        #expect(!scene.scene.runTable.isLive(Scene.run(1)))
    }

    @Test func `no parameter's name imitates the answer to a choice`() throws {
        var asked = Asked()
        asked.request.answers = AnswersInAdvance(
            values: [AnswersInAdvance.choiceName: .string("a"), "(choice)": .string("b")]
        )
        var scene = try ApprovalScene(.always)
        let question = try #require(scene.perform(asked).question).question
        #expect(question.text.contains(#"Answers in advance: (choice)="a", "(choice)"="b""#), "\(question.text)")
        asked.request.answers = AnswersInAdvance(values: [AnswersInAdvance.choiceName: .string("a")])
        var choice = try ApprovalScene(.always)
        let first = try #require(choice.perform(asked).question).question
        asked.request.answers = AnswersInAdvance(values: ["(choice)": .string("a")])
        var parameter = try ApprovalScene(.always)
        let second = try #require(parameter.perform(asked).question).question
        #expect(first.text != second.text && first.digest != second.digest)
    }

    @Test(arguments: ApprovalScene.Sender.allCases)
    func `before files are copied, the run table refuses the senders that may not answer`(
        sender: ApprovalScene.Sender
    ) throws {
        for (asks, number) in [(false, 0), (true, 1)] as [(Bool, UInt64)] {
            var scene = try ApprovalScene(.always)
            _ = scene.perform(Asked())
            if asks {
                _ = scene.answer(.bool(true), to: 0, by: .person)
                _ = scene.ask(Question(number: 1, text: "Which file?", type: .string))
            }
            for wrong in [number, number + 7] {
                var answer = AnswerRequest(
                    run: Scene.run(1).text,
                    question: wrong,
                    value: asks ? .string("a") : .bool(true)
                )
                answer.entryPoint = sender.entryPoint
                let refusal = scene.scene.runTable.refusal(of: answer, from: sender.origin())
                var later = scene
                let actions = later.answer(answer.value, to: wrong, by: sender)
                #expect(Scene.refusal(in: actions) == refusal)
                #expect(wrong == number || refusal != nil)
            }
        }
    }

    @Test func `an approver who may not read the record sees whole values, or the request is refused`() throws {
        let text = String(repeating: "x", count: 1000) + "rm -rf"
        for rule in [ConfirmRule.caller, .other, .members(of: [7])] {
            var asked = Asked()
            asked.request.values["path"] = .string(text)
            var scene = try ApprovalScene(.always, confirm: rule)
            let question = try #require(scene.perform(asked).question).question
            #expect(question.text.contains(text) == (rule != .caller))
            #expect(rule != .caller || question.text.contains("characters in total"))
            asked.request.values["path"] = .string(String(repeating: "x", count: 5000))
            var second = try ApprovalScene(.always, confirm: rule)
            #expect((Scene.refusal(in: second.perform(asked))?.code == .tooLarge) == (rule != .caller))
        }
    }

    // MARK: Later messages

    private enum Phase: CaseIterable {
        case ofPerson
        case notRequired
        case awaited
        case covered
        case given
    }

    private enum Message: CaseIterable {
        case approve
        case refuse
        case value
        case choice
        case files
        case confirm
        case destructiveChoice
        case repetition
        case cancel
        case watch
        case question
    }

    /// The question that the worker asks before the message arrives.
    private static func question(for message: Message) -> Question {
        let cases = [EnumerationCase(value: "a", title: "A"), EnumerationCase(value: "b", title: "B")]
        switch message {
        case .files: return Question(number: 1, text: "Which?", type: .file, kind: .value)
        case .choice: return Question(number: 1, text: "Which?", type: .enumeration(cases), kind: .choice)
        case .destructiveChoice:
            var cases = cases
            cases[1].style = .destructive
            return Question(number: 1, text: "Which?", type: .enumeration(cases), kind: .choice)
        case .confirm: return Question(number: 1, text: "Really?", type: .bool, kind: .confirmation)
        case .approve, .refuse, .value, .repetition, .cancel, .watch, .question:
            return Question(number: 1, text: "Where?", type: .string, kind: .value)
        }
    }

    /// The table: whether the run receives what the message carries.
    private static func isTold(_ message: Message, by sender: Sender, in phase: Phase, _ rule: ConfirmRule) -> Bool {
        let mayConfirm =
            switch sender {
            case .agent, .agentOverMCP, .otherAgent: false
            case .person, .personOverMCP: rule == .caller
            case .root: true
            case .otherUser: rule == .other
            }
        let mayAnswer =
            switch sender {
            case .agent, .agentOverMCP: phase == .notRequired
            case .person, .personOverMCP, .root: true
            case .otherAgent, .otherUser: false
            }
        return switch (message, phase) {
        case (.approve, .awaited), (.refuse, .awaited): mayConfirm
        case (.approve, _), (.refuse, _): false
        case (.value, .awaited), (.choice, .awaited), (.files, .awaited), (.confirm, .awaited),
            (.destructiveChoice, .awaited):
            false
        case (.value, _), (.choice, _), (.files, _): mayAnswer
        case (.confirm, _), (.destructiveChoice, _): mayConfirm
        case (.repetition, _), (.cancel, _), (.watch, _), (.question, _): false
        }
    }

    /// Brings a run into a phase. Returns nil for a request that has no such phase.
    private static func scene(
        in phase: Phase,
        _ rule: ConfirmRule,
        _ asked: Asked,
        _ question: Question
    ) throws -> ApprovalScene? {
        // With the entry point of an agent, no request is a person's.
        if phase == .ofPerson, asked.request.entryPoint == .mcp { return nil }
        let longest: Duration? = phase == .covered ? .seconds(60) : nil
        var scene = try ApprovalScene(phase == .notRequired ? .never : .always, confirm: rule, upTo: longest)
        if phase == .covered {
            var first = asked
            first.request.request = Scene.request(8)
            _ = scene.perform(first, newRun: 8)
            guard scene.answer(.bool(true), to: 0, of: 8, for: longest, by: .person).isAccepted else { return nil }
        }
        let accepted = scene.perform(asked, by: phase == .ofPerson ? .person : .agent)
        guard Scene.refusal(in: accepted) == nil else { return nil }
        if phase == .awaited { return scene }
        // No approval covers a file that the run may change.
        if phase == .covered, accepted.question != nil { return nil }
        if phase == .given {
            let approver: Sender = rule == .caller ? .person : .otherUser
            let approved = scene.answer(.bool(true), to: 0, by: approver)
            guard approved.isAccepted else { return nil }
        }
        let asking = scene.ask(question)
        // The request itself has answered or refused the question.
        guard asking.question != nil else {
            #expect(asked.request.answers != nil)
            // An agent's confirmation in advance is never used.
            #expect(!question.isConfirmation || asking.told.isEmpty || phase == .ofPerson)
            return nil
        }
        return scene
    }

    private static func send(
        _ message: Message,
        by sender: Sender,
        _ asked: Asked,
        to scene: inout ApprovalScene
    ) -> [RunTable.Action] {
        switch message {
        case .approve: return scene.answer(.bool(true), to: 0, by: sender)
        case .refuse: return scene.answer(.bool(false), to: 0, by: sender)
        case .value: return scene.answer(.string("/etc/shadow"), to: 1, by: sender)
        case .choice: return scene.answer(.string("a"), to: 1, by: sender)
        case .files:
            return scene.answer(.file(FileReference(index: 0, name: "a")), to: 1, files: 1, by: sender)
        case .confirm: return scene.answer(.bool(true), to: 1, by: sender)
        case .destructiveChoice: return scene.answer(.string("b"), to: 1, by: sender)
        case .repetition:
            var other = asked
            other.request.values = ["path": .string("/etc/shadow")]
            other.request.entryPoint = sender.entryPoint ?? asked.request.entryPoint
            return scene.perform(other, by: sender, newRun: 2)
        case .cancel: return scene.handle(.cancel(run: Scene.run(1).text), by: sender)
        case .watch: return scene.handle(.watch(run: Scene.run(1).text, after: nil), by: sender)
        case .question: return scene.handle(.question(run: Scene.run(1).text), by: sender)
        }
    }

    @Test(arguments: RequestPart.allCases, [ConfirmRule.caller, .other])
    func `what a later message tells the run depends on its sender and on the approval`(
        part: RequestPart,
        rule: ConfirmRule
    ) throws {
        var asked = Self.requests(with: part).with
        // A query for options asks no person, and a request of another app has another catalogue.
        // The run of a shortcut has no worker.
        if part == .query || part == .plan { asked = Asked() }
        for phase in Phase.allCases {
            for message in Message.allCases {
                guard let start = try Self.scene(in: phase, rule, asked, Self.question(for: message)) else { continue }
                for sender in Sender.allCases {
                    var scene = start
                    let actions = Self.send(message, by: sender, asked, to: &scene)
                    let expected = Self.isTold(message, by: sender, in: phase, rule)
                    #expect(actions.isAccepted == expected, "\(part) \(phase) \(message) \(sender) \(rule)")
                    #expect(
                        actions.told.isEmpty == (!expected || phase == .awaited),
                        "\(part) \(phase) \(message) \(sender) \(rule)"
                    )
                    // Only an approval starts a run that waits for it.
                    let starts = message == .approve && expected
                    #expect(
                        scene.scene.launchedRuns(actions).contains(1) == starts,
                        "\(part) \(phase) \(message) \(sender) \(rule)"
                    )
                }
            }
        }
    }

    @Test(arguments: Approval.allCases, Approval.Answer.allCases)
    func `in advance, a request answers no approval, and confirms only a person's run`(
        approval: Approval,
        answer: Approval.Answer
    ) {
        for rule in [ConfirmRule.caller, .other, .members(of: [1])] {
            let isPermitted =
                switch answer {
                case .approval: false
                case .confirmation: approval == .ofNoAgent && rule == .caller
                case .value: approval != .awaited
                }
            #expect(approval.permitsInAdvance(answer, rule) == isPermitted)
        }
    }

    @Test func `a confirmation in advance confirms only a person's run`() throws {
        for phase in [Phase.ofPerson, .notRequired, .given] {
            var asked = Asked()
            asked.request.answers = AnswersInAdvance(confirmations: .all)
            var scene = try ApprovalScene(phase == .notRequired ? .never : .always)
            _ = scene.perform(asked, by: phase == .ofPerson ? .person : .agent)
            if phase == .given { _ = scene.answer(.bool(true), to: 0, by: .person) }
            let asking = scene.ask(Self.question(for: .confirm))
            #expect(asking.told == (phase == .ofPerson ? [.bool(true)] : []), "\(phase)")
            #expect((asking.question == nil) == (phase == .ofPerson), "\(phase)")
        }
    }

    @Test func `the open question states that the agent may not answer it, and a person's client shows its form`()
        throws
    {
        let question = Self.question(for: .value)
        for (phase, sender, needsOther) in [
            (Phase.given, Sender.agent, true), (.notRequired, .agent, nil), (.given, .personOverMCP, nil),
        ] {
            var asked = Asked()
            asked.request.entryPoint = sender.entryPoint
            var scene = try ApprovalScene(phase == .notRequired ? .never : .always)
            _ = scene.perform(asked, by: sender)
            if phase == .given { _ = scene.answer(.bool(true), to: 0, by: .person) }
            #expect(scene.ask(question).question?.needsOther == needsOther, "\(phase) \(sender)")
        }
    }
}
