import IntentLauncherMessages

/// Agents' requests: the intents that agents may perform, and approval by a person.
///
/// A person approves a run by answering question 0, which intentd asks before the run joins the backlog. The approval
/// is valid for this run only, unless the person lets it stay open (``StandingApprovals``). It covers everything that
/// the agent's request tells the run (``Approval``). The question expires after `QuestionTimeout=`.
extension RunTable {
    /// The number of the question that asks for a run's approval. A worker numbers its questions from 1.
    static let approvalNumber: UInt64 = 0

    /// Returns the error for an agent's request that is not permitted, or nil if it is permitted.
    func refusal(
        ofAgent origin: RequestOrigin,
        _ request: PerformRequest,
        _ intent: IntentDeclaration,
        of app: InstalledApp
    )
        -> ErrorReport?
    {
        if let refusal = Self.refusal(ofAgentsTo: intent, of: app, request.query) { return refusal }
        let account = account(of: origin.user)
        let ofAgents = runs.values.filter { $0.isOfAgent && self.account(of: $0.owner) == account }
        let waiting = ofAgents.filter { $0.machine.isAsking || $0.machine.isAwaitingApproval }
        // The run of a shortcut that waits for no person waits for its steps, which are counted.
        let busyCount = ofAgents.count {
            $0.outcome == nil && !$0.machine.isAsking && !$0.machine.isAwaitingApproval && !shortcuts.contains($0.id)
        }
        // What only reads rarely asks, and what waits for a person must not stop an agent from reading. A query never asks.
        let effect = app.agentRule(for: intent).effect ?? intent.effect
        let limit = effect == .reads ? 2 * capacity.agentWaitingCount : capacity.agentWaitingCount
        if request.query == nil, waiting.count >= limit { return refusal(ofWaiting: waiting, for: origin, limit) }
        guard busyCount < capacity.agentRunCount else {
            var report = ErrorReport(
                .busy,
                """
                agents already have the maximum number of runs for this user that do not wait for an answer \
                (MaxRuns=\(capacity.agentRunCount) in [Agents])
                """,
                hint: "try again when an agent's run has ended"
            )
            report.retryAfter = .seconds(1)
            return report
        }
        return nil
    }

    /// Returns the error for a request that is refused because too many runs of agents wait for an answer. It has no time
    /// to wait, because only a person or a cancellation helps.
    private func refusal(ofWaiting waiting: [Run], for origin: RequestOrigin, _ limit: Int) -> ErrorReport {
        let own = waiting.filter { origin.may(.see, withRunOf: $0.requester) }.map(\.id.text).sorted()
        let names =
            own.prefix(Self.namedRunCount).joined(separator: ", ") + (own.count > Self.namedRunCount ? ", …" : "")
        return ErrorReport(
            .busy,
            """
            \(waiting.count) runs of agents already wait for an answer (MaxWaiting=\(capacity.agentWaitingCount) in \
            [Agents], limit here: \(limit))\(own.isEmpty ? "" : ": \(names)")
            """,
            hint:
                "a person answers one with 'intentctl answer RUN'; 'intentctl cancel RUN' or the tool intent_run_cancel withdraws one"
        )
    }

    /// The maximum number of runs that an error names.
    private static let namedRunCount = 5

    /// Returns the error for an intent that no agent may perform, or for options of it; nil if agents may.
    static func refusal(ofAgentsTo intent: IntentDeclaration, of app: InstalledApp, _ query: OptionsQuery?)
        -> ErrorReport?
    {
        // Treat a query for options as an intent that only reads data.
        let effect = query == nil ? app.agentRule(for: intent).effect ?? intent.effect : .reads
        guard !app.permitsAgents(to: intent, effect) else { return nil }
        return ErrorReport(
            .notPermitted,
            "agents may not perform \(app.name)/\(intent.name)",
            hint: "an operator can permit it with Allow= in [Agents] of \(app.name).conf"
        )
    }

    /// Returns true if a person must approve an agent's request. A query for options needs no approval.
    func needsApproval(_ query: OptionsQuery?, _ intent: IntentDeclaration, of app: InstalledApp) -> Bool {
        guard query == nil else { return false }
        if let shortcut = app.shortcut, shortcut.isPersonal { return needsApproval(shortcut.plan) }
        return app.asksAPerson(before: intent)
    }

    /// Returns the error for a request that a person must approve, but that carries values which the person may not see
    /// (``RequestPart/Treatment/refused``). Returns nil if it carries none.
    func refusal(
        ofSecretsIn request: PerformRequest,
        _ values: RunValues,
        _ intent: IntentDeclaration,
        of app: InstalledApp
    )
        -> ErrorReport?
    {
        let given = Set(values.byName.keys).union(request.answers?.values?.keys ?? [:].keys)
        guard let name = app.secretNames(of: intent).intersection(given).min() else { return nil }
        return ErrorReport(
            .notPermitted,
            "a person must approve the run, and cannot see the value of '\(name)', which is secret",
            hint: "omit the value if the run can ask for it; otherwise, a person must perform the intent"
        )
    }

    /// Returns the question that asks a person to approve an agent's request.
    func approvalQuestion(for run: Run) -> Question {
        let effect = run.app.agentRule(for: run.intent).effect ?? run.intent.effect
        let terms = ApprovalTerms(run)
        var question = Question(
            number: Self.approvalNumber,
            text: terms.text,
            type: .bool,
            kind: .confirmation,
            title: run.intent.title
        )
        question.acceptLabel = "Allow"
        question.denyLabel = "Refuse"
        question.isDestructive = (effect == .destroys || run.app.shortcut.map { destroys($0.plan) } == true).trueOrNil
        question.digest = terms.digest
        return question
    }

    /// Returns the reason why no further run of the user may await an approval, or nil if it may. These runs are divided
    /// among users like the backlog.
    func refusal(ofApprovalFor user: Caller) -> AdmissionQueue.Refusal? {
        let awaiting = runs.values.filter(\.machine.isAwaitingApproval)
        return .of(
            own: awaiting.count { account(of: $0.owner) == account(of: user) },
            taken: awaiting.count,
            limit: capacity.queueCount
        )
    }

    /// Moves a run that was approved to the backlog, and cancels the runs that it replaces.
    mutating func joinApproved(_ id: RunID, at now: Now) -> [Action] {
        guard let run = runs[id], run.machine.visibleState == .queued else { return [] }
        if shortcuts.contains(id) { return keepApproval(of: id) + beginShortcut(id, at: now) }
        admission.join(
            run.ticket ?? ticket(for: run, predecessor: predecessor(of: run)),
            appLimit: run.app.runCountMax
        )
        return replaceOlder(than: id, at: now)
    }
}

extension UnfinishedRun {
    /// True if the run needs approval and no person has approved it yet. An answer to a later question proves that the
    /// run was approved.
    var awaitsApproval: Bool {
        guard accepted.needsApproval == true else { return false }
        guard let lastAnswer, lastAnswer.question == RunTable.approvalNumber else { return lastAnswer == nil }
        return lastAnswer.value != .bool(true)
    }
}
