import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Approvals that stay open (`ApproveFor=`): what they cover, for how long, and how they end.
@Suite struct StandingApprovalTests {
    private typealias Asked = ApprovalScene.Asked

    private static let hour = Duration.seconds(3600)

    private static func file(_ digit: String = "a", path: String = "/srv/file") -> PassedFile {
        let digest = String(repeating: digit, count: 64)
        return PassedFile(name: .verified(path), byteCount: 3, contents: .copy(digest: digest))
    }

    private static func asked(_ number: UInt64, _ change: (inout Asked) -> Void = { _ in }) -> Asked {
        var asked = Asked()
        asked.request.request = Scene.request(number)
        change(&asked)
        return asked
    }

    /// A scene in which the person has approved run 1, for an hour.
    private static func opened(_ change: (inout Asked) -> Void = { _ in }) throws -> ApprovalScene {
        var scene = try ApprovalScene(.always, upTo: hour)
        _ = scene.perform(asked(1, change), software: "codex")
        #expect(scene.answer(.bool(true), to: 0, for: hour, by: .person).isAccepted)
        return scene
    }

    private static func answers(in actions: [RunTable.Action]) -> [RecordedAnswer] {
        actions.compactMap { action in
            if case .record(let record) = action, case .answered(let answer) = record.fact { return answer }
            return nil
        }
    }

    private static func approvals(_ scene: ApprovalScene, of sender: ApprovalScene.Sender, seconds: Int64 = 2)
        -> [StandingApproval]?
    {
        var scene = scene
        let facts = RunTable.StatusFacts(installedAppCount: 1, problems: [])
        return scene.handle(.status(facts, of: []), by: sender, seconds: seconds).lazy
            .compactMap { if case .answer(_, _, .status(let status)) = $0 { status.standingApprovals } else { nil } }
            .first
    }

    @Test func `a standing approval covers requests with any values until its end, and they say so on record`() throws {
        var scene = try Self.opened()
        for (seconds, isCovered) in [(2, true), (3600, true), (3601, false), (9000, false)] as [(Int64, Bool)] {
            let number = UInt64(seconds)
            let asked = Self.asked(number) { $0.request.values = ["path": .string("/srv/\(seconds)")] }
            let actions = scene.perform(asked, newRun: number, software: "codex", seconds: seconds)
            #expect((scene.scene.runTable.openQuestion(of: Scene.run(number)) == nil) == isCovered, "\(seconds)")
            #expect((actions.question == nil) == isCovered)
            guard isCovered else { continue }
            #expect(actions.accepted?.needsApproval == true)
            let answer = try #require(Self.answers(in: actions).first)
            #expect(answer.question == 0 && answer.value == .bool(true) && answer.isInAdvance == true)
            #expect(answer.standing?.run == Scene.run(1) && answer.user == 1000 && answer.digest?.isEmpty == false)
            let question = actions.compactMap { action in
                if case .record(let record) = action, case .asked(let question) = record.fact { return question }
                return Question?.none
            }
            #expect(question.first?.text.contains("/srv/\(seconds)") == true && question.first?.digest == answer.digest)
        }
    }

    @Test func `the question says what would stay open, and the receipt for how long`() throws {
        var scene = try ApprovalScene(.always, upTo: Self.hour)
        let open = try #require(scene.perform(Self.asked(1), software: "co\ndex").question)
        let scope = try #require(open.scope)
        #expect(scope.longest == Self.hour)
        for part in ["uid 990", "Probe/Move", "any values", "without files", "30 s", #""co\ndex""#] {
            #expect(scope.text.contains(part), "\(scope.text)")
        }
        let receipt = try #require(
            Self.answers(in: scene.answer(.bool(true), to: 0, for: .seconds(60), by: .person)).first?.standing
        )
        #expect(receipt.remaining == .seconds(60) && receipt.text == scope.text && receipt.run == Scene.run(1))
    }

    private enum Difference: CaseIterable {
        case otherAgent, otherClient, otherIntent, otherApp, file, changedFile, otherPath, writable, limit, ceiling
        case destroys, confirmedByOther, noSetting, shorterSetting, secret
    }

    @Test(arguments: Difference.allCases)
    private func `a standing approval does not cover what it has not named`(difference: Difference) throws {
        var scene = try Self.opened { ($0.request.fileCount, $0.files) = (1, [Self.file()]) }
        var sender = ApprovalScene.Sender.agent
        var (software, seconds) = ("codex", Int64(120))
        var asked = Self.asked(2) { ($0.request.fileCount, $0.files) = (1, [Self.file()]) }
        // The request itself is covered, also without the file.
        var same = scene
        #expect(same.perform(asked, newRun: 2, software: software, seconds: seconds).question == nil)
        #expect(same.perform(Self.asked(3), newRun: 3, software: software, seconds: seconds).question == nil)
        switch difference {
        case .otherAgent: sender = .otherAgent
        case .otherClient: software = "cursor"
        case .otherIntent: asked.request.intent = "Copy"
        case .otherApp: asked.request.app = "Other"
        case .file: (asked.request.fileCount, asked.files) = (2, [Self.file(), Self.file("b", path: "/srv/b")])
        case .changedFile: asked.files = [Self.file("b")]
        case .otherPath: asked.files = [Self.file(path: "/srv/other")]
        case .writable:
            asked.request.writable = [0]
            asked.files[0].contents = .writable(device: 1, inode: 2)
        case .limit: asked.request.limit = .seconds(31)
        case .ceiling: asked.request.ceiling = .seconds(7200)
        case .destroys: scene.app.agents.effect = .destroys
        case .confirmedByOther: scene.app.confirm = .other
        case .noSetting: scene.app.agents.approvalTime = nil
        case .shorterSetting: scene.app.agents.approvalTime = .seconds(60)
        case .secret: asked.request.values["token"] = .string("s3cret")
        }
        let actions = scene.perform(asked, by: sender, newRun: 2, software: software, seconds: seconds)
        #expect(!scene.scene.launchedRuns(actions).contains(2))
        #expect((actions.question != nil) == (difference != .secret))
    }

    @Test func `an approval stays open only where the operator permits it, and only by a person`() throws {
        func answered(
            _ longest: Duration?,
            _ time: Duration,
            _ value: Bool = true,
            by sender: ApprovalScene.Sender = .person,
            _ change: (inout InstalledApp) -> Void = { _ in }
        ) throws -> (isAccepted: Bool, code: ErrorReport.Code?) {
            var scene = try ApprovalScene(.always, upTo: longest)
            change(&scene.app)
            _ = scene.perform(Self.asked(1))
            let actions = scene.answer(.bool(value), to: 0, for: time, by: sender)
            let refusal = Scene.refusal(in: actions)?.code
            // A refused answer leaves the question open.
            #expect(refusal == nil || scene.answer(.bool(true), to: 0, by: .root).isAccepted)
            return (actions.isAccepted, refusal)
        }
        #expect(try answered(Self.hour, Self.hour).isAccepted)
        for (longest, time) in [
            (nil, .seconds(1)), (Self.hour, .seconds(3601)), (Self.hour, .zero), (Self.hour, .seconds(-1)),
        ]
            as [(Duration?, Duration)]
        {
            #expect(try answered(longest, time).code == .badAnswer)
        }
        #expect(try answered(Self.hour, Self.hour, false).code == .badAnswer)
        #expect(try answered(Self.hour, Self.hour, by: .agent).code == .notPermitted)
        #expect(try answered(Self.hour, Self.hour, by: .otherUser).isAccepted == false)
        #expect(try answered(Self.hour, Self.hour) { $0.agents.effect = .destroys }.code == .badAnswer)
        #expect(try answered(Self.hour, Self.hour, by: .root) { $0.confirm = .other }.code == .badAnswer)
        var scene = try Self.opened()
        _ = scene.ask(Question(number: 1, text: "Really?", type: .bool, kind: .confirmation))
        #expect(Scene.refusal(in: scene.answer(.bool(true), to: 1, for: Self.hour, by: .person))?.code == .badAnswer)
    }

    @Test func `a covered run asks a person for its own confirmations, whatever the request answers in advance`() throws
    {
        var scene = try Self.opened()
        let asked = Self.asked(2) { $0.request.answers = AnswersInAdvance(confirmations: .all) }
        #expect(scene.perform(asked, newRun: 2, software: "codex", seconds: 2).question == nil)
        let asking = scene.ask(Question(number: 1, text: "Really?", type: .bool, kind: .confirmation))
        #expect(asking.question?.needsOther == true && asking.told.isEmpty)
        #expect(!scene.answer(.bool(true), to: 1, of: 2, by: .agent).isAccepted)
        #expect(scene.answer(.bool(true), to: 1, of: 2, by: .person).told == [.bool(true)])
    }

    @Test func `a standing approval ends when its user revokes it, with the covered runs that wait`() throws {
        var scene = try Self.opened()
        #expect(Self.approvals(scene, of: .person)?.map(\.run) == [Scene.run(1)])
        #expect(Self.approvals(scene, of: .person)?.first?.remaining == .seconds(3599))
        #expect(Self.approvals(scene, of: .root)?.count == 1 && Self.approvals(scene, of: .agent)?.count == 1)
        #expect(Self.approvals(scene, of: .otherUser) == nil && Self.approvals(scene, of: .otherAgent) == nil)
        #expect(Self.approvals(scene, of: .person, seconds: 3601) == nil)
        scene.scene.runTable.fill(to: 2)
        for number in [2, 3] as [UInt64] {
            _ = scene.perform(Self.asked(number), newRun: number, software: "codex", seconds: 2)
        }
        for sender in [ApprovalScene.Sender.otherUser, .otherAgent] {
            let refused = Scene.refusal(in: scene.handle(.revoke(run: Scene.run(1).text), by: sender))
            #expect(refused?.code == .unknownRun)
        }
        let actions = scene.handle(.revoke(run: Scene.run(1).text), by: .person, seconds: 3)
        #expect(actions.contains { if case .answer(_, _, .revoked(Scene.run(1))) = $0 { true } else { false } })
        // Run 2 has begun, and continues.
        #expect(scene.scene.runTable.isLive(Scene.run(2)) && !scene.scene.runTable.isLive(Scene.run(3)))
        let lines = actions.compactMap { if case .log(let line) = $0 { line.text } else { nil } }
        #expect(lines.contains("standing approval revoked by user 1000"))
        #expect(lines.contains { $0.contains("was revoked") })
        #expect(Scene.refusal(in: scene.handle(.revoke(run: Scene.run(1).text), by: .person))?.code == .unknownRun)
        #expect(scene.perform(Self.asked(4), newRun: 4, software: "codex", seconds: 4).question != nil)
    }

    @Test func `a covered run that waits ends when the settings do not permit the approval any more`() throws {
        var scene = try Self.opened()
        scene.scene.runTable.fill(to: 1)
        _ = scene.perform(Self.asked(2), newRun: 2, software: "codex", seconds: 2)
        #expect(scene.scene.runTable.isLive(Scene.run(2)))
        scene.app.agents.approvalTime = nil
        scene.app.revision += 1
        let reload = RunTable.Request.reload(RunTable.Capacity(), [scene.app], warnings: [])
        let actions = scene.handle(reload, by: .root, seconds: 3)
        #expect(!scene.scene.runTable.isLive(Scene.run(2)) && scene.scene.runTable.isLive(Scene.run(1)))
        #expect("\(actions)".contains("since a change of the settings"))
    }

    @Test func `a standing approval ends with intentd, and a covered run that was accepted continues`() throws {
        var scene = try Self.opened()
        let covered = scene.perform(Self.asked(2), newRun: 2, software: "codex", seconds: 2)
        let record = try #require(Self.answers(in: covered).first)
        var unfinished = UnfinishedRun(
            run: Scene.run(2),
            accepted: try #require(covered.accepted),
            acceptedMonotonic: 0,
            acceptedBoottime: 0,
            state: .queued
        )
        unfinished.lastAnswer = record
        var table = RunTable(capacity: RunTable.Capacity(), succession: .adopts, at: at(2))
        _ = table.handle(.inputsKept(Scene.run(2)), at: at(2))
        _ = table.handle(.found(FoundRun(unfinished, app: .found(scene.app)), absence: .zero), at: at(2))
        #expect(table.isLive(Scene.run(2)) && table.openQuestion(of: Scene.run(2)) == nil)
        let facts = RunTable.StatusFacts(installedAppCount: 1, problems: [])
        let status = table.handle(
            .requested(ApprovalScene.Sender.root.origin(), .status(facts, of: [])),
            at: at(2)
        )
        #expect("\(status)".contains("standingApprovals: nil"))
    }

    @Test func `a later approval with the same scope replaces the earlier one`() throws {
        var scene = try Self.opened()
        scene.app.agents.approvalTime = nil
        _ = scene.perform(Self.asked(2), newRun: 2, software: "codex")
        scene.app.agents.approvalTime = Self.hour
        _ = scene.perform(Self.asked(3) { $0.request.limit = .seconds(90) }, newRun: 3, software: "codex", seconds: 2)
        #expect(scene.answer(.bool(true), to: 0, of: 3, for: .seconds(60), by: .person).isAccepted)
        #expect(Self.approvals(scene, of: .person)?.map(\.run) == [Scene.run(3)])
    }
}

extension RunTable {
    /// Reloads the settings with at most this many runs at a time.
    fileprivate mutating func fill(to count: Int) {
        var capacity = RunTable.Capacity()
        capacity.runCount = count
        _ = handle(
            .requested(ApprovalScene.Sender.root.origin(), .reload(capacity, [], warnings: [])),
            at: at(2)
        )
    }
}
