import IntentHistory
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// Handles the updates from the history's threads.
extension Recorder {
    func receiveUpdates() {
        guard let updates = history?.drainUpdates() else { return }
        if updates.problem != problem { changed(updates.problem) }
        metrics.unrecordedOutputByteCount += Int64(updates.leftOutByteCount)
        for rejection in updates.rejections { reject(rejection) }
        notes?.log.settled(upTo: updates.settled)
        for action in gate.settled(upTo: updates.settled) { perform(action) }
        if updates.unfinished != nil, updates.hasReplayed { isReplaying = false }
        if !updates.stored.isEmpty, !isReplaying { decisions.handle(.recalled(updates.stored)) }
        reported(updates.unfinished)
        for (number, answer) in updates.answers { answered(number, answer) }
        sendRecords()
        decisions.sendUnlessInBatch()
        if let cause = heldQuit { quitWhenRecorded(cause) }
    }

    private func changed(_ problem: HistoryProblem?) {
        self.problem = problem
        if let problem {
            journal.write(.error, "no new runs: \(problem); \(problem.hint)", .historyUnavailable)
        } else {
            journal.write(.notice, "the history is writable again; accepting new runs", .historyAvailable)
        }
        problemChanged()
    }

    /// Undoes the acceptance of a run that the history rejected, and sends the reason to the waiting clients.
    private func reject(_ rejection: RecordRejection) {
        let run = rejection.run
        let held = gate.reject(run)
        metrics.withdraw(run)
        var waitingClients: [RunTable.WaitingClient] = []
        for action in held {
            switch action {
            case .answer(let client, let id, _): waitingClients.append(RunTable.WaitingClient(client: client, id: id))
            // Drop these actions, so that no subscriber and no worker is informed of the run.
            case .publish, .send, .conduct: break
            default: perform(action)
            }
        }
        let refusal: ErrorReport
        switch rejection.cause {
        case .known(let known): return decisions.handle(.foundOnRecord(run, known, waitingClients))
        case .unavailable(let problem):
            refusal = ErrorReport(.historyUnavailable, "the run was not accepted: \(problem)", hint: problem.hint)
        case .keyTaken(let other, let differences):
            refusal = ErrorReport(
                .keyConflict,
                "the key was already used for a different request (run \(other)): "
                    + differences.joined(separator: "; "),
                hint: "use another key, or repeat the original request unchanged"
            )
        case .keyUnavailable:
            refusal = ErrorReport(
                .keyConflict,
                "the key was already used for a request to which you have no access",
                hint: "use another key"
            )
        // Do not name the run: for an undo, intentd itself has chosen it, and an agent may have no access to it.
        case .unknownPredecessor:
            refusal = ErrorReport(
                .unknownRun,
                "you have no such run to retry",
                hint: "'intentctl history' lists your recorded runs"
            )
        }
        decisions.handle(.notRecorded(run, message: refusal.message))
        for origin in waitingClients { perform(.answer(origin.client, id: origin.id, .refused(refusal))) }
    }

    /// Exits the program once the events for its clients are on record, or the disk has not responded in time.
    func quitWhenRecorded(_ cause: RunTable.QuitCause) {
        let patience: Duration
        // Wait for the records in the launcher's memory as well. They would be lost if the launcher exited together
        // with this program.
        switch QuitPatience.decide(
            cause,
            isLogSettled: notes?.log.isSettled ?? true,
            isGateOpen: gate.isOpen,
            isHistoryBroken: problem != nil
        ) {
        case .quit:
            heldQuit = nil
            quitTimer = nil
            return perform(.quit(cause))
        case .wait(let limit): patience = limit
        }
        guard heldQuit == nil else { return }
        heldQuit = cause
        history?.flush()
        ServiceNotification.extendTimeout(patience + .seconds(5)).send()
        do {
            let instant = ClockReading.monotonicNanoseconds() + patience.milliseconds * 1_000_000
            quitTimer = try loop.timer(atNanoseconds: instant) { [weak self] in self?.quitUnrecorded(cause) }
        } catch {
            perform(.quit(cause))
        }
    }

    private func quitUnrecorded(_ cause: RunTable.QuitCause) {
        let runs = Set(notes?.log.unsettledEntries().entries.map(\.record.run.text) ?? []).sorted()
        let published =
            runs.isEmpty ? "" : "; clients have already received the outcomes of \(runs.joined(separator: ", "))"
        journal.write(.error, "cannot record the outcomes of the last runs; exiting without these records\(published)")
        heldQuit = nil
        perform(.quit(cause))
    }
}

/// The decision on whether the program may exit while records are not on disk yet.
enum QuitPatience: Equatable {
    case quit
    case wait(Duration)

    /// Decides whether to exit now, given the cause of the exit.
    ///
    /// - Parameters:
    ///   - isLogSettled: True if all records in the launcher's memory are on disk.
    ///   - isGateOpen: True if no action waits for a record.
    static func decide(
        _ cause: RunTable.QuitCause,
        isLogSettled: Bool,
        isGateOpen: Bool,
        isHistoryBroken: Bool
    ) -> QuitPatience {
        if isLogSettled, isGateOpen || cause == .launcherLost && isHistoryBroken { return .quit }
        // Wait longer if clients have already received events that are not on disk yet.
        return .wait(isLogSettled ? .seconds(3) : .seconds(20))
    }
}
