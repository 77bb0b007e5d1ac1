import CIntentSQLite
import IntentLauncherMessages

/// An object that writes entries to an open history, one transaction at a time. An instance must be used only by the
/// thread that created it.
final class HistoryWriter {
    let file: HistoryFile
    var database: Database { file.database }
    private let bootID: String
    private let bootNumber: Int64
    private let insertRun: Statement
    private let insertChange: Statement
    private let insertEnd: Statement
    private let insertExit: Statement
    private let insertOutput: Statement
    private let dropOutput: Statement
    private let noteDropped: Statement
    private let store: Statement
    private let unstore: Statement
    private let begin: Statement
    private let commit: Statement
    private let rollback: Statement
    let known: KnownRuns
    /// The number of bytes of recorded output that were removed to make room for newer output.
    private(set) var droppedByteCount: Int64 = 0
    /// The runs without a recorded exit status, to which the writer may still add rows.
    private var live = LiveRuns()

    init(_ file: HistoryFile, bootID: String) throws(DatabaseError) {
        self.file = file
        self.bootID = bootID
        let database = file.database
        begin = try database.prepare("BEGIN IMMEDIATE")
        commit = try database.prepare("COMMIT")
        rollback = try database.prepare("ROLLBACK")
        let insertBoot = try database.prepare("INSERT INTO boots (id) VALUES (?) ON CONFLICT DO NOTHING")
        try insertBoot.run(.text(bootID))
        let findBoot = try database.prepare("SELECT number FROM boots WHERE id = ?")
        try findBoot.start([.text(bootID)])
        bootNumber = try findBoot.step() ? findBoot.integer(0) ?? 0 : 0
        findBoot.end()
        insertRun = try database.prepare(
            """
            INSERT INTO runs (run, boot, wall, monotonic, boottime, uid, pid, client, door, request, key, retry_of,
                traceparent, app, intent, traits, runtime_ms, ceiling_ms, long_ceiling_ms, grace_ms,
                grace_cancellable_ms, kill_delay_ms, question_ms, queue_ms, file_count, query, secrets,
                parameters, locale, disconnect, account, agent, approval, ceiling_requested)
            VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING
            """
        )
        insertChange = try database.prepare(
            """
            INSERT INTO changes (number, serial, wall, monotonic, boottime, kind, word, detail)
            VALUES (?,?,?,?,?,?,?,?)
            """
        )
        insertEnd = try database.prepare(
            """
            INSERT INTO ends (number, wall, monotonic, boottime, kind, reason, clock, grade, runtime_ms, serial,
                progress, progress_monotonic, advance_monotonic, outcome, details, size)
            VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING
            """
        )
        insertExit = try database.prepare(
            """
            INSERT INTO departures (number, wall, monotonic, boottime, exit_code, exit_signal, exceeded, leftovers,
                late_result, user_us, system_us, peak_memory)
            VALUES (?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING
            """
        )
        insertOutput = try database.prepare(
            "INSERT INTO output (number, serial, wall, stream, text, dropped) VALUES (?,?,?,?,?,?)"
        )
        dropOutput = try database.prepare("DELETE FROM output WHERE number = ? AND serial BETWEEN ? AND ?")
        noteDropped = try database.prepare("UPDATE output SET dropped = ? WHERE number = ? AND serial = ?")
        store = try database.prepare(
            "INSERT INTO stored VALUES (?,?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        )
        unstore = try database.prepare("DELETE FROM stored WHERE name = ?")
        known = try KnownRuns(database)
        for run in try UnfinishedRuns(database, bootID: bootID).all() {
            live[run.description.run] = LiveRuns.Entry(
                number: run.number,
                lastChange: run.lastChange,
                output: run.output
            )
        }
    }

    /// Returns the unfinished runs, oldest first.
    func unfinishedRuns() throws(DatabaseError) -> [UnfinishedRun] {
        try UnfinishedRuns(database, bootID: bootID).all().map(\.description)
    }

    /// Returns the rows of `intentd`'s own state, by name.
    func storedRows() throws(DatabaseError) -> [String: String] {
        let rows = try database.prepare("SELECT name, value FROM stored")
        try rows.start([])
        defer { rows.end() }
        var found: [String: String] = [:]
        while try rows.step() { if let name = rows.text(0) { found[name] = rows.text(1) } }
        return found
    }

    /// Records entries in one transaction. Skips the later entries of rejected runs.
    ///
    /// - Returns: The rejected runs, each with the reason.
    func record(_ entries: [HistoryEntry]) throws(DatabaseError) -> [RecordRejection] {
        try transact { () throws(DatabaseError) in
            var rejections: [RecordRejection] = []
            var index = entries.startIndex
            while index < entries.endIndex {
                let next = Self.endOfText(from: index, in: entries)
                if let rejection = try record(entries[index], text: next.text) { rejections.append(rejection) }
                index = next.index
            }
            return rejections
        }
    }

    /// Runs the body in a transaction, which is rolled back if the body throws an error.
    func transact<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
        live.beginTransaction()
        try begin.run()
        do throws(DatabaseError) {
            let result = try body()
            try commit.run()
            return result
        } catch {
            live.rollBack()
            // SQLite rolls back the transaction itself after some errors. Ignore an error from the rollback, so that
            // the first error is reported.
            if database.isInTransaction { try? rollback.run() }
            throw error
        }
    }

    /// Records the entries of an earlier process, except the entries that the process had already written to the disk.
    func replay(_ entries: [HistoryEntry]) throws(DatabaseError) {
        let find = try database.prepare("SELECT 1 FROM changes WHERE number = ? AND kind = ? AND monotonic = ?")
        var missing: [HistoryEntry] = []
        for entry in entries {
            if let kind = entry.record.fact.changeKind, let number = live[entry.record.run]?.number {
                try find.start([.integer(number), .text(kind), .integer(entry.time.monotonic)])
                defer { find.end() }
                if try find.step() { continue }
            }
            missing.append(entry)
        }
        // The statements skip runs and outcomes that are already on the disk (ON CONFLICT DO NOTHING).
        _ = try record(missing)
    }

    /// Writes a row without changing its values, to test whether the database is writable.
    func probe() throws(DatabaseError) {
        try transact { () throws(DatabaseError) in
            try database.execute("UPDATE boots SET id = id WHERE number = \(bootNumber)")
        }
    }

    // MARK: Private

    /// Returns the concatenated text of consecutive pieces of a run's output, up to 64 KiB, and the index after the
    /// last piece.
    private static func endOfText(from start: Int, in entries: [HistoryEntry]) -> (index: Int, text: String?) {
        guard case .printed(let stream, let first) = entries[start].record.fact else { return (start + 1, nil) }
        var text = first
        var index = start + 1
        while index < entries.endIndex, entries[index].record.run == entries[start].record.run,
            case .printed(stream, let more) = entries[index].record.fact, text.utf8.count + more.utf8.count <= 64 << 10
        {
            text += more
            index += 1
        }
        return (index, text)
    }

    /// Records an entry. Returns a rejection if the entry accepts a run that cannot be recorded.
    ///
    /// - Parameters:
    ///   - text: The text to record instead of the entry's own output.
    ///   - boot: The number of the boot to which the entry's times refer; nil for the current boot.
    func record(_ entry: HistoryEntry, text: String? = nil, ofBoot boot: Int64? = nil) throws(DatabaseError)
        -> RecordRejection?
    {
        let run = entry.record.run
        if case .accepted(let accepted) = entry.record.fact {
            return try record(run, accepted, ofBoot: boot ?? bootNumber, at: entry.time)
        }
        if case .stored(let name, let value) = entry.record.fact {
            if let value { try store.run(.text(name), .text(value)) } else { try unstore.run(.text(name)) }
            return nil
        }
        // Skip entries for runs that were rejected or have ended.
        guard let number = live[run]?.number else { return nil }
        live[run]?.byteCount += Int64(text?.utf8.count ?? entry.byteCount)
        switch entry.record.fact {
        case .accepted, .stored: break
        case .state(let state, let reason, let slot):
            var detail: String?
            if reason != nil || slot != nil {
                detail = Self.json(StateDetail(reason: reason, slot: slot))
            }
            try change(run, "state", state.rawValue, detail, entry.time)
        case .asked(let question): try change(run, "question", nil, Self.json(question), entry.time)
        case .answered(let answer):
            let kept = try linked(answer, of: run, number, isImported: boot != nil, at: entry.time)
            try change(run, "answer", "\(answer.question)", Self.json(kept), entry.time)
        case .cancelRequested(let caller):
            let detail = CancelDetail(user: caller.user, process: caller.process, software: caller.software)
            try change(run, "cancel", nil, Self.json(detail), entry.time)
        case .signalled(let signal): try change(run, "signal", signal.rawValue, nil, entry.time)
        case .observed(let observation): try change(run, "observation", nil, Self.json(observation), entry.time)
        case .sampled(let sample): try change(run, "usage", nil, Self.json(sample), entry.time)
        case .printed(let stream, let first):
            let text = text ?? first
            try record(text, leftOutByteCount: 0, stream, of: run, at: entry.time)
        case .leftOut(let stream, let byteCount):
            try record("", leftOutByteCount: byteCount, stream, of: run, at: entry.time)
        case .ended(let end): try record(end, of: run, number, at: entry.time)
        case .exited(let exit):
            try record(exit, of: number, at: entry.time)
            live[run] = nil
        }
        return nil
    }

    /// Records a piece of output, and removes older pieces if they exceed the quota.
    private func record(
        _ text: String,
        leftOutByteCount: Int64,
        _ stream: OutputStream,
        of run: RunID,
        at time: RecordTime
    ) throws(DatabaseError) {
        guard let number = live[run]?.number,
            let added = live[run]?.output.add(byteCount: text.utf8.count, leftOutByteCount: leftOutByteCount)
        else { return }
        try insertOutput.run(
            .integer(number),
            .integer(added.serial),
            .integer(time.wall),
            .text(stream.rawValue),
            .text(text),
            .integer(leftOutByteCount)
        )
        guard let dropped = added.dropped else { return }
        droppedByteCount += dropped.byteCount
        live[run]?.byteCount -= dropped.byteCount
        try dropOutput.run(
            .integer(number),
            .integer(dropped.serials.lowerBound),
            .integer(dropped.serials.upperBound)
        )
        // Store the size of the gap in the row of the first piece after the gap.
        try noteDropped.run(
            .integer(dropped.totalByteCount),
            .integer(number),
            .integer(dropped.serials.upperBound + 1)
        )
    }

    private func change(
        _ run: RunID,
        _ kind: String,
        _ word: String?,
        _ detail: String?,
        _ time: RecordTime
    ) throws(DatabaseError) {
        guard var row = live[run] else { return }
        row.lastChange += 1
        live[run] = row
        try insertChange.run(
            .integer(row.number),
            .integer(row.lastChange),
            .integer(time.wall),
            .integer(time.monotonic),
            .integer(time.boottime),
            .text(kind),
            .text(ifAny: word),
            .text(ifAny: detail)
        )
    }

    private func record(
        _ run: RunID,
        _ accepted: AcceptedRun,
        ofBoot boot: Int64,
        at time: RecordTime
    ) throws(DatabaseError) -> RecordRejection? {
        if let predecessor = accepted.retryOf, try !known.has(predecessor, of: accepted.caller.requester) {
            return RecordRejection(run: run, cause: .unknownPredecessor(predecessor))
        }
        let limits = accepted.limits
        let parameters = Self.text(accepted.values.json)
        try insertRun.run(
            .text(run.text),
            .integer(boot),
            .integer(time.wall),
            .integer(time.monotonic),
            .integer(time.boottime),
            .number(accepted.caller.user),
            .number(accepted.caller.process),
            .text(accepted.caller.software),
            .text(accepted.entryPoint.rawValue),
            .text(accepted.request.text),
            .text(ifAny: accepted.key),
            .text(ifAny: accepted.retryOf?.text),
            .text(ifAny: accepted.traceparent),
            .text(accepted.app.text),
            .text(accepted.intent),
            .number(accepted.traits.rawValue),
            .integer(limits.runtime.milliseconds),
            .integer(limits.ceiling.milliseconds),
            .integer(limits.longCeiling.milliseconds),
            .integer(limits.grace.milliseconds),
            .integer(limits.graceCancellable.milliseconds),
            .integer(limits.killDelay.milliseconds),
            .integer(limits.questionTimeout.milliseconds),
            .integer(limits.queueTimeout.milliseconds),
            .number(accepted.fileCount),
            .text(ifAny: accepted.query),
            .text(accepted.secretNames.isEmpty ? "[]" : Self.json(accepted.secretNames)),
            .text(parameters),
            .text(ifAny: accepted.locale),
            .text(accepted.onDisconnect.rawValue),
            .text(accepted.caller.caller.account),
            accepted.caller.agent.map { .number($0) } ?? .null,
            accepted.needsApproval == true ? .integer(1) : .null,
            limits.isCeilingRequested == true ? .integer(1) : .null
        )
        guard database.changeCount == 0 else {
            let size = HistoryEntry(RunRecord(run, .accepted(accepted)), at: time).byteCount
            live[run] = LiveRuns.Entry(number: database.lastInsertedRow, byteCount: Int64(size))
            return nil
        }
        return RecordRejection(run: run, cause: try known.conflict(with: accepted))
    }

    private func record(_ end: RecordedEnd, of run: RunID, _ number: Int64, at time: RecordTime) throws(DatabaseError) {
        var reason: CancellationReason?
        if case .cancelled(let why) = end.outcome { reason = why }
        let progress = end.progress.map { Self.json($0) }
        let details = end.account.details.map { Self.json($0) }
        try insertEnd.run(
            .integer(number),
            .integer(time.wall),
            .integer(time.monotonic),
            .integer(time.boottime),
            .text(end.outcome.kindName),
            .text(ifAny: reason?.name),
            .text(ifAny: end.clock?.rawValue),
            .text(ifAny: end.account.isolation?.rawValue),
            .integer(end.account.runtime.wholeMilliseconds),
            .number(end.lastSerial),
            .text(ifAny: progress),
            .integer(ifAny: end.progressAge.map { time.monotonic(before: $0) }),
            .integer(ifAny: end.advanceAge.map { time.monotonic(before: $0) }),
            .text(Self.json(end.outcome)),
            .text(ifAny: details),
            .integer(live[run]?.byteCount ?? 0)
        )
    }

    private func record(_ exit: WorkerExit, of number: Int64, at time: RecordTime) throws(DatabaseError) {
        var exitCode: Int64?
        var exitSignal: Int64?
        switch exit.processEnd {
        case .exited(let code): exitCode = Int64(code)
        case .signaled(let signal): exitSignal = Int64(signal)
        case nil: break
        }
        let usage = exit.usage
        try insertExit.run(
            .integer(number),
            .integer(time.wall),
            .integer(time.monotonic),
            .integer(time.boottime),
            .integer(ifAny: exitCode),
            .integer(ifAny: exitSignal),
            .text(ifAny: exit.exceeded?.rawValue),
            .number(exit.leftoverProcessCount),
            .integer(exit.hadLateResult ? 1 : 0),
            .integer(ifAny: usage?.userTime.microseconds),
            .integer(ifAny: usage?.systemTime.microseconds),
            .integer(ifAny: usage?.peakMemoryByteCount)
        )
    }

    private static func text(_ json: [UInt8]) -> String { String(foreign: json) }

    static func json(_ message: some Encodable) -> String {
        String(foreign: WireCoding.encode(message))
    }
}
