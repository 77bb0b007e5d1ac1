import IntentLauncherMessages

extension RunTable {
    mutating func handle(_ request: Request, from origin: RequestOrigin, at now: Now) -> [Action] {
        switch request {
        case .perform(let request, let values, let newRun, let lookup, let refusal):
            let values = values ?? RunValues(encoding: request.values)
            return askedToPerform(request, values, origin, newRun: newRun, lookup, refusal, at: now)
        case .describe(.found(let app)):
            if let refusal = self.refusal(of: origin, at: app) { return refuse(origin, refusal) }
            return serve(.describe(origin), for: app, at: now)
        case .describe(let lookup): return refuse(origin, Self.refusal(of: lookup))
        case .list(let installed):
            return describe(
                installed.filter { isVisible($0, to: origin) },
                for: .list(origin),
                at: now
            )
        case .cancel(let text, let reason): return cancel(text, reason ?? .userCancelled, origin, at: now)
        case .watch(let text, let serial, let isReturn):
            return watch(text, after: serial, isReturn: isReturn, origin, at: now)
        case .question(let text):
            return [.answer(origin.client, id: origin.id, describeQuestion(of: text, to: origin, at: now))]
        case .answer(let answer): return accept(answer, from: origin, at: now)
        case .revoke(let text): return revoke(text, origin, at: now)
        case .addShortcut(let entry): return addShortcut(entry, origin)
        case .removeShortcut(let name): return removeShortcut(name, origin)
        case .runs(let held):
            let visible = runs.values
                .filter { origin.may(.see, withRunOf: $0.requester) || mayAnswer($0, origin) }
                .sorted { ($0.acceptedAt.monotonic, $0.id.text) < ($1.acceptedAt.monotonic, $1.id.text) }
                .compactMap { describe($0, isHeld: held.contains($0.id), to: origin.user, at: now) }
            return [.answer(origin.client, id: origin.id, .runs(visible))]
        case .status(let facts, let installed): return status(facts, of: installed, to: origin, at: now)
        case .startFailed(let failure): return startFailed(failure, origin, at: now)
        case .reload(let capacity, let installed, let warnings):
            guard !isStopping else { return refuse(origin, Self.stopping) }
            self.capacity = capacity
            admission.capacity = capacity
            know(installed)
            let targets = Set(installed.flatMap(\.notifyTargets))
            forgetCatalogs(ofCommandsAmong: installed)
            return checkPermittedHosts(of: installed, at: now)
                + describe(installed, for: .reload(origin, warnings, targets), at: now)
        }
    }

    // MARK: Performing

    private mutating func askedToPerform(
        _ request: PerformRequest,
        _ values: RunValues,
        _ origin: RequestOrigin,
        newRun: RunID,
        _ lookup: AppLookup,
        _ refusal: ErrorReport?,
        at now: Now
    ) -> [Action] {
        if let known = requests[OwnedRequest(requester: origin.requester, request: request.request)] {
            return attach(origin, to: known, at: now) + [.forget(newRun)]
        }
        guard !isStopping else { return refuse(origin, Self.stopping) + [.forget(newRun)] }
        if let refusal { return refuse(origin, refusal) + [.forget(newRun)] }
        guard case .found(let app) = lookup else {
            let isUndo = request.key.flatMap(UndoKey.init) != nil
            return refuse(origin, Self.refusal(of: lookup, isUndo: isUndo)) + [.forget(newRun)]
        }
        if let refusal = self.refusal(of: origin, at: app) { return refuse(origin, refusal) + [.forget(newRun)] }
        // The backlog's limits also apply to requests waiting for a catalogue.
        if let refusal = apps[app.name]?.refusal(of: account(of: origin.user), under: capacity, subordinates.account) {
            return refuse(origin, busy(refusal)) + [.forget(newRun)]
        }
        return serve(.perform(origin, request, values, newRun: newRun), for: app, at: now)
    }

    /// Checks and accepts a request, once the app's catalogue is known.
    mutating func perform(
        _ request: PerformRequest,
        _ given: RunValues,
        _ origin: RequestOrigin,
        newRun: RunID,
        _ installed: InstalledApp,
        _ catalog: IntentCatalog,
        at now: Now
    ) -> [Action] {
        var app = installed
        let key = OwnedRequest(requester: origin.requester, request: request.request)
        // Check again for a repeated request: a repetition may have been accepted while this request waited for the
        // catalogue.
        if let known = requests[key] { return attach(origin, to: known, at: now) + [.forget(newRun)] }
        var ticket = AdmissionQueue.Ticket(
            run: newRun,
            user: origin.user,
            account: account(of: origin.user),
            app: app.name
        )
        // Admission needs to wait only for a predecessor that is a live run of the caller. The history writer rejects
        // an unknown predecessor.
        ticket.predecessor = request.retryOf.flatMap { has($0, of: origin.requester) ? $0 : nil }
        let isOfAgent = origin.isAgent(with: request)
        if isOfAgent, let shortcut = app.shortcut, shortcut.isPersonal { app.confirm = confirmRule(for: shortcut.plan) }
        // No person waits for an agent's run.
        ticket.isInteractive = request.isInteractive == true && !isOfAgent
        let step = request.key.flatMap(StepKey.init)
        let intent: IntentDeclaration
        let values: RunValues
        let needsApproval: Bool
        do throws(ErrorReport) {
            if isStopping { throw Self.stopping }
            if let refusal = admission.refusal(of: ticket, appLimit: app.runCountMax) { throw busy(refusal) }
            intent = try Self.intent(request.intent, of: app.name, in: catalog)
            let isNotification = origin.client == .intentd && request.entryPoint == .notification
            if let refusal = refusal(ofShortcut: app, as: step, of: origin.user) { throw refusal }
            if let refusal = refusal(of: step, intent, of: app) { throw refusal }
            let given =
                isNotification
                ? Notification.values(given, declaredBy: intent) : stepValues(given, of: step, declaredBy: intent)
            let obstacle = RunAccess.obstacle(
                to: origin.user,
                groups: origin.groups,
                under: app.access(to: intent),
                authentication: RunAccess.Authentication(intent.details?.authentication),
                isPresent: origin.isPresent
            )
            if let obstacle { throw Self.refusal(by: obstacle, app.name, intent) }
            if let refusal = refusal(ofFleet: origin, intent, of: app) { throw refusal }
            if isOfAgent, let refusal = refusal(ofAgent: origin, request, intent, of: app) { throw refusal }
            // The undo of a shortcut needs no values, because the runs of its steps have registered what undoes them.
            let isUndo = app.shortcut != nil && request.key.flatMap(UndoKey.init) != nil
            values =
                try isUndo
                ? [:]
                : ParameterCheck.accept(
                    given,
                    fileCount: request.fileCount,
                    for: intent,
                    of: app.name,
                    asking: request.query
                )
            try ParameterCheck.check(request.answers, for: intent, of: app.name)
            needsApproval = isOfAgent && self.needsApproval(request.query, intent, of: app)
            if needsApproval, let refusal = refusal(ofSecretsIn: request, values, intent, of: app) { throw refusal }
            if needsApproval, let plan = app.shortcut?.plan, let refusal = refusal(ofSecretsIn: plan) { throw refusal }
            // A query for options does not perform the intent, so the limits of `Concurrency=` do not apply to it.
            if request.query == nil {
                ticket.claims = app.claims(of: intent, with: values.byName, of: origin.user)
                ticket.priority = app.priority(of: intent)
            }
            if ticket.claims != [], let refusal = admission.refusal(of: ticket, appLimit: app.runCountMax) {
                throw busy(refusal)
            }
        } catch {
            return refuse(origin, error) + [.forget(newRun)]
        }
        let limits = app.limits(for: intent).granting(request)
        if needsApproval, let refusal = refusal(ofApprovalFor: origin.user) {
            return refuse(origin, busy(refusal)) + [.forget(newRun)]
        }
        var record = AcceptedRun(request, as: intent, of: app, by: origin, values, limits)
        record.needsApproval = needsApproval.trueOrNil
        record.authentication =
            RunAccess.authentication(
                of: origin.user,
                groups: origin.groups,
                under: app.access(to: intent),
                isPresent: origin.isPresent && !isOfAgent
            ).word
        let acceptance = Acceptance(
            record: record,
            app: shared(app),
            intent: intent,
            values: values,
            query: request.query,
            time: now,
            ticket: needsApproval ? ticket : nil,
            files: isOfAgent ? origin.files : nil,
            groups: origin.groups,
            isInteractive: ticket.isInteractive,
            shortcut: origin.shortcut
        )
        // A query for options has no traits, because it reports no progress and needs no clean-up.
        let machine = RunStateMachine(limits: limits, traits: request.query == nil ? intent.traits : [])
        var run = Run(id: newRun, acceptance, answers: request.answers, machine: machine)
        run.owners = [origin.client]
        if needsApproval, let refusal = ApprovalTerms(run).refusal {
            return refuse(origin, refusal) + [.forget(newRun)]
        }
        runs[newRun] = run
        requests[key] = newRun
        let plan = storePlan(of: run, as: step) + storeSecretNames(of: app, catalog, for: step)
        if needsApproval {
            let question = approvalQuestion(for: run)
            return plan + recordAcceptance(of: run)
                + [.log(RunLine(.accepted, of: run)), .answer(origin.client, id: origin.id, .accepted(run: newRun))]
                + withRun(newRun, at: now) { $0.accepted(awaiting: question, at: now) }
                + (approveInAdvance(newRun, question, at: now) ?? publishQuestion(of: newRun, at: now))
        }
        if shortcuts.contains(newRun) {
            return plan + recordAcceptance(of: run)
                + [.log(RunLine(.accepted, of: run)), .answer(origin.client, id: origin.id, .accepted(run: newRun))]
                + beginShortcut(newRun, at: now)
        }
        admission.join(ticket, appLimit: app.runCountMax)
        return plan + recordAcceptance(of: run)
            + [.log(RunLine(.accepted, of: run)), .answer(origin.client, id: origin.id, .accepted(run: newRun))]
            + withRun(newRun, at: now) { $0.accepted(at: now) }
            + replaceOlder(than: newRun, at: now)
            // Admit runs now, not at the end of the event, so that the next request is checked against the slots in
            // use.
            + admitWaiting(at: now)
    }

    /// Returns true if the run is live and belongs to the requester.
    func has(_ run: RunID, of requester: Requester) -> Bool {
        runs[run].map { requester.owns(runOf: $0.requester) } == true
    }

    /// Cancels the runs that a new run replaces.
    mutating func replaceOlder(than run: RunID, at now: Now) -> [Action] {
        admission.replacements(by: run).flatMap { older in
            withRun(older, at: now) { $0.cancel(.replaced, at: now) }
        }
    }

    /// Answers a repeated request: its client becomes an owner of the existing run.
    private mutating func attach(_ origin: RequestOrigin, to id: RunID, at now: Now) -> [Action] {
        let accepted = Action.answer(origin.client, id: origin.id, .accepted(run: id))
        if let run = runs[id] {
            ownerReconnected(origin.client, to: id)
            return [accepted] + missedEventsForOwner(of: run, to: origin.client, at: now)
        }
        return [accepted] + (endedRuns[id].map { [lateEnd($0, to: origin.client)] } ?? [])
    }

    static func intent(
        _ text: String,
        of app: AppName,
        in catalog: IntentCatalog
    ) throws(ErrorReport) -> IntentDeclaration {
        switch catalog.intent(named: text) {
        case .intent(let intent): return intent
        case .ambiguous(let names):
            throw ErrorReport(
                .unknownIntent,
                "'\(WireCoding.excerpt(text))' matches more than one intent of \(app)",
                hint: "use the full name: \(names.joined(separator: " or "))"
            )
        case .unknown: break
        }
        let names = catalog.intents.filter(\.isDiscoverable).map(\.name).sorted()
        throw ErrorReport(
            .unknownIntent,
            "\(app) has no intent '\(WireCoding.excerpt(text))'",
            hint: NearestName.hint(for: text, among: names)
                ?? (names.isEmpty ? "it has no intents" : "its intents: \(names.joined(separator: ", "))")
        )
    }

    // MARK: Others

    private mutating func cancel(
        _ text: String,
        _ reason: CancellationReason,
        _ origin: RequestOrigin,
        at now: Now
    ) -> [Action] {
        if let id = RunID(text) {
            if let run = runs[id], origin.may(.cancel, withRunOf: run.requester) {
                runs[id]?.waiters.append(origin)
                return record(.cancelRequested(origin.caller), of: run)
                    + withRun(id, at: now) { $0.cancel(reason, at: now) }
            }
            if let ended = endedRuns[id], origin.may(.cancel, withRunOf: ended.requester) {
                notifications.retries.cancel(after: id)
                // Releases the files that are kept for the repetition.
                return [.forget(id), .answer(origin.client, id: origin.id, .ended(ended.end))]
            }
        }
        return refuse(origin, Self.unknownRun(text))
    }

    func describe(_ run: Run, isHeld: Bool = false, to user: Caller, at now: Now) -> LiveRun? {
        run.machine.visibleState.map { state in
            var live = LiveRun(
                run: run.id,
                app: run.app.name.text,
                intent: run.intent.name,
                state: state,
                age: now.monotonic - run.acceptedAt.monotonic,
                remaining: !shortcuts.contains(run.id) ? run.machine.deadline.map { $0 - now.monotonic } : nil,
                progress: run.progress,
                reason: run.machine.stopReason,
                waitsFor: admission.obstacle(of: run.id)?.description,
                isHeld: isHeld.trueOrNil,
                title: run.title,
                // Include only the beginning of a long question, because the list may contain many runs.
                asks: run.machine.openQuestion.map { String($0.text.prefix(scalars: 300)) },
                user: run.owner == user ? nil : run.owner.uid
            )
            live.standingApproval = run.standingApproval
            return live
        }
    }

    func refuse(_ origin: RequestOrigin, _ error: ErrorReport) -> [Action] {
        [.answer(origin.client, id: origin.id, .refused(error))]
    }

    static let stopping = ErrorReport(
        .stopping,
        "intentd is stopping and accepts no new runs",
        hint: "try again in a moment"
    )

    private func busy(_ refusal: AdmissionQueue.Refusal) -> ErrorReport {
        let wait = admission.pace.expectedWait
        let seconds = max(1, (wait + .milliseconds(999)).components.seconds)
        let (message, hint) =
            switch refusal {
            case .queueFull(let count):
                (
                    "the backlog is full: \(count == 1 ? "1 run is" : "\(count) runs are") queued "
                        + "(MaxQueued=\(capacity.queueCount))",
                    "try again in about \(seconds) s, when a run has ended"
                )
            case .userShareFull(let count):
                (
                    """
                    \(count == 1 ? "1 of your runs is" : "\(count) of your runs are") already waiting, which is one \
                    user's full share of the backlog \
                    (MaxQueued=\(capacity.queueCount))
                    """,
                    "try again in about \(seconds) s, or cancel one of your waiting runs"
                )
            case .limitReached(let claim):
                ("\(claim)", "try again when one of those runs has ended; 'intentctl ps' lists your runs")
            }
        var report = ErrorReport(.busy, message, hint: hint)
        report.retryAfter = wait
        return report
    }

    private static func refusal(of lookup: AppLookup, isUndo: Bool = false) -> ErrorReport {
        switch lookup {
        case .found: preconditionFailure("a refusal was requested for an app that was found")
        case .refused(let message): return ErrorReport(.brokenApp, message)
        case .unknown(let name, let installed):
            return ErrorReport(
                .unknownApp,
                "unknown app '\(WireCoding.excerpt(name))'",
                hint: isUndo
                    ? "an undo needs the app of the run: install it again, or store the shortcut with 'intentctl shortcut add'"
                    : NearestName.hint(for: name, among: installed)
                        ?? (installed.isEmpty
                            ? "no app is installed" : "installed apps: \(installed.joined(separator: ", "))")
            )
        }
    }
}

extension RunLimits {
    /// Returns the limits that a caller requested, as far as the operator permits them. `RuntimeMax=` caps the time
    /// without progress. If `RuntimeMax=` is not set, `Ceiling=` caps this time. `LongCeiling=` caps the ceiling. The
    /// app's own limits are always permitted.
    func granting(_ request: PerformRequest) -> RunLimits {
        var limits = self
        var cap = runtimeMax ?? ceiling
        if let requested = request.ceiling {
            limits.ceiling = min(max(requested, .milliseconds(1)), longCeiling)
            limits.isCeilingRequested = (requested < longCeiling).trueOrNil
            limits.longCeiling = limits.ceiling
            // The time without progress cannot exceed the total time.
            cap = min(cap, limits.ceiling)
        }
        if let requested = request.limit {
            limits.runtime = min(max(requested, .milliseconds(1)), max(cap, runtime))
        }
        return limits
    }
}
