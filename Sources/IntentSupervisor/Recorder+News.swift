import IntentHistory
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// What the history's threads report.
extension Recorder {
    func receiveNews() {
        guard let news = history?.takeNews() else { return }
        if news.problem != problem { changed(news.problem) }
        metrics.leftOut(outputByteCount: Int(news.leftOutByteCount))
        for rejection in news.rejections { reject(rejection) }
        notes?.log.settled(upTo: news.settled)
        for action in gate.settled(upTo: news.settled) { performRecorded(action) }
        if news.unfinished != nil, news.hasReplayed { isReplaying = false }
        reported(news.unfinished)
        for (number, answer) in news.answers { answered(number, answer) }
        sendRecords()
        decisions.sendTogether()
        if let cause = heldQuit { quitWhenRecorded(cause) }
    }

    private func changed(_ problem: HistoryProblem?) {
        self.problem = problem
        if let problem {
            journal.write(.error, "no new runs: \(problem); \(problem.hint)", .historyUnavailable)
        } else {
            journal.write(.notice, "the history can be written again: accepting new runs", .historyAvailable)
        }
        problemChanged()
    }

    /// The run counts as never accepted.
    private func reject(_ rejection: RecordRejection) {
        let run = rejection.run
        let held = gate.reject(run)
        metrics.withdraw(run)
        var askers: [RunTable.WaitingAsker] = []
        for action in held {
            switch action {
            case .answer(let client, let id, _): askers.append(RunTable.WaitingAsker(client: client, id: id))
            // Neither subscribers nor a worker are told.
            case .publish, .tell: break
            case .keep, .record, .launch, .signal, .collect, .discardFiles, .release, .note, .armTimer, .disarmTimer,
                .log, .forget, .handOver, .catalogued, .reportBroken, .quit:
                performRecorded(action)
            }
        }
        let refusal: ErrorReport
        switch rejection.cause {
        case .known(let known): return decisions.handle(.foundOnRecord(run, known, askers))
        case .unavailable(let problem):
            refusal = ErrorReport(.historyUnavailable, "not accepted: \(problem)", hint: problem.hint)
        case .keyTaken(let other, let differences):
            refusal = ErrorReport(
                .keyConflict,
                "the key belongs to run \(other), which was requested with other values: "
                    + differences.joined(separator: "; "),
                hint: "use another key, or repeat the same request"
            )
        case .unknownPredecessor(let other):
            refusal = ErrorReport(
                .unknownRun,
                "there is no run '\(other)' of yours to try again",
                hint: "'intentctl history' lists your recorded runs"
            )
        }
        decisions.handle(.notRecorded(run, message: refusal.message))
        for asker in askers { clients[asker.client]?.send(.answer(id: asker.id, .refused(refusal))) }
    }

    /// Ends the program once clients have been told what is recorded, or the disk no longer responds.
    func quitWhenRecorded(_ cause: RunTable.QuitCause) {
        let patience: Duration
        // The launcher ends too, and with it the records that it holds in memory.
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
        let runs = Set(notes?.log.leftEntries().entries.map(\.record.run.text) ?? []).sorted()
        let words = runs.isEmpty ? "" : ": clients were told of \(runs.joined(separator: ", ")), which is not recorded"
        journal.write(.error, "the history cannot record the last ends, exiting without them\(words)")
        heldQuit = nil
        perform(.quit(cause))
    }
}

/// Whether the program may end while records are on their way to the disk.
enum QuitPatience: Equatable {
    case quit
    case wait(Duration)

    /// - Parameters:
    ///   - isLogSettled: Everything in the memory that the launcher keeps is on disk.
    ///   - isGateOpen: No client and no worker waits for a record.
    static func decide(
        _ cause: RunTable.QuitCause,
        isLogSettled: Bool,
        isGateOpen: Bool,
        isHistoryBroken: Bool
    ) -> QuitPatience {
        if isLogSettled, isGateOpen || cause == .launcherLost && isHistoryBroken { return .quit }
        // Events that clients have heard are worth more patience than events that no client has heard.
        return .wait(isLogSettled ? .seconds(3) : .seconds(20))
    }
}
