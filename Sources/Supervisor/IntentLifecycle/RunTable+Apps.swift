import IntentLauncherMessages

extension RunTable {
    /// The maximum time for an app to describe its intents. An interpreter with many packages needs seconds to start.
    private static let descriptionLimit: Duration = .seconds(30)

    /// Serves a request immediately if the app's catalogue is known. Otherwise queues the request, and launches a
    /// worker that describes the app's intents.
    mutating func serve(_ request: AppStateMachine.PendingRequest, for app: InstalledApp, at now: Now) -> [Action] {
        var machine = apps[app.name] ?? AppStateMachine()
        if let catalog = machine.catalog(of: app) { return serve(request, app, catalog, at: now) }
        switch machine.state {
        case .describing(let slot, let version, let waiting):
            machine.state = .describing(slot, version.withSettings(of: app), waiting + [request])
            apps[app.name] = machine
            return []
        case .received(let slot, let version, let catalog, let count, let waiting):
            let version = version.withSettings(of: app)
            machine.state = .received(slot, version, catalog, partCount: count, waiting + [request])
            apps[app.name] = machine
            return []
        case .cold, .known:
            let slot = makeSlot(for: .description(app.name))
            machine.state = .describing(slot, app, [request])
            machine.killReason = nil
            apps[app.name] = machine
            return [
                .launch(LaunchRequest(slot: slot, app: app.name, mode: .describe)),
                .armTimer(.description(app.name), at: .monotonic(now.monotonic + Self.descriptionLimit)),
            ]
        }
    }

    mutating func descriptionReported(_ name: AppName, slot: SlotID, _ report: WorkerReport) -> [Action] {
        var (parts, partCount) = (IntentCatalog(intents: []), 0)
        let (app, waiting): (InstalledApp, [AppStateMachine.PendingRequest])
        switch apps[name]?.state {
        case .describing(slot, let version, let requests): (app, waiting) = (version, requests)
        case .received(slot, let version, let catalog, let count, let requests):
            (app, waiting) = (version, requests)
            (parts, partCount) = (catalog, count)
        case .describing, .received, .cold, .known, nil: return []
        }
        switch report {
        case .hello(let hello):
            guard hello.protocolVersion != Hello.currentVersion else { return [] }
            apps[name]?.killReason = """
                it uses version \(hello.protocolVersion) of the worker protocol, expected \(Hello.currentVersion); \
                rebuild the app
                """
            return [.signal(slot, .kill)]
        case .catalog(let catalog):
            if let problem = catalog.identifierProblem {
                apps[name]?.killReason = problem
                return [.signal(slot, .kill)]
            }
            guard partCount < WorkerReport.catalogPartLimit else {
                apps[name]?.killReason = "its catalogue has more than \(WorkerReport.catalogPartLimit) parts"
                return [.signal(slot, .kill)]
            }
            // The first part has the members of the catalogue, and the others have only intents.
            var whole = partCount == 0 ? catalog : parts
            if partCount > 0 { whole.intents += catalog.intents }
            apps[name]?.state = .received(slot, app, whole, partCount: partCount + 1, waiting)
            return []
        case .started, .progress, .background, .question, .withdrawn, .finished, .resumed, .crashed, .stuck:
            apps[name]?.killReason = "it violated the worker protocol: it reported a run instead of a description"
            return [.signal(slot, .kill)]
        }
    }

    mutating func descriptionTimedOut(_ name: AppName) -> [Action] {
        apps[name]?.killReason = "it took longer than \(Self.descriptionLimit.components.seconds) s"
        return slots.compactMap { slot, occupant in
            if case .description(name) = occupant { return .signal(slot, .kill) }
            return nil
        }
    }

    mutating func descriptionEnded(
        _ name: AppName,
        _ end: SlotEnd,
        lastLine: String?,
        at now: Now
    ) -> [Action] {
        if case .received(_, let app, let catalog, _, let waiting) = apps[name]?.state,
            apps[name]?.killReason == nil, end.processEnd == .exited(code: 0)
        {
            apps[name]?.state = .known(app.fingerprint, catalog)
            apps[name]?.problem = nil
            return [.disarmTimer(.description(name))]
                + waiting.flatMap { serve($0, app, catalog, at: now) }
        }
        let how =
            switch (end.exceeded, apps[name]?.killReason, end.processEnd) {
            case (let limit?, _, _): limit.message
            // The worker may have exited before it was killed.
            case (nil, let reason?, _): reason
            case (nil, nil, .exited(let code)): "it exited with code \(code)"
            case (nil, nil, .signaled(let signal)): "signal \(signal) killed it"
            }
        let output = lastLine.map { "; its last line of output: \($0)" } ?? ""
        return describeFailed(name, problem: "the app did not describe its intents: \(how)\(output)", at: now)
    }

    /// Fails the requests waiting for the app's catalogue. The next request launches another worker.
    ///
    /// - Parameter hint: The next step for the user. If nil, the error tells the user how to look at the app's program, or at
    ///   the file that describes its intents.
    /// - Parameter code: `busy` if the reason is neither the app nor its settings.
    mutating func describeFailed(
        _ name: AppName,
        problem: String,
        hint: String? = nil,
        _ code: ErrorReport.Code = .brokenApp,
        at now: Now
    ) -> [Action] {
        guard let (app, waiting) = endDescription(of: name) else { return [] }
        // Do not report the app as broken: intentd is stopping, and has killed the worker.
        if isStopping { return [.disarmTimer(.description(name))] + waiting.flatMap { dismiss($0) } }
        guard code == .brokenApp else {
            let error = ErrorReport(code, "\(name) cannot describe its intents: \(problem)", hint: hint)
            return [.disarmTimer(.description(name))] + waiting.flatMap { refuse($0, app, problem, error, at: now) }
        }
        apps[name]?.problem = problem
        apps[name]?.failure = (app.fingerprint, now.monotonic)
        let ownHint =
            app.fingerprint.commandFile == nil
            ? "run '\(app.executable)' in a terminal to see why"
            : "'intentctl verify FILE' shows every mistake in the file"
        let error = ErrorReport(.brokenApp, "\(name): \(problem)", hint: hint ?? ownHint)
        return [.disarmTimer(.description(name)), .reportBroken(name, problem: problem)]
            + waiting.flatMap { refuse($0, app, problem, error, at: now) }
    }

    /// Drops the requests waiting for the catalogue, without answers. The connections are closed, and the clients send
    /// the requests again to the next `intentd`.
    mutating func dropRequests(waitingFor name: AppName) -> [Action] {
        guard let (_, waiting) = endDescription(of: name) else { return [] }
        return [.disarmTimer(.description(name))]
            + waiting.compactMap { request in
                if case .perform(_, _, _, let newRun) = request { .forget(newRun) } else { nil }
            }
    }

    // MARK: Private

    /// Ends an attempt to describe an app's intents.
    ///
    /// - Returns: The app and the waiting requests, or nil if no attempt was in progress.
    private mutating func endDescription(of name: AppName) -> (InstalledApp, [AppStateMachine.PendingRequest])? {
        switch apps[name]?.state {
        case .describing(_, let version, let waiting), .received(_, let version, _, _, let waiting):
            apps[name]?.state = .cold
            return (version, waiting)
        case .cold, .known, nil: return nil
        }
    }

    private mutating func dismiss(_ request: AppStateMachine.PendingRequest) -> [Action] {
        switch request {
        case .perform(let origin, _, _, let newRun): refuse(origin, Self.stopping) + [.forget(newRun)]
        case .describe(let origin): refuse(origin, Self.stopping)
        case .list(let number): lists.removeValue(forKey: number)?.origin.map { refuse($0, Self.stopping) } ?? []
        }
    }

    private mutating func serve(
        _ request: AppStateMachine.PendingRequest,
        _ installed: InstalledApp,
        _ catalog: IntentCatalog,
        at now: Now
    ) -> [Action] {
        let app: InstalledApp
        do throws(MisfitRules) {
            app = try installed.fitted(to: catalog)
        } catch {
            let isNew = apps[installed.name]?.problem != error.message
            apps[installed.name]?.problem = error.message
            let hint = "fix the file, then run 'intentctl reload'"
            let refusal = ErrorReport(.brokenApp, "\(installed.name): \(error.message)", hint: hint)
            return (isNew ? [.reportBroken(installed.name, problem: error.message)] : [])
                + refuse(request, installed, error.message, refusal, at: now)
        }
        if apps[app.name]?.problem != nil { apps[app.name]?.problem = nil }
        var ended: [Action] = []
        if app.shortcut?.isPersonal == true {
            // Another user's shortcut can have the name, and none has claims or an operator's rules.
        } else if ruledRevisions.updateValue(app.revision, forKey: app.name) != app.revision {
            updateClaims(of: app, catalog)
            ended = endForbidden(of: app, catalog, at: now)
        } else if isOfReload(request) {
            // Settings that have not changed can permit other users, because accounts, groups or intentd.conf have changed.
            ended = endForbidden(of: app, catalog, at: now)
        }
        switch request {
        case .perform(let origin, let perform, let values, let newRun):
            return ended + self.perform(perform, values, origin, newRun: newRun, app, catalog, at: now)
        case .describe(let origin):
            return ended + [.answer(origin.client, id: origin.id, .app(describe(app, catalog)))]
        case .list(let number):
            return ended + addToList(number, describe(app, catalog), at: now)
        }
    }

    private func isOfReload(_ request: AppStateMachine.PendingRequest) -> Bool {
        guard case .list(let number) = request, case .reload? = lists[number]?.purpose else { return false }
        return true
    }

    /// Sets the claims and priorities of the app's live runs according to the current settings.
    private mutating func updateClaims(of app: InstalledApp, _ catalog: IntentCatalog) {
        for run in runs.values where run.app.name == app.name {
            let intent = catalog.intents.first { $0.name == run.intent.name } ?? run.intent
            let claims = run.query == nil ? app.claims(of: intent, with: run.values.byName, of: run.owner) : []
            admission.setClaims(claims ?? [], priority: app.priority(of: intent), of: run.id)
        }
    }

    private mutating func refuse(
        _ request: AppStateMachine.PendingRequest,
        _ app: InstalledApp,
        _ problem: String,
        _ error: ErrorReport,
        at now: Now
    ) -> [Action] {
        switch request {
        case .perform(let origin, _, _, let newRun):
            return [.answer(origin.client, id: origin.id, .refused(error)), .forget(newRun)]
        case .describe(let origin):
            return [.answer(origin.client, id: origin.id, .refused(error))]
        case .list(let number):
            let broken = AppDescription(
                name: app.name.text,
                executable: app.executable,
                catalog: nil,
                problem: problem,
                limits: app.limits.forClients
            )
            return addToList(number, broken, at: now)
        }
    }

    private func describe(_ app: InstalledApp, _ catalog: IntentCatalog) -> AppDescription {
        var description = AppDescription(
            name: app.name.text,
            executable: app.executable,
            catalog: app.applyingRules(to: catalog),
            limits: app.limits.forClients,
            isolation: apps[app.name]?.isolation
        )
        let own = app.intentRules.compactMapValues { $0.limits?.forClients }
        description.intentLimits = own.isEmpty ? nil : own
        description.settings = app.settings
        return description
    }
}
