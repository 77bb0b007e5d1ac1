import IntentLauncherMessages

/// Records of runs, and runs that cannot be recorded.
///
/// The action that writes a record comes before every action that reveals the record's contents. The supervisor
/// preserves that order.
extension RunTable {
    func record(_ fact: RunRecord.Fact, of run: Run) -> [Action] {
        // A run that is off record was never announced to a client, so nothing about it is recorded.
        run.isOffRecord ? [] : [.record(RunRecord(run.id, fact))]
    }

    func recordAcceptance(of run: Run) -> [Action] {
        let secrets = run.secretNames.isEmpty ? [:] : run.values.byName.filter { run.secretNames.contains($0.key) }
        let remainder = RunRemainder(secrets: secrets, answers: run.answers, files: run.files)
        return (remainder.map { [.keep(run.id, $0)] } ?? []) + record(.accepted(run.accepted), of: run)
    }

    /// Returns the records to write for an event that changes the run's state.
    func records(of event: RunEvent, in run: Run) -> [Action] {
        guard case .state(let state, let reason) = event else { return [] }
        let change = record(.state(state, reason: reason, slot: state == .starting ? run.slot : nil), of: run)
        guard state == .asking, let question = run.machine.openQuestion else { return change }
        return change + record(.asked(question.onRecord), of: run)
    }

    func ending(of run: Run, _ outcome: RunOutcome, at now: Now) -> [Action] {
        var account = run.machine.account
        account.details = account.details.map { onRecord($0, of: run) }
        let end = RecordedEnd(
            outcome: outcome,
            account: account,
            progress: run.progress,
            progressAge: run.progressTime.map { now.monotonic - $0 },
            advanceAge: run.machine.lastAdvance.map { now.monotonic - $0 },
            clock: run.machine.expiredClock,
            lastSerial: run.lastSerial + 1
        )
        return record(.ended(end), of: run)
    }

    // MARK: Runs that are not recorded

    /// Ends a run that cannot be recorded. The supervisor sends the reason to its client.
    mutating func notRecorded(_ id: RunID, message: String, at now: Now) -> [Action] {
        endUnrecorded(id, .notStarted(message: message), at: now)
    }

    /// Ends a run because the history already contains another run for the same request. The clients that requested the
    /// run become subscribers of the recorded run instead.
    mutating func foundOnRecord(_ id: RunID, _ known: KnownRun, _ waitingClients: [WaitingClient], at now: Now)
        -> [Action]
    {
        let actions = endUnrecorded(id, .notStarted(message: "the same request has already been recorded"), at: now)
        return actions + waitingClients.flatMap { follow(known, as: $0, at: now) }
    }

    /// Answers a client's request about a run that only the history contains.
    func recalled(_ known: KnownRun, _ end: RunEnd, for purpose: RecallPurpose, _ origin: WaitingClient) -> [Action] {
        switch purpose {
        case .cancelling: return [.answer(origin.client, id: origin.id, .ended(end))]
        case .watching:
            let watched = WatchedRun(run: known.run, app: known.app, intent: known.intent, live: nil)
            let event = NumberedEvent(run: known.run, serial: max(known.lastSerial, 1), .finished(end))
            return [.answer(origin.client, id: origin.id, .watching(watched)), .publish([origin.client], event)]
        }
    }

    private mutating func follow(_ known: KnownRun, as origin: WaitingClient, at now: Now) -> [Action] {
        let accepted = Action.answer(origin.client, id: origin.id, .accepted(run: known.run))
        if let run = runs[known.run] {
            ownerReconnected(origin.client, to: known.run)
            return [accepted] + missedEventsForOwner(of: run, to: origin.client, at: now)
        }
        guard let end = known.end ?? endedRuns[known.run]?.end else {
            let error = ErrorReport(
                .busy,
                "the same request has already started run \(known.run), which has not ended",
                hint: "try again in a moment"
            )
            return [.answer(origin.client, id: origin.id, .refused(error))]
        }
        let event = NumberedEvent(run: known.run, serial: max(known.lastSerial, 1), .finished(end))
        return [accepted, .publish([origin.client], event)]
    }

    private mutating func endUnrecorded(_ id: RunID, _ outcome: RunOutcome, at now: Now) -> [Action] {
        if let run = runs[id] {
            runs[id]?.isOffRecord = true
            runs[id]?.owners = []
            runs[id]?.watchers = []
            runs[id]?.waiters = []
            forgetRequest(OwnedRequest(requester: run.requester, request: run.request), of: id)
            return withRun(id, at: now) { $0.withdraw(outcome, at: now) }
        }
        // If the run has already ended, forget its end, because the run was never on record.
        if let ended = endedRuns.forget(id) {
            forgetRequest(OwnedRequest(requester: ended.requester, request: ended.request), of: id)
        }
        return []
    }

    mutating func forgetRequest(_ request: OwnedRequest, of id: RunID) {
        if requests[request] == id { requests[request] = nil }
    }

    /// A client waiting for its run to be on record.
    package struct WaitingClient: Equatable, Sendable {
        package var client: ClientID
        package var id: UInt64

        package init(client: ClientID, id: UInt64) {
            self.client = client
            self.id = id
        }
    }
}

extension RunTable.RequestOrigin {
    /// Returns true if an agent makes the request: its uid is listed as an agent, or its client identifies itself as
    /// one.
    func isAgent(with request: PerformRequest) -> Bool { agent != nil || request.entryPoint == .mcp }
}

extension AcceptedRun {
    /// - Parameter values: The accepted values, including secret values.
    init(
        _ request: PerformRequest,
        as intent: IntentDeclaration,
        of app: InstalledApp,
        by origin: RunTable.RequestOrigin,
        _ values: RunValues,
        _ limits: RunLimits
    ) {
        let secretNames = app.secretNames(of: intent).intersection(values.byName.keys).sorted()
        self.init(
            caller: origin.caller,
            entryPoint: origin.isAgent(with: request) ? .mcp : Self.entryPoint(request.entryPoint, of: origin.client),
            request: request.request,
            key: request.key,
            retryOf: request.retryOf,
            traceparent: request.traceparent,
            app: app.name,
            intent: intent.name,
            traits: intent.traits,
            values: secretNames.isEmpty
                ? values : RunValues(encoding: values.byName.filter { !secretNames.contains($0.key) }),
            secretNames: secretNames,
            fileCount: request.fileCount,
            query: request.query?.parameter,
            locale: request.locale,
            onDisconnect: request.onDisconnect,
            limits: limits
        )
    }

    private static func entryPoint(_ entryPoint: EntryPoint?, of client: ClientID) -> EntryPoint {
        switch entryPoint {
        // A client must not suppress the notifications about its runs by claiming to be a notification.
        case .notification: client == .intentd ? .notification : .socket
        case .commandLine?, .mcp?, .socket?, .http?: entryPoint ?? .socket
        // A client from a later release may send an unknown entry point. Do not record it.
        case .unknown?, nil: .socket
        }
    }
}
