package import IntentLauncherMessages

/// The checks on the details that a worker reports with its outcome, before the details are published and recorded.
extension RunTable {
    /// Replaces the denial that the worker claims with the denial that intentd itself determines. Removes a crash
    /// and stacks, which are not part of a result, and the snippet's controls that a client must not perform.
    func checked(_ result: WorkerResult, of id: RunID) -> WorkerResult {
        guard var details = result.details, let run = runs[id] else { return result }
        var result = result
        details.denial = nil
        details.crash = nil
        details.stacks = nil
        details.hosts = nil
        if let call = details.failedCall {
            details.failedCall = nil
            let isSandboxed = (run.machine.account.isolation ?? .none) > .none
            // The path of a real call is shorter than PATH_MAX, which is 4096 (limits.h).
            let isPlausible = call.path.map { $0.utf8.count < 4096 } != false
            if isSandboxed, isPlausible { details.denial = run.app.denial(of: call, by: run.intent) }
        }
        // Keep the snippet only if `perform()` returned. Other endings have no files for the snippet's images.
        if case .returned = result.ending {
            details.snippet = details.snippet.map { permitted($0, of: run.app) }
        } else {
            details.snippet = nil
        }
        result.details = details.isEmpty ? nil : details
        return result
    }

    /// True if connections of the run in the slot may have been refused.
    package func mayHaveRefusals(in slot: SlotID) -> Bool {
        run(of: slot).flatMap { runs[$0] }.map { $0.app.grants(to: $0.intent).hasHosts } == true
    }

    mutating func happened(_ event: HostEvent, in slots: [SlotID], at now: Now) -> [Action] {
        switch event {
        case .refused(let refusal): connectionRefused(slots, refusal)
        case .used(let hosts): hostsUsed(slots, hosts)
        case .asked(let question): hostAsked(question, in: slots, at: now)
        case .withdrawn(let question): hostQuestionWithdrawn(question, in: slots, at: now)
        }
    }

    /// Notes a refused connection for the runs that may have caused it, if it explains more than what they have.
    mutating func connectionRefused(_ slots: [SlotID], _ refusal: RefusedConnection) -> [Action] {
        let ids = slots.compactMap { run(of: $0) }
        for id in ids {
            guard let run = runs[id], run.machine.refusal.map({ $0.connection.rank <= refusal.rank }) != false
            else { continue }
            runs[id]?.machine.refusal = RunStateMachine.Refusal(connection: refusal, isShared: ids.count > 1)
        }
        return hostsUsed(slots, [HostUse(host: refusal.target, refusedCount: 1, grant: refusal.grant)])
    }

    /// Counts connections for the run in the sandbox. If it has several, one of them counts them, so that sums are right.
    mutating func hostsUsed(_ slots: [SlotID], _ hosts: [HostUse]) -> [Action] {
        let ids = slots.sorted { $0.number < $1.number }.compactMap { run(of: $0) }
        guard let id = ids.first else { return [] }
        for var host in hosts {
            host.isShared = ids.count > 1 ? true : nil
            runs[id]?.machine.count(host)
        }
        return []
    }

    /// Returns the denial for a run's refused connection if the run failed, and no cause of its end is known for certain.
    func denialOfConnection(_ run: Run, _ outcome: RunOutcome) -> SandboxDenial? {
        if case .done = outcome { return nil }
        guard let refusal = run.machine.refusal else { return nil }
        let known = run.machine.account.details?.denial
        guard known == nil || known?.subject == .network || known?.subject == .call else { return nil }
        return run.app.denial(of: refusal.connection, to: run.intent, isShared: refusal.isShared)
    }

    /// Returns the snippet without the controls that a client must not perform.
    func permitted(_ snippet: Snippet, of app: InstalledApp) -> Snippet {
        let intents = apps[app.name]?.catalog(of: app)?.intents
        return SnippetCheck.withPermittedActions(snippet) { action in
            guard let intent = intents?.first(where: { $0.name == action.intent }) else { return false }
            return app.secretNames(of: intent).isDisjoint(with: action.values.keys)
        }
    }

    /// Returns the details to record, without other intents' secret values.
    func onRecord(_ details: RunDetails, of run: Run) -> RunDetails {
        var details = details
        details.opens = details.opens.map { withoutSecrets($0, of: run) }
        // Do not record an undo intent with secret values. Without these values, it could undo something else.
        if let intent = details.undo?.intent, intent != withoutSecrets(intent, of: run) {
            details.undo?.intent = nil
        }
        details.donations = details.donations?.map { withoutSecrets($0, of: run) }
        return details
    }

    private func withoutSecrets(_ reference: IntentReference, of run: Run) -> IntentReference {
        let declared = apps[run.app.name]?.catalog(of: run.app)?.intents.first { $0.name == reference.intent }
        // Any parameter of an unknown intent may be secret, so omit all values.
        let known = declared.map { run.app.secretNames(of: $0) }
        guard let secrets = known ?? storedSecretNames(of: reference.intent, for: run) else {
            return IntentReference(intent: reference.intent, values: [:], identifier: reference.identifier)
        }
        var reference = reference
        reference.values = reference.values.filter { !secrets.contains($0.key) }
        return reference
    }
}
