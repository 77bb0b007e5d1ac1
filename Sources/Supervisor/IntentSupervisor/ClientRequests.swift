import Glibc
import IntentConfiguration
import IntentHistory
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// The part of the supervisor that serves clients' requests.
///
/// Must be used only on the event loop's thread.
final class ClientRequests {
    /// The maximum size of a `perform` request, in bytes. It is below the limit of a command to the worker, because the
    /// command contains more fields than the request.
    static let performPayloadLimit = Frame.recordLimit - 4096

    let journal: Journal
    let decisions: RunDecisions
    let clients: ClientSessions
    let apps: AppDirectory
    let files: PassedFiles
    let questions: HistoryRequests
    let recorder: Recorder
    let notifications: NotificationRuns
    let shortcuts: ShortcutRuns
    private let launcher: LauncherConnection
    private let workers: WorkerLinks
    let results: RunResults
    private let upgrade: ProgramUpgrade
    let tickets: QuestionTickets
    private let weight = ProcessorWeight()

    init(
        journal: Journal,
        decisions: RunDecisions,
        clients: ClientSessions,
        apps: AppDirectory,
        files: PassedFiles,
        recorder: Recorder,
        launcher: LauncherConnection,
        workers: WorkerLinks,
        results: RunResults,
        upgrade: ProgramUpgrade,
        tickets: QuestionTickets
    ) {
        self.journal = journal
        self.decisions = decisions
        self.clients = clients
        self.apps = apps
        self.files = files
        self.recorder = recorder
        self.launcher = launcher
        self.workers = workers
        self.results = results
        self.upgrade = upgrade
        self.tickets = tickets
        apps.isOfOneUser = clients.isOfOneUser
        apps.ownShortcuts = { [decisions] in decisions.table.ownShortcuts }
        clients.actor = { [apps] user, groups in apps.actor(user, groups: groups) }
        clients.webUser = { [apps] name, operators throws(ErrorReport) in
            try apps.webUser(named: name, operators: operators)
        }
        notifications = NotificationRuns(
            journal: journal,
            decisions: decisions,
            apps: apps,
            recorder: recorder,
            files: files,
            launcher: launcher,
            link: { [decisions, apps] run, owner in
                guard let question = decisions.table.questionForOwner(of: run) else { return nil }
                return apps.web.answerLink(for: question, to: owner.account) {
                    tickets.issue(for: question, of: run, to: owner.uid, digest: AnswerLink.digest)
                }
            }
        )
        questions = HistoryRequests(of: recorder.history, decisions: decisions, clients: clients)
        shortcuts = ShortcutRuns(
            decisions: decisions,
            apps: apps,
            recorder: recorder,
            files: files,
            results: results,
            questions: questions
        )
        questions.start { [weak self] purpose, known, end, session, id in
            self?.found(known, end, for: purpose, session, id)
        }
    }

    /// Starts serving requests for the apps that are installed now.
    ///
    /// - Parameter client: A client that will request a run; nil if no request is expected.
    func start(expectingRunOf client: ClientID?) {
        let user = client.flatMap { clients[$0] }?.owner
        decisions.handle(.started(apps.findApps(), expectingRunOf: user, with: apps.catalogs.recorded))
        notifications.start()
        shortcuts.start()
        countFailedStarts()
    }

    /// Sends an answer to the client that made the request. The client may be intentd itself.
    func post(_ answer: ClientAnswer, id: UInt64, to client: ClientID) {
        if client == .intentd { return notifications.answered(answer, id: id) }
        if client == .shortcuts { return shortcuts.answered(answer, id: id) }
        clients.post(.answer(id: id, answer), to: client)
    }

    func serve(_ read: ReadRequest, from session: ClientSession) {
        let numbered: NumberedRequest
        switch read.request {
        case .success(let decoded): numbered = decoded
        case .failure(let error): return refuse(read.id, from: session, error)
        }
        guard session.isGreeted else { return greet(session, numbered) }
        let id = numbered.id
        switch numbered.request {
        case .hello:
            clients.end(session, id: id, "only the first message may be hello")
        case .list:
            let own = apps.ownApps(of: session.owner, groups: session.groups)
            pass(.list(apps.appNames.compactMap(apps.app) + own), session, id)
        case .describe(let app):
            pass(.describe(apps.lookUp(app, for: session.owner, groups: session.groups)), session, id)
        case .perform(var perform):
            let values = read.values ?? RunValues(encoding: perform.values)
            if perform.key?.hasPrefix(utf8: StepKey.prefix) == true {
                let message = "'key': expected a key that does not start with '\(StepKey.prefix)'"
                return session.refuse(id, ErrorReport(.badRequest, message, hint: "choose another key"))
            }
            // An agent's run must not be the answer to a request of its person with an equal key.
            if let agent = session.agent { perform.key = perform.key.map { "agent:\(agent):\($0)" } }
            self.perform(perform, values, byteCount: read.byteCount, session, id)
        case .cancel(let run, let reason):
            if questions.lookUpEnded(run, session, id, for: .cancelling) { return }
            pass(.cancel(run: run, reason: session.fleet == .user ? reason : nil), session, id)
        case .watch(let run, let serial, let isReturn):
            if questions.lookUpEnded(run, session, id, for: .watching) { return }
            pass(.watch(run: run, after: serial, isReturn: isReturn), session, id)
        case .question(let run): pass(.question(run: run), session, id)
        case .ticket(let request): issueTicket(request, session, id)
        case .redeem(let request): redeemTicket(request, session, id)
        case .answer(let answer): self.answer(answer, byteCount: read.byteCount, session, id)
        case .revoke(let run): pass(.revoke(run: run), session, id)
        case .addShortcut(let shortcut): addShortcut(shortcut, session, id)
        case .shortcuts: listShortcuts(session, id)
        case .removeShortcut(let name): removeShortcut(name, session, id)
        case .files(let count): receiveFiles(count, session, id)
        case .fetch(let run, let first): fetch(run, from: first, session, id)
        case .discardFiles(let run):
            find(run, session, id, for: .discarding) { end in discardFiles(of: end.run, session, id) }
        case .runs: pass(.runs(held: workers.heldRuns), session, id)
        case .history(let query): questions.ask(.page(query, by: session.viewer), session, id)
        case .story(let run): questions.ask(about: run, session, id) { .story($0, by: session.viewer) }
        case .logs(let run, let serial):
            questions.ask(about: run, session, id) { .logs($0, after: serial, by: session.viewer) }
        case .prune(let request):
            if permits(.prune, session, id) { questions.prune(request, session, id) }
        case .importRuns(let stories):
            if permits(.importRuns, session, id) { questions.importRuns(stories, session, id) }
        case .startFailed(let failure): startFailed(failure, session.origin(id))
        case .reload:
            if permits(.reload, session, id) { reload(session, id) }
        case .upgrade:
            guard permits(.upgrade, session, id) else { return }
            let loss: String? =
                if !launcher.outlivesSupervisor {
                    "its launcher is a child process"
                } else if recorder.notes == nil {
                    "it could not create the memory for notes about them"
                } else { nil }
            upgrade.begin(for: session, id, loss: loss)
        case .metrics:
            guard permits(.metrics, session, id) else { return }
            session.send(.answer(id: id, .metrics(text: recorder.metricsText(clientCount: clients.count))))
        case .status:
            let installed = apps.findApps()
            var facts = RunTable.StatusFacts(installedAppCount: apps.appNames.count, problems: problems(for: session))
            facts.agentUsers = apps.agentUsers
            facts.agentRoots = apps.agentRoots
            facts.missingWeight = weight.shortcoming()
            pass(.status(facts, of: installed), session, id)
        }
    }

    /// Returns the problems that prevent this user's runs, except those of apps that fail to describe their intents. A
    /// problem with an app that has unreadable access rules, with a file on the disk, or with the accounts that share
    /// limits, is reported only to operators.
    private func problems(for session: ClientSession) -> [ServiceProblem] {
        let refused = session.rank == .operator ? apps.refused.sorted { $0.key < $1.key } : []
        let ofLauncher = launcher.problem.map {
            ServiceProblem(
                message: "the cache folder was removed, and cannot be made again: \($0)",
                hint: "correct the folder; the launcher tries again every second"
            )
        }
        return (recorder.refusal(of: session.owner).map { [ServiceProblem(message: $0.message, hint: $0.hint)] } ?? [])
            + [ofLauncher].compactMap(\.self)
            + refused.map { name, reason in ServiceProblem(app: name.text, message: reason) }
            + (session.rank == .operator ? apps.problemsOnDisk() : [])
            .map {
                ServiceProblem(file: $0.file, message: "\($0)", hint: "correct the file, then run 'intentctl reload'")
            }
            + (session.isOperator ? clients.subordinateProblems() : [])
            .map { ServiceProblem(message: $0, hint: "correct the file, then run 'intentctl doctor'; see subuid(5)") }
    }

    func pass(_ request: RunTable.Request, _ session: ClientSession, _ id: UInt64) {
        decisions.handle(.requested(session.origin(id), request))
    }

    private func permits(_ request: OperatorRequest, _ session: ClientSession, _ id: UInt64) -> Bool {
        guard let refusal = request.refusal(for: session.rank) else { return true }
        session.refuse(id, refusal)
        return false
    }

    private func greet(_ session: ClientSession, _ numbered: NumberedRequest) {
        guard case .hello(let hello) = numbered.request else {
            return clients.end(session, id: numbered.id, "the first message must be hello")
        }
        guard hello.protocolVersion == Hello.currentVersion else {
            let older = hello.protocolVersion < Hello.currentVersion ? "the client" : "intentd"
            return clients.end(
                session,
                id: numbered.id,
                "this intentd uses version \(Hello.currentVersion) of the protocol, but the client uses version "
                    + "\(hello.protocolVersion): update \(older)"
            )
        }
        if let name = hello.fleetUser {
            guard session.actor == .fleet, FleetAccess.isUser(name) else {
                return clients.end(
                    session,
                    id: numbered.id,
                    session.actor == .fleet
                        ? "'fleetUser': expected NAME@HOST"
                        : "'fleetUser': only the user in User= of [Fleet] of intentd.conf may act for users of a fleet"
                )
            }
            // Use the name as the account, so that fleet users share no sandbox, state or history.
            session.fleetUser = .local(user: session.user.uid, account: name)
        }
        if hello.webUser != nil || session.actor == .web {
            guard session.actor == .web, let name = hello.webUser else {
                let problem = "'webUser': only the user in User= of [Web] of intentd.conf may send it, and must"
                return clients.end(session, id: numbered.id, problem)
            }
            do throws(ErrorReport) {
                try clients.represent(name, on: session)
            } catch {
                session.refuse(numbered.id, error)
                return session.endAfterWriting()
            }
        }
        session.isGreeted = true
        // Limit the length, because the name of the software is recorded with every run.
        session.software = String(hello.software.prefix(scalars: 100))
        let answer = Hello(
            software: "intentd \(Hello.softwareVersion)",
            fleetUser: hello.fleetUser,
            webUser: hello.webUser
        )
        session.send(.answer(id: numbered.id, .hello(answer)))
    }

    /// Refuses a payload that cannot be decoded. Closes the connection if the request number is missing, because
    /// intentd then cannot answer.
    private func refuse(_ id: UInt64?, from session: ClientSession, _ error: WireError) {
        guard let id, session.isGreeted else { return clients.end(session, id: id, error.description) }
        let code: ErrorReport.Code =
            switch error {
            case .unknownMessage: .unknownRequest
            case .malformed: .badRequest
            }
        session.refuse(id, ErrorReport(code, "cannot decode the request: \(error)"))
    }

    /// Forgets a run that has ended or that another intentd has taken over.
    func forget(_ run: RunID) {
        tickets.redeemed.forget(run)
        shortcuts.forget(run)
    }

    // MARK: Ended runs

    private func fetch(_ text: String, from first: Int, _ session: ClientSession, _ id: UInt64) {
        let first = max(0, min(first, Frame.fileLimit))
        find(text, session, id, for: .fetching(from: first)) { end in sendFiles(from: first, of: end, session, id) }
    }

    /// Sends a client as many of a result's files as one frame can carry, starting at the given index.
    private func sendFiles(from first: Int, of end: RunEnd, _ session: ClientSession, _ id: UInt64) {
        switch results.part(from: first, of: end) {
        case .success(let (part, files)):
            session.post(.answer(id: id, .files(part)), descriptors: files)
            session.flush()
        case .failure(let error): session.refuse(id, error)
        }
    }

    private func discardFiles(of run: RunID, _ session: ClientSession, _ id: UInt64) {
        results.removeFiles(of: run)
        session.send(.answer(id: id, .filesDiscarded(run: run)))
    }

    /// Looks up the end of a run, in the run table or in the history, for a user who may receive its files.
    private func find(
        _ text: String,
        _ session: ClientSession,
        _ id: UInt64,
        for purpose: HistoryRequests.Purpose,
        _ body: (RunEnd) -> Void
    ) {
        switch decisions.table.end(of: text, for: session.requester, session.rank) {
        case .known(let end): body(end)
        case .live:
            let hint = "wait for its end with 'intentctl wait \(text)'"
            session.refuse(id, ErrorReport(.busy, "run \(text) has not ended", hint: hint))
        case .unknown:
            if !questions.lookUpEnded(text, session, id, for: purpose) {
                session.refuse(id, RunTable.unknownRun(text))
            }
        }
    }

    /// Continues a client's request after the history has found the request's run.
    private func found(
        _ known: KnownRun,
        _ end: RunEnd,
        for purpose: HistoryRequests.Purpose?,
        _ session: ClientSession,
        _ id: UInt64
    ) {
        let origin = RunTable.WaitingClient(client: session.id, id: id)
        switch purpose {
        case .cancelling: decisions.handle(.endRecalled(origin, known, end, for: .cancelling))
        case .fetching(let first): sendFiles(from: first, of: end, session, id)
        case .discarding: discardFiles(of: end.run, session, id)
        case .undoing(let request):
            switch UndoDecision.request(undoing: known, end, by: session.requester, session.rank, request) {
            case .success(let undoing):
                let values = RunValues(encoding: undoing.values)
                perform(undoing, values, byteCount: values.json.count, session, id)
            case .failure(let error): session.refuse(id, error)
            }
        case .watching, nil: decisions.handle(.endRecalled(origin, known, end, for: .watching))
        }
    }

    // MARK: Configuration

    /// Reads all files again for an operator. Either all changes take effect, or no change takes effect.
    private func reload(_ session: ClientSession, _ id: UInt64) {
        let settings: DaemonSettings
        switch apps.reload() {
        case .success(let new): settings = new
        case .failure(let problems):
            journal.write(.error, "not reloaded: the configuration is unchanged", .notReloaded)
            return session.refuse(id, problems.report)
        }
        launcher.send(.reload)
        clients.endChangedAgents()
        recorder.history?.keep(Retention(settings.history))
        let found = apps.findApps()
        // Log the reload before any client receives the answer.
        journal.write(.notice, "reloaded configuration and apps", .reloaded)
        let warnings = apps.refused.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" } + apps.doubts
        pass(.reload(RunTable.Capacity(settings, apps), found, warnings: warnings), session, id)
    }
}

extension RunTable.Capacity {
    init(_ settings: DaemonSettings, _ apps: AppDirectory) {
        self.init()
        weights = apps.weights(settings.weights)
        runCount = settings.runCount
        runCountPerUser = settings.runCountPerUser
        queueCount = settings.queueCount
        notify = settings.notify
        notificationsPerHour = settings.notifyPerHour
        waitingCount = settings.waitingCount
        agentRunCount = settings.agents.runCount
        agentWaitingCount = settings.agents.waitingCount
        realms = apps.realms
    }
}
