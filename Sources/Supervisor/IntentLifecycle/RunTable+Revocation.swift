import IntentLauncherMessages

/// Permissions that a user loses while a run of theirs waits, in the backlog or for its approval.
///
/// A request is checked when it arrives. Its run is checked again after each reload and each change of the app's
/// settings until the run starts, and when a later intentd adopts it. A run that has started continues; an operator can
/// cancel it.
extension RunTable {
    /// Ends the app's waiting runs that the current settings do not permit.
    mutating func endForbidden(of app: InstalledApp, _ catalog: IntentCatalog, at now: Now) -> [Action] {
        let forbidden = runs.values.filter { $0.app.name == app.name && $0.machine.isWaiting }
            .compactMap { run in
                let intent = catalog.intents.first { $0.name == run.intent.name } ?? run.intent
                let refusal = refusal(ofUserOf: run, intent, of: app) ?? refusal(ofAgentOf: run, intent, of: app)
                return refusal.map { (run.id, $0.message) }
            }
            .sorted { $0.0.text < $1.0.text }
        return forbidden.flatMap { id, message in withRun(id, at: now) { $0.forbid(message, at: now) } }
    }

    /// Returns the reason why `[Access]`, `[Fleet]` or `[Web]` does not permit a waiting run, or nil if they permit it.
    func refusal(ofUserOf run: Run, _ intent: IntentDeclaration, of app: InstalledApp) -> ErrorReport? {
        if let refusal = refusal(ofRealmOf: run.owner) { return refusal }
        if isOfFleet(run.owner), app.fleetRule(for: intent) == nil {
            return Self.refusal(ofFleetTo: intent, of: app)
        }
        let rule = app.access(to: intent)
        // An earlier intentd has checked the groups of an adopted run's caller, which are not on record.
        if run.groups == nil, case .only(_, let groups) = rule, !groups.isEmpty { return nil }
        let obstacle = RunAccess.obstacle(
            to: run.owner,
            groups: run.groups ?? [],
            under: rule,
            authentication: RunAccess.Authentication(intent.details?.authentication),
            // A user need not stay at the machine until the run starts.
            isPresent: true
        )
        return obstacle.map { Self.refusal(by: $0, app.name, intent) }
    }

    /// Returns the reason why `[Agents]` does not permit a waiting run; nil if it permits the run or no agent requested
    /// it.
    private func refusal(ofAgentOf run: Run, _ intent: IntentDeclaration, of app: InstalledApp) -> ErrorReport? {
        guard run.isOfAgent else { return nil }
        if let refusal = Self.refusal(ofAgentsTo: intent, of: app, run.query) { return refusal }
        if run.standingApproval != nil, Self.longestApproval(of: intent, app) == nil {
            return ErrorReport(
                .notPermitted,
                "since a change of the settings, an approval of \(app.name)/\(intent.name) covers one run",
                hint: "make the request again"
            )
        }
        guard run.accepted.needsApproval != true, needsApproval(run.query, intent, of: app) else { return nil }
        return ErrorReport(
            .notPermitted,
            "since a change of [Agents], a person must approve \(app.name)/\(intent.name)",
            hint: "make the request again"
        )
    }
}

extension RunStateMachine {
    /// True until the run leaves the backlog.
    var isWaiting: Bool {
        switch state {
        case .approving, .queued: true
        case .starting, .running, .asking, .collecting, .leaving, .stopping, .ended: false
        }
    }

    /// Ends a waiting run that its user may not perform any more.
    mutating func forbid(_ message: String, at now: Now) -> [Action] {
        isWaiting ? end(.notStarted(message: message), at: now) : []
    }
}
