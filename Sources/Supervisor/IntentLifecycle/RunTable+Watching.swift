package import IntentLauncherMessages

/// Requests to watch runs. Watchers receive the same events as owners, and never affect a run.
extension RunTable {
    mutating func watch(
        _ text: String,
        after serial: UInt64?,
        isReturn: Bool = false,
        _ origin: RequestOrigin,
        at now: Now
    ) -> [Action] {
        guard let id = RunID(text) else { return [Self.refusal(of: text, to: origin)] }
        if let run = runs[id], origin.may(.follow, withRunOf: run.requester) {
            let isOwner = isReturn && run.requester == origin.requester
            if isOwner { ownerReconnected(origin.client, to: id) }
            if run.outcome == nil, !isOwner, !run.watchers.contains(origin.client) {
                runs[id]?.watchers.append(origin.client)
            }
            let live = run.outcome == nil ? describe(run, to: origin.user, at: now) : nil
            let watched = WatchedRun(run: id, app: run.app.name.text, intent: run.intent.name, live: live)
            return [.answer(origin.client, id: origin.id, .watching(watched))]
                + missedEvents(of: run, after: serial, to: origin.client, at: now)
        }
        if let ended = endedRuns[id], origin.may(.follow, withRunOf: ended.requester) {
            let watched = WatchedRun(run: id, app: ended.app, intent: ended.intent, live: nil)
            return [
                .answer(origin.client, id: origin.id, .watching(watched)), lateEnd(ended, to: origin.client),
            ]
        }
        return [Self.refusal(of: text, to: origin)]
    }

    /// Returns the events that a late subscriber has missed: the newest event of each kind with its original serial, or
    /// the end of the run.
    func missedEvents(
        of run: Run,
        after serial: UInt64?,
        to client: ClientID,
        at now: Now
    ) -> [Action] {
        if let end = run.end {
            let event = NumberedEvent(run: run.id, serial: run.lastSerial, .finished(end))
            return [.publish([client], event)]
        }
        return [run.lastState, run.lastProgress, questionEvent(of: run, at: now)].compactMap(\.self)
            .filter { $0.serial > serial ?? 0 }
            .sorted { $0.serial < $1.serial }
            .map { .publish([client], $0) }
    }

    /// Returns the event that a reconnecting owner has missed: the end of the run or the open question. Later events
    /// follow as they occur.
    mutating func missedEventsForOwner(of run: Run, to client: ClientID, at now: Now) -> [Action] {
        guard run.outcome == nil else { return missedEvents(of: run, after: nil, to: client, at: now) }
        guard run.machine.openQuestion != nil else { return [] }
        // Use a new serial, because the client may have received later events about the run on this connection.
        let serial = run.lastSerial + 1
        runs[run.id]?.lastSerial = serial
        runs[run.id]?.questionSerial = serial
        guard let asking = runs[run.id], let event = questionEvent(of: asking, at: now) else { return [] }
        return [.publish([client], event)]
    }

    private func questionEvent(of run: Run, at now: Now) -> NumberedEvent? {
        openQuestion(of: run, at: now).map { NumberedEvent(run: run.id, serial: run.questionSerial, .question($0)) }
    }

    /// Returns the action that sends the end of an ended run to a client.
    func lateEnd(_ ended: EndedRuns.Entry, to client: ClientID) -> Action {
        let event = NumberedEvent(run: ended.end.run, serial: ended.lastSerial, .finished(ended.end))
        return .publish([client], event)
    }

    /// The result of looking up the end of a run in this table.
    package enum EndLookup: Sendable {
        case known(RunEnd)
        /// The run has not ended.
        case live
        /// The table does not contain the run, or the user may not receive its files.
        case unknown
    }

    /// Returns the end of a run to a user who requests the files of the run's result.
    package func end(of text: String, for requester: Requester, _ rank: RunAccess.Rank) -> EndLookup {
        guard let id = RunID(text) else { return .unknown }
        if let run = runs[id], RunAccess.may(.fetch, requester, rank, withRunOf: run.requester) {
            return run.end.map { .known($0) } ?? .live
        }
        if let ended = endedRuns[id], RunAccess.may(.fetch, requester, rank, withRunOf: ended.requester) {
            return .known(ended.end)
        }
        return .unknown
    }

    package static func unknownRun(_ text: String) -> ErrorReport {
        ErrorReport(
            .unknownRun,
            "you have no run '\(WireCoding.excerpt(text))'",
            hint: "'intentctl ps' lists your live runs"
        )
    }

    private static func refusal(of text: String, to origin: RequestOrigin) -> Action {
        .answer(origin.client, id: origin.id, .refused(unknownRun(text)))
    }
}
