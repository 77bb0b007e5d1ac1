import IntentWire

/// What goes on record, and what becomes of a run that cannot.
///
/// A record comes before everything that tells of it: whoever carries the actions out keeps that order.
extension RunTable {
    func record(_ fact: RunRecord.Fact, of run: Run) -> [Action] {
        // Of a run that nobody was told of there is nothing to remember.
        run.isOffRecord ? [] : [.record(RunRecord(run.id, fact))]
    }

    func acceptance(of run: Run, _ request: PerformRequest) -> [Action] {
        let accepted = AcceptedRun(
            caller: run.caller,
            entryPoint: request.entryPoint ?? .socket,
            request: run.request,
            key: request.key,
            retryOf: request.retryOf,
            traceparent: request.traceparent,
            app: run.app.name,
            intent: run.intent.name,
            traits: run.intent.traits,
            values: run.secretNames.isEmpty ? run.values : run.values.filter { !run.secretNames.contains($0.key) },
            secretNames: run.secretNames,
            fileCount: run.fileCount,
            query: request.query?.parameter,
            locale: run.locale,
            onDisconnect: run.onDisconnect,
            limits: run.machine.limits
        )
        let secrets = run.values.filter { run.secretNames.contains($0.key) }
        let remainder = RunRemainder(secrets: secrets, answers: run.answers)
        return (remainder.map { [.keep(run.id, $0)] } ?? []) + record(.accepted(accepted), of: run)
    }

    /// What an event means for the record, where it is a change of state.
    func records(of event: RunEvent, in run: Run) -> [Action] {
        guard case .state(let state, let reason) = event else { return [] }
        let change = record(.state(state, reason: reason, slot: state == .starting ? run.slot : nil), of: run)
        guard state == .asking, let question = run.machine.openQuestion else { return change }
        return change + record(.asked(question.onRecord), of: run)
    }

    func ending(of run: Run, _ outcome: RunOutcome) -> [Action] {
        var account = run.machine.account
        account.details = account.details.map { onRecord($0, of: run) }
        let end = RecordedEnd(
            outcome: outcome,
            account: account,
            progress: run.progress,
            progressNanoseconds: run.progressTime?.nanoseconds,
            advanceNanoseconds: run.machine.lastAdvance?.nanoseconds,
            clock: run.machine.expiredClock,
            lastSerial: run.lastSerial + 1
        )
        return record(.ended(end), of: run)
    }

    // MARK: Runs off the record

    /// A run cannot be put on record: it must not be, and whoever asked for it hears that from the edge.
    mutating func notRecorded(_ id: RunID, message: String, at now: Now) -> [Action] {
        takeOffRecord(id, .notStarted(message: message), at: now)
    }

    /// What a run was made for is on record as another one: those who asked follow that.
    mutating func foundOnRecord(_ id: RunID, _ known: KnownRun, _ askers: [WaitingAsker], at now: Now) -> [Action] {
        let actions = takeOffRecord(id, .notStarted(message: "the same was asked before"), at: now)
        return actions + askers.flatMap { follow(known, as: $0, at: now) }
    }

    /// Answers a client that asked about a run which only history remembers.
    func recalled(_ known: KnownRun, _ end: RunEnd, for purpose: RecallPurpose, _ asker: WaitingAsker) -> [Action] {
        switch purpose {
        case .cancelling: return [.answer(asker.client, id: asker.id, .ended(end))]
        case .watching:
            let watched = WatchedRun(run: known.run, app: known.app, intent: known.intent, live: nil)
            let event = NumberedEvent(run: known.run, serial: max(known.lastSerial, 1), .finished(end))
            return [.answer(asker.client, id: asker.id, .watching(watched)), .publish([asker.client], event)]
        }
    }

    private mutating func follow(_ known: KnownRun, as asker: WaitingAsker, at now: Now) -> [Action] {
        let accepted = Action.answer(asker.client, id: asker.id, .accepted(run: known.run))
        if let run = runs[known.run] {
            ownerCame(asker.client, to: known.run)
            return [accepted] + ownersNews(of: run, to: asker.client, at: now)
        }
        guard let end = known.end ?? endedRuns[known.run]?.end else {
            let error = ErrorReport(
                .busy,
                "the same was asked before, as run \(known.run), and its end is not known yet",
                hint: "ask again in a moment"
            )
            return [.answer(asker.client, id: asker.id, .refused(error))]
        }
        let event = NumberedEvent(run: known.run, serial: max(known.lastSerial, 1), .finished(end))
        return [accepted, .publish([asker.client], event)]
    }

    private mutating func takeOffRecord(_ id: RunID, _ outcome: RunOutcome, at now: Now) -> [Action] {
        if let run = runs[id] {
            runs[id]?.isOffRecord = true
            runs[id]?.owners = []
            runs[id]?.watchers = []
            runs[id]?.waiters = []
            forgetRequest(OwnedRequest(user: run.owner, request: run.request), of: id)
            return withRun(id, at: now) { $0.withdraw(outcome, at: now) }
        }
        // It was over before its first record came back.
        if let ended = endedRuns.forget(id) {
            forgetRequest(OwnedRequest(user: ended.owner, request: ended.request), of: id)
        }
        return []
    }

    mutating func forgetRequest(_ request: OwnedRequest, of id: RunID) {
        if requests[request] == id { requests[request] = nil }
    }

    /// A client whose request waits for the record of its run.
    package struct WaitingAsker: Equatable, Sendable {
        package var client: ClientID
        package var id: UInt64

        package init(client: ClientID, id: UInt64) {
            self.client = client
            self.id = id
        }
    }
}
