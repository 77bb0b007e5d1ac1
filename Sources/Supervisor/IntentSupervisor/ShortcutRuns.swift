import IntentConfiguration
import IntentHistory
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// Performs what the run table decides for shortcuts: requests the runs of steps in the same way as a client, and reports
/// their ends.
///
/// Must be used only on the event loop's thread.
final class ShortcutRuns {
    /// The step of a shortcut's run.
    private struct Step: Hashable {
        var shortcut: RunID
        var key: String
        var app: String
    }

    /// The time after which a request is repeated that a limit has refused, if the refusal states none.
    private static let pause = Duration.seconds(1)

    private let decisions: RunDecisions
    private let apps: AppDirectory
    private let recorder: Recorder
    private let files: PassedFiles
    private let results: RunResults
    private let questions: HistoryRequests
    /// Requests that were not answered, by number.
    private var requested: [UInt64: StepRequest] = [:]
    /// Runs that have not ended.
    private var live: [RunID: Set<Step>] = [:]
    private var budget = StepBudget()
    private var lastID: UInt64 = 0
    /// Tasks that were decided before ``start()``; nil after ``start()``.
    private var early: [(RunID, RunTable.ShortcutTask)]? = []

    init(
        decisions: RunDecisions,
        apps: AppDirectory,
        recorder: Recorder,
        files: PassedFiles,
        results: RunResults,
        questions: HistoryRequests
    ) {
        self.decisions = decisions
        self.apps = apps
        self.recorder = recorder
        self.files = files
        self.results = results
        self.questions = questions
    }

    /// Performs the tasks that were decided before runs could be performed. Later tasks are performed immediately.
    func start() {
        let waiting = early ?? []
        early = nil
        for (shortcut, task) in waiting { perform(task, of: shortcut) }
    }

    func perform(_ task: RunTable.ShortcutTask, of shortcut: RunID) {
        guard early == nil else {
            early?.append((shortcut, task))
            return
        }
        switch task {
        case .request(let request): self.request(request)
        case .recall(let run): recall(run, for: shortcut)
        case .follow(let key, let run):
            live[run, default: []].insert(
                Step(shortcut: shortcut, key: key, app: decisions.table.app(of: run)?.text ?? "")
            )
        case .collect(let slot, let sources): collect(sources, of: shortcut, in: slot)
        case .deliver(let input): decisions.handle(.stepReported(shortcut, .delivered(input)))
        }
    }

    // MARK: Requests

    private func request(_ step: StepRequest) {
        func refuse(_ message: String) {
            decisions.handle(.stepReported(step.shortcut, .refused(key: step.key, message: message)))
        }
        guard let owner = decisions.table.caller(of: step.shortcut) else { return }
        let payer = decisions.table.account(of: owner.caller)
        // An undo needs no room for a result.
        if StepKey(step.key) != nil,
            let refusal = budget.refusal(for: payer, limit: apps.daemon.history.byteCountMax)
        {
            return refuse(refusal)
        }
        guard let user = apps.owner(uid: owner.caller.uid, account: owner.caller.account) else {
            return refuse("the account has changed")
        }
        var lookup = apps.lookUp(step.app, for: user.caller, groups: user.groups)
        if step.app == InstalledApp.planName.text, UndoKey(step.key) != nil, case .unknown = lookup {
            lookup = .found(apps.undoingPlan(step.intent, of: user.caller))
        }
        if owner.agent != nil || decisions.table.isOfAgent(step.shortcut) { lookup = apps.withVersions(lookup) }
        var intent = step.intent
        if intent.isEmpty {
            guard case .found(let app) = lookup, let name = app.shortcut?.catalog.intents.first?.name else {
                return refuse("no shortcut has the name '\(step.app)'")
            }
            intent = name
        }
        let run = RunID(randomBits: .random(in: .min ... .max))
        if !step.files.isEmpty {
            guard let passed = open(step.files, of: step.shortcut) else { return refuse("a file is no longer kept") }
            files.keep(passed, for: run, of: decisions.table.account(of: user.caller))
        }
        let request = PerformRequest(
            request: step.request,
            app: step.app,
            intent: intent,
            values: step.values,
            fileCount: step.files.count,
            onDisconnect: .continue,
            locale: decisions.table.locale(of: step.shortcut),
            key: step.key,
            retryOf: step.retryOf,
            entryPoint: decisions.table.isOfAgent(step.shortcut) ? .mcp : .socket
        )
        lastID += 1
        requested[lastID] = step
        var origin = RunTable.RequestOrigin(
            client: .shortcuts,
            user: user.caller,
            rank: .user,
            groups: user.groups,
            id: lastID,
            caller: owner
        )
        origin.agent = owner.agent
        origin.shortcut = step.shortcut
        origin.isPresent = LoginSessions.hasActiveLocalSession(user: user.caller.uid)
        decisions.handle(
            .requested(origin, .perform(request, newRun: run, lookup, refusal: recorder.refusal(of: user.caller)))
        )
    }

    /// Handles the answer to a request.
    func answered(_ answer: ClientAnswer, id: UInt64) {
        guard let request = requested.removeValue(forKey: id) else { return }
        let step = Step(shortcut: request.shortcut, key: request.key, app: request.app)
        switch answer {
        case .accepted(let run):
            live[run, default: []].insert(step)
            decisions.handle(.stepReported(step.shortcut, .accepted(key: step.key, run)))
        case .refused(let error) where error.code == .busy:
            let pause = max(error.retryAfter ?? Self.pause, Self.pause)
            decisions.handle(.stepReported(step.shortcut, .busy(request, after: pause)))
        case .refused(let error):
            let message = error.message + (error.hint.map { "; \($0)" } ?? "")
            decisions.handle(.stepReported(step.shortcut, .refused(key: step.key, message: message)))
        default: break
        }
    }

    /// Handles the end of a run.
    func ended(_ end: RunEnd) {
        for step in (live.removeValue(forKey: end.run) ?? []).sorted(by: { $0.key < $1.key }) {
            results.hold(end, for: step.shortcut)
            count(end, of: step.shortcut)
            decisions.handle(.stepReported(step.shortcut, .ended(key: step.key, end, app: step.app)))
        }
    }

    private func recall(_ run: RunID, for shortcut: RunID) {
        guard let owner = decisions.table.caller(of: shortcut) else { return }
        let viewer = Viewer(owner.requester, seesAll: false)
        questions.ask(.steps(of: run, by: viewer), for: decisions.table.account(of: owner.caller)) {
            [weak self] answer in
            let steps: [RecordedStep]? = if case .steps(let steps)? = answer { steps } else { nil }
            if run == shortcut {
                for step in steps ?? [] { if let end = step.run.end { self?.count(end, of: shortcut) } }
            }
            self?.decisions.handle(.stepReported(shortcut, .recalled(steps)))
        }
    }

    /// Counts what a step has returned in the budget of its user.
    private func count(_ end: RunEnd, of shortcut: RunID) {
        guard let account = decisions.table.account(of: shortcut), case .done(let value, _) = end.outcome else {
            return
        }
        let valueCount = value.map { Int64(RunValues(encoding: ["value": $0]).json.count) } ?? 0
        budget.add(valueCount + results.byteCount(of: end), of: end.run, to: shortcut, of: account)
    }

    /// Releases what belongs to a run that has ended.
    func forget(_ run: RunID) { budget.remove(run) }

    // MARK: Files

    /// Opens files of the shortcut's run, or of its steps. Returns nil if one of them is missing.
    private func open(_ sources: [FileSource], of shortcut: RunID) -> [SharedFileDescriptor]? {
        var opened: [SharedFileDescriptor] = []
        for source in sources {
            let file = source.run == shortcut ? files.file(source.index, of: shortcut) : results.file(source)
            guard let file else { return nil }
            opened.append(file)
        }
        return opened
    }

    private func collect(_ sources: [FileSource], of shortcut: RunID, in slot: SlotID) {
        guard let opened = open(sources, of: shortcut) else {
            return decisions.handle(.filesRefused(slot, message: "a file of a step is no longer kept"))
        }
        results.collect(opened, ofShortcut: shortcut, in: slot)
    }
}
