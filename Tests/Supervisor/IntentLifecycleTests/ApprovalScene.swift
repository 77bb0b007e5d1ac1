import IntentLauncherMessages
import IntentLifecycle
import Testing

/// A run table in which an agent or a person requests one run, with the senders of later messages.
struct ApprovalScene {
    /// The sender of a request or of a later message.
    enum Sender: CaseIterable {
        /// The agent with uid 990, which requested the run unless the person did.
        case agent
        /// The agent with uid 990, with a client that declares the entry point `mcp`.
        case agentOverMCP
        /// Another agent of the same person.
        case otherAgent
        /// The person that the agents act for.
        case person
        /// The person's own client of the entry point `mcp`, which shows forms.
        case personOverMCP
        case root
        /// Another user. With `Confirm=other`, the user may confirm.
        case otherUser

        var agent: UInt32? {
            switch self {
            case .agent, .agentOverMCP: 990
            case .otherAgent: 991
            case .person, .personOverMCP, .root, .otherUser: nil
            }
        }

        var entryPoint: EntryPoint? {
            switch self {
            case .agentOverMCP, .personOverMCP: .mcp
            case .agent, .otherAgent, .person, .root, .otherUser: nil
            }
        }

        private var user: Caller {
            switch self {
            case .agent, .agentOverMCP, .otherAgent, .person, .personOverMCP: Scene.user
            case .root: .local(user: 0)
            case .otherUser: .local(user: 1001)
            }
        }

        func origin(_ files: [PassedFile] = []) -> RunTable.RequestOrigin {
            var caller = CallerProcess(user)
            caller.agent = agent
            var origin = RunTable.RequestOrigin(
                client: ClientID(number: 9),
                user: user,
                rank: RunAccess.Rank(of: user),
                groups: [],
                id: 7,
                caller: caller
            )
            origin.agent = agent
            origin.files = files
            return origin
        }
    }

    /// A request of the run, and the files of its descriptors.
    struct Asked {
        var request = PerformRequest(
            request: Scene.request(1),
            app: "Probe",
            intent: "Move",
            values: ["path": .string("/srv/a")]
        )
        var files: [PassedFile] = []
    }

    static let catalog = IntentCatalog(
        intents: ["Move", "Copy"].map { name in
            var token = ParameterDeclaration(name: "token", title: "Token", type: .string, isOptional: true)
            token.isSecret = true
            var path = ParameterDeclaration(name: "path", title: "Path", type: .string)
            path.hasOptions = true
            let other = ParameterDeclaration(name: "other", title: "Other", type: .string, isOptional: true)
            let imitation = ParameterDeclaration(name: "(choice)", title: "C", type: .string, isOptional: true)
            return IntentDeclaration(name: name, title: name, parameters: [path, other, token, imitation])
        }
    )

    var scene: Scene
    /// The settings of the apps when a request arrives.
    var app: InstalledApp
    private(set) var slot: SlotID?

    init(_ asking: AgentRule.Asking, confirm: ConfirmRule = .caller, upTo approvalTime: Duration? = nil) throws {
        var app = Scene.app
        app.agents.allowance = .all
        app.agents.asking = asking
        app.agents.approvalTime = approvalTime
        app.confirm = confirm
        self.app = app
        scene = Scene()
        for name in ["Probe", "Other"] {
            let found = AppLookup.found(self.app(named: name))
            let asked = scene.runTable.handle(
                .requested(Scene.client, Scene.user, id: 0, .describe(found)),
                at: at(0)
            )
            let slot = try scene.launchedSlot(asked, mode: .describe)
            _ = scene.runTable.handle(.reported(slot, .catalog(Self.catalog)), at: at(0))
            _ = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0))
        }
    }

    private func app(named name: String) -> InstalledApp {
        var other = Scene.app(name)
        (other.agents, other.confirm) = (app.agents, app.confirm)
        return other
    }

    /// Requests run 1.
    mutating func perform(
        _ asked: Asked,
        by sender: Sender = .agent,
        newRun: UInt64 = 1,
        software: String = "",
        seconds: Int64 = 0
    ) -> [RunTable.Action] {
        var app = app(named: asked.request.app)
        if asked.request.plan != nil {
            var plan = ShortcutPlan(title: asked.request.intent)
            plan.steps = [ShortcutPlan.Step(name: "one", line: 1, work: .wait(milliseconds: 1))]
            app.shortcut = InstalledShortcut(plan: plan, catalog: Self.catalog)
        }
        let request = RunTable.Request.perform(
            asked.request,
            newRun: Scene.run(newRun),
            .found(app),
            refusal: nil
        )
        var origin = sender.origin(asked.files)
        origin.caller.software = software
        let actions = scene.runTable.handle(.requested(origin, request), at: at(seconds))
        slot = actions.launchedSlot ?? slot
        return actions
    }

    mutating func answer(
        _ value: IntentValue,
        to number: UInt64,
        files: Int? = nil,
        of run: UInt64 = 1,
        for scope: Duration? = nil,
        by sender: Sender
    ) -> [RunTable.Action] {
        var answer = AnswerRequest(run: Scene.run(run).text, question: number, value: value, files: files)
        answer.scope = scope
        answer.entryPoint = sender.entryPoint
        let actions = scene.runTable.handle(.requested(sender.origin(), .answer(answer)), at: at(1))
        slot = actions.launchedSlot ?? slot
        return actions
    }

    /// Begins the run, in which the worker asks a question.
    mutating func ask(_ question: Question) -> [RunTable.Action] {
        guard let slot else { return [] }
        _ = scene.runTable.handle(.launched(slot, Scene.isolation), at: at(1))
        _ = scene.runTable.handle(.reported(slot, .started), at: at(1))
        return scene.runTable.handle(.reported(slot, .question(question)), at: at(1))
    }

    /// Returns the table of the next `intentd`, which has adopted run 1, and the question that it asks.
    func next(after actions: [RunTable.Action]) throws -> (table: RunTable, question: Question) {
        var table = RunTable(capacity: RunTable.Capacity(), succession: .adopts, at: at(2))
        _ = table.handle(.inputsKept(Scene.run(1)), at: at(2))
        var found = found(1, try #require(actions.accepted), .asking)
        found.remainder = actions.remainder
        _ = table.handle(.found(found, absence: .zero), at: at(2))
        let answer = table.describeQuestion(of: Scene.run(1).text, to: Sender.person.origin(), at: at(2))
        let question = if case .asking(let asking) = answer { asking.question.question } else { Question?.none }
        return (table, try #require(question))
    }

    /// Returns a run that an earlier `intentd` left.
    func found(_ number: UInt64, _ accepted: AcceptedRun, _ state: RunState) -> FoundRun {
        let record = UnfinishedRun(
            run: Scene.run(number),
            accepted: accepted,
            acceptedMonotonic: 0,
            acceptedBoottime: 0,
            state: state
        )
        return FoundRun(record, app: .found(app))
    }

    mutating func handle(_ request: RunTable.Request, by sender: Sender, seconds: Int64 = 1) -> [RunTable.Action] {
        scene.runTable.handle(.requested(sender.origin(), request), at: at(seconds))
    }
}

extension [RunTable.Action] {
    /// The record of the accepted run.
    var accepted: AcceptedRun? {
        lazy.compactMap { action in
            if case .record(let record) = action, case .accepted(let accepted) = record.fact { return accepted }
            return nil
        }.first
    }

    /// The unrecorded state of the run.
    var remainder: RunRemainder? {
        lazy.compactMap { if case .keep(_, let remainder) = $0 { remainder } else { nil } }.first
    }

    /// The open question that a run's subscribers receive.
    var question: OpenQuestion? {
        lazy.compactMap { action in
            if case .publish(_, let numbered) = action, case .question(let open) = numbered.event { return open }
            return nil
        }.first
    }

    /// The answers that the worker receives.
    var told: [IntentValue] {
        compactMap { if case .send(_, _, .answer(_, let value, _)) = $0 { value } else { nil } }
    }

    /// The slot of a launched run.
    fileprivate var launchedSlot: SlotID? {
        lazy.compactMap { if case .launch(let request) = $0, request.run != nil { request.slot } else { nil } }.first
    }

    /// True if an answer was accepted.
    var isAccepted: Bool {
        contains { if case .answer(_, _, .answerAccepted) = $0 { true } else { false } }
    }
}
