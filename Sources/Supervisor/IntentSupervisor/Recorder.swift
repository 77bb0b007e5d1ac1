import IntentConfiguration
import IntentHistory
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// A recorder of runs. It delays each action until the records that the action depends on are on disk.
///
/// Must be used only on the event loop's thread. Without a history, it performs every action immediately.
final class Recorder {
    let loop: EventLoop
    let journal: Journal
    let faults: FaultPoints
    let decisions: RunDecisions
    let clients: ClientSessions
    /// The history; nil if runs are not recorded.
    let history: History?
    /// Memory that outlives this `intentd`. It contains the state of each run and the records that are not on disk yet.
    /// Nil if no other `intentd` can continue the runs.
    var notes: RunNotes?
    var metrics = RunMetrics()
    var gate = RecordGate()
    /// The reason why the history cannot record runs now; nil if the history is usable.
    var problem: HistoryProblem?
    /// True while the history writes the records that the previous `intentd` left unwritten.
    var isReplaying = false
    /// The cause of the program's exit. The exit is delayed until the last events are recorded and sent.
    var heldQuit: RunTable.QuitCause?
    var quitTimer: EventSource?
    /// The records of the current event. They are sent to the history together.
    private var outgoing: [HistoryEntry] = []
    /// The ticket of the newest record.
    private var lastTicket: UInt64 = 0
    /// The run of the newest record of a known account, and the account. Most records follow a record of their run.
    private var lastAccount: (run: RunID, account: Account)?
    /// True once ``openLog()`` has opened or cleared the log, which happens after the replay.
    private var isLogReady = false
    /// Each run's remaining allowance for recorded output.
    var allowances: [RunID: OutputAllowance] = [:]
    private var source: EventSource?
    /// Called to perform an action, once the records that the action depends on are on disk.
    private(set) var perform: (RunTable.Action) -> Void = { _ in }
    /// Called after each update from the history. The argument contains the unfinished runs if the update reports them,
    /// and is nil otherwise.
    private(set) var reported: ([UnfinishedRun]?) -> Void = { _ in }
    /// Called with an answer from the history and the number of the query.
    private(set) var answered: (UInt64, HistoryAnswer) -> Void = { _, _ in }
    /// Called when ``problem`` has changed.
    private(set) var problemChanged: () -> Void = {}

    init(
        _ history: History?,
        on loop: EventLoop,
        journal: Journal,
        decisions: RunDecisions,
        clients: ClientSessions,
        faults: FaultPoints
    ) {
        self.history = history
        self.loop = loop
        self.journal = journal
        self.decisions = decisions
        self.clients = clients
        self.faults = faults
    }

    func start(
        perform: @escaping (RunTable.Action) -> Void,
        reported: @escaping ([UnfinishedRun]?) -> Void,
        answered: @escaping (UInt64, HistoryAnswer) -> Void,
        problemChanged: @escaping () -> Void
    ) throws(SystemError) {
        self.perform = { [faults] action in
            faults.pass()
            perform(action)
            faults.pass()
        }
        self.reported = reported
        self.answered = answered
        self.problemChanged = problemChanged
        guard let history else { return }
        // Use a high priority, because clients and workers wait for these updates.
        source = try loop.descriptor(history.updateCounter.rawValue, .readable, priority: .early) { [weak self] _ in
            self?.receiveUpdates()
        }
    }

    /// Performs an action now, or once the records that the action depends on are on disk.
    func pass(_ action: RunTable.Action) {
        faults.pass()
        if case .record(let record) = action {
            metrics.count(record, at: ClockReading.monotonicNanoseconds())
            guard history != nil else { return }
            if case .exited = record.fact { recordLeftOut(of: record.run, .stdout) }
            return put(record)
        }
        if case .launch(let request) = action { metrics.launched(request) }
        guard history != nil else { return perform(action) }
        if case .quit(let cause) = action { return quitWhenRecorded(cause) }
        if gate.admits(action) { perform(action) }
    }

    /// Sends all records of the current event to the history together.
    func sendRecords() {
        guard let history, !outgoing.isEmpty else { return }
        let records = outgoing
        outgoing = []
        faults.pass()
        history.record(records)
        faults.pass()
    }

    // MARK: Records

    func record(_ text: String, of run: RunID, to stream: OutputStream) {
        guard history != nil else { return }
        let time = RecordTime.current
        // Do not record output above the run's allowance. It is still written to the journal and sent to subscribers.
        guard allowances[run, default: OutputAllowance(at: time.monotonic)].spend(text.utf8.count, at: time.monotonic)
        else { return metrics.unrecordedOutputByteCount += Int64(text.utf8.count) }
        recordLeftOut(of: run, stream)
        put(RunRecord(run, .printed(stream, text: text)), at: time)
    }

    /// Records an observation of a worker.
    ///
    /// - Parameter run: The run; nil if its worker has exited in the meantime.
    func record(_ observation: WorkerObservation, of run: RunID?) {
        guard let run else { return }
        put(RunRecord(run, .observed(observation)))
        sendRecords()
    }

    /// Records samples with their runs. A run is nil if its worker has exited in the meantime.
    func record(_ samples: [(UsageSample, RunID?)]) {
        for case (let sample, let run?) in samples { put(RunRecord(run, .sampled(sample))) }
        sendRecords()
    }

    /// Records how many bytes of the run's output exceeded its allowance.
    private func recordLeftOut(of run: RunID, _ stream: OutputStream) {
        guard let byteCount = allowances[run]?.removeLeftOut() else { return }
        put(RunRecord(run, .leftOut(stream, byteCount: byteCount)))
    }

    private func put(_ record: RunRecord, at time: RecordTime = .current) {
        lastTicket += 1
        let isKept = keep(record, at: time)
        faults.pass()
        gate.recorded(record, ticket: lastTicket, isKept: isKept)
        let isOfLast = lastAccount?.run == record.run
        let account = isOfLast ? lastAccount?.account : decisions.table.account(of: record)
        lastAccount = account.map { (record.run, $0) }
        outgoing.append(HistoryEntry(record, at: time, isKept: isKept, of: account))
    }

    /// Writes a record to memory that outlives this process. Returns false if actions must wait for the disk instead.
    private func keep(_ record: RunRecord, at time: RecordTime) -> Bool {
        guard record.isAwaited, problem == nil, let history, let log = notes?.log else { return false }
        if case .accepted(let run) = record.fact, !history.isNew(run) { return false }
        return log.keep(record, at: time, ticket: lastTicket)
    }

    // MARK: Adoption

    /// Opens the notes of the previous `intentd`, or creates new notes. If the previous `intentd` left unwritten
    /// records, the history first writes them and then reports the unfinished runs again.
    ///
    /// - Returns: The notes, or nil if notes cannot be kept. ``Adoption`` stores the notes in ``notes`` when it is
    ///   complete.
    func openNotes(_ kept: SharedFileDescriptor?) -> RunNotes? {
        guard let history else { return nil }
        do {
            let notes = try kept.flatMap(RunNotes.init(keptIn:)) ?? RunNotes()
            let unsettled = notes.log.unsettledEntries()
            if !unsettled.isComplete {
                journal.write(
                    .error,
                    "cannot read all records of the previous intentd; continuing without the unreadable records"
                )
            }
            guard !unsettled.entries.isEmpty else { return notes }
            isReplaying = true
            history.replay(unsettled.entries)
            return notes
        } catch {
            journal.write(
                .warning,
                "cannot create the memory for notes (\(error)); live runs will end when intentd exits"
            )
            return nil
        }
    }

    /// Opens the log for `Durability=process`, under which records need only survive a crash of this process. Otherwise
    /// only removes old records, because actions then wait for the disk.
    func openLog() {
        guard !isReplaying, !isLogReady, let log = notes?.log else { return }
        isLogReady = true
        if history?.options.durability == .process { log.open() } else { log.clear() }
    }

    // MARK: State

    func problem(at now: Now) -> HistoryProblem? { history?.problem(atNanoseconds: now.monotonic.nanoseconds) }

    /// Returns the error for a user's new runs; nil while the history can record them.
    func refusal(of user: Caller) -> ErrorReport? {
        history?.problem(
            of: decisions.table.account(of: user),
            atNanoseconds: Now.current.monotonic.nanoseconds
        ).map { problem in
            ErrorReport(.historyUnavailable, "no new runs: \(problem)", hint: problem.hint)
        }
    }

    func metricsText(clientCount: Int) -> String {
        metrics.unrecordedOutputByteCount += Int64(history?.drainLeftOut() ?? 0)
        return metrics.text(
            RunMetrics.Gauges(
                load: decisions.table.load,
                spareCount: decisions.table.spareCount,
                clientCount: clientCount,
                canRecord: history.map { _ in problem(at: .current) == nil },
                schedules: decisions.table.scheduleRows,
                undeliveredCount: decisions.table.undeliveredCount
            )
        )
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

extension Retention {
    init(_ settings: HistorySettings) {
        self.init()
        keep = settings.keep
        keepOutput = settings.keepOutput
        keepFiles = settings.keepFiles
        runCountMax = settings.runCountMax
        byteCountMax = settings.byteCountMax
    }
}
