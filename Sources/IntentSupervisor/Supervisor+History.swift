import IntentConfiguration
import IntentHistory
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// Runs on their way to the record, and what waits for that.
extension Supervisor {
    func startRecording() throws(SystemError) {
        guard let history else { return }
        // Early: clients and workers wait for it.
        recording.source = try loop.descriptor(history.newsCounter.rawValue, .readable, priority: .early) { _ in
            self.takeNews()
        }
    }

    /// Performs an action now, or when the record that it depends on is on disk.
    func pass(_ action: RunTable.Action) {
        faults.pass()
        switch action {
        case .record(let record):
            metrics.take(record, at: ClockReading.monotonicNanoseconds())
            guard history != nil else { return carryOut(action) }
            if case .exited = record.fact { tellLeftOut(of: record.run, .stdout) }
            put(record)
        case .quit(let cause):
            guard history != nil else { return carryOut(action) }
            quitWhenRecorded(cause)
        case .launch(let request):
            metrics.launched(request)
            carryOutWhenAdmitted(action)
        case .keep, .answer, .publish, .tell, .signal, .collect, .discardFiles, .release, .note, .armTimer,
            .disarmTimer, .log, .forget, .handOver, .catalogued, .reportBroken:
            carryOutWhenAdmitted(action)
        }
    }

    private func carryOutWhenAdmitted(_ action: RunTable.Action) {
        guard history != nil else { return carryOut(action) }
        if recording.gate.admits(action) { carryOutRecorded(action) }
    }

    /// Sends the records of an event to the disk, all at once.
    func sendRecords() {
        guard let history, !recording.outgoing.isEmpty else { return }
        let records = recording.outgoing
        recording.outgoing = []
        faults.pass()
        history.record(records)
        faults.pass()
    }

    func recordOutput(of run: RunID, _ stream: OutputStream, _ text: String) {
        guard history != nil else { return }
        let time = RecordTime.current
        // Output above the run's allowance still reaches clients that follow the run, and the journal.
        guard
            recording.allowances[run, default: OutputAllowance(at: time.monotonic)]
                .take(text.utf8.count, at: time.monotonic)
        else { return metrics.leftOut(outputByteCount: text.utf8.count) }
        tellLeftOut(of: run, stream)
        put(RunRecord(run, .printed(stream, text: text)), at: time)
    }

    /// Records how many bytes were above the run's allowance.
    private func tellLeftOut(of run: RunID, _ stream: OutputStream) {
        guard let byteCount = recording.allowances[run]?.takeLeftOut() else { return }
        put(RunRecord(run, .leftOut(stream, byteCount: byteCount)))
    }

    func historyProblem(at now: Now) -> HistoryProblem? { history?.problem(atNanoseconds: now.monotonic.nanoseconds) }

    /// Why no run can be taken now; nil when it can.
    var historyRefusal: ErrorReport? {
        historyProblem(at: .current).map { problem in
            ErrorReport(.historyUnavailable, "no new runs: \(problem)", hint: problem.hint)
        }
    }

    // MARK: Private

    func put(_ record: RunRecord, at time: RecordTime = .current) {
        recording.lastTicket += 1
        let isKept = keep(record, at: time)
        faults.pass()
        recording.gate.recorded(record, ticket: recording.lastTicket, isKept: isKept)
        recording.outgoing.append(HistoryEntry(record, at: time, isKept: isKept))
    }

    /// True when the record is in memory that outlives us, so that nothing has to wait for the disk.
    private func keep(_ record: RunRecord, at time: RecordTime) -> Bool {
        guard record.isAwaited, recording.problem == nil, let history, let log = notes?.log else { return false }
        if case .accepted(let run) = record.fact, !history.isNew(run) { return false }
        return log.keep(record, at: time, ticket: recording.lastTicket)
    }

    private func carryOutRecorded(_ action: RunTable.Action) {
        faults.pass()
        switch action {
        case .release(let slot): recording.gate.forget(slot)
        case .forget(let run), .handOver(let run): recording.allowances[run] = nil
        case .keep, .record, .answer, .publish, .launch, .tell, .signal, .collect, .discardFiles, .note, .armTimer,
            .disarmTimer, .log, .catalogued, .reportBroken, .quit:
            break
        }
        carryOut(action)
    }

    /// Takes in what the history's threads have to say.
    private func takeNews() {
        guard let news = history?.takeNews() else { return }
        if news.problem != recording.problem { changed(news.problem) }
        metrics.leftOut(outputByteCount: Int(news.leftOutByteCount))
        for rejection in news.rejections { take(rejection) }
        notes?.log.settle(news.settled)
        for action in recording.gate.settle(news.settled) { carryOutRecorded(action) }
        if let unfinished = news.unfinished {
            if news.hasReplayed { recording.isReplaying = false }
            if inheritance == nil { takeUpLate(unfinished) } else { inherit(unfinished) }
        } else if inheritance != nil {
            takeOverWhenComplete()
        }
        for (id, answer) in news.answers { take(answer, to: id) }
        sendRecords()
        sendPosted()
        if let cause = recording.heldQuit { quitWhenRecorded(cause) }
    }

    private func changed(_ problem: HistoryProblem?) {
        recording.problem = problem
        if let problem {
            journal.write(.error, "no new runs: \(problem); \(problem.hint)", .historyUnavailable)
        } else {
            journal.write(.notice, "the history can be kept again, new runs are taken", .historyAvailable)
        }
        updateStatus()
    }

    private func take(_ rejection: RecordRejection) {
        let run = rejection.run
        let held = recording.gate.reject(run)
        metrics.withdraw(run)
        var askers: [RunTable.WaitingAsker] = []
        for action in held {
            switch action {
            case .answer(let client, let id, _): askers.append(RunTable.WaitingAsker(client: client, id: id))
            // The run counts as never accepted: neither subscribers nor a worker learn of it.
            case .publish, .tell: break
            case .keep, .record, .launch, .signal, .collect, .discardFiles, .release, .note, .armTimer, .disarmTimer,
                .log, .forget, .handOver, .catalogued, .reportBroken, .quit:
                carryOutRecorded(action)
            }
        }
        let refusal: ErrorReport
        switch rejection.cause {
        case .known(let known): return handle(.foundOnRecord(run, known, askers))
        case .unavailable(let problem):
            refusal = ErrorReport(.historyUnavailable, "not accepted: \(problem)", hint: problem.hint)
        case .keyTaken(let other, let differences):
            refusal = ErrorReport(
                .keyConflict,
                "the key belongs to run \(other), which was asked for something else: "
                    + differences.joined(separator: "; "),
                hint: "take another key, or ask for the same"
            )
        case .unknownPredecessor(let other):
            refusal = ErrorReport(
                .unknownRun,
                "there is no run '\(other)' of yours to try again",
                hint: "'intentctl history' shows those on record"
            )
        }
        handle(.notRecorded(run, message: refusal.message))
        for asker in askers { clients[asker.client]?.send(.answer(id: asker.id, .refused(refusal))) }
    }

    /// Ends the program when everybody was told what is on record, or the disk does not answer any more.
    private func quitWhenRecorded(_ cause: RunTable.QuitCause) {
        // The launcher goes too, and the memory with it.
        let isSettled = notes?.log.isSettled ?? true
        if isSettled, recording.gate.isOpen || cause == .launcherLost && recording.problem != nil {
            recording.heldQuit = nil
            recording.quitTimer = nil
            return quit(cause)
        }
        guard recording.heldQuit == nil else { return }
        recording.heldQuit = cause
        history?.flush()
        // Events that clients have heard are worth more patience than events that no client has heard.
        let patience: Duration = isSettled ? .seconds(3) : .seconds(20)
        ServiceNotification.extendTimeout(patience + .seconds(5)).send()
        do {
            let instant = ClockReading.monotonicNanoseconds() + patience.milliseconds * 1_000_000
            recording.quitTimer = try loop.timer(atNanoseconds: instant) {
                let runs = Set(self.notes?.log.leftEntries().entries.map(\.record.run.text) ?? []).sorted()
                let words = runs.isEmpty ? "" : ": what was told of \(runs.joined(separator: ", ")) is on no record"
                self.journal.write(.error, "the history does not take the last ends, leaving without\(words)")
                self.recording.heldQuit = nil
                self.quit(cause)
            }
        } catch {
            quit(cause)
        }
    }
}

extension RecordTime {
    static var current: RecordTime {
        RecordTime(
            wall: ClockReading.realtimeNanoseconds(),
            monotonic: ClockReading.monotonicNanoseconds(),
            boottime: ClockReading.boottimeNanoseconds()
        )
    }
}

extension History.Options {
    init(path: String, _ settings: HistorySettings) {
        self.init(
            path: path,
            durability: settings.durability == .power ? .power : .process,
            retention: Retention(settings)
        )
    }
}

extension ClientSession {
    var viewer: Viewer { Viewer(user, seesAll: isOperator) }
    var caller: CallerProcess { CallerProcess(user, process: process, software: software) }
}
