import IntentLauncherMessages

/// An object that reads from a history through a separate connection. An instance must be used only by the thread that
/// created it.
final class RunReader {
    let database: Database

    /// The maximum size of a page, in bytes. It is below the limit of a frame, which also contains other fields.
    private static let pageByteLimit = 512 << 10
    private static let countLimit = 1000
    /// The maximum number of runs that are inspected for one page. A query that matches few runs in a large history is
    /// answered in several pages, so that it delays other users' queries only briefly.
    private let inspectionLimit: Int64

    init(path: String, inspectionLimit: Int64 = 20_000) throws(DatabaseError) {
        self.inspectionLimit = inspectionLimit
        database = try Database(path)
        try HistoryFile.checkHeader(of: database)
        try database.execute("PRAGMA cache_size = -2048")
    }

    func checkpoint() throws(DatabaseError) { try database.checkpoint(.passive) }

    /// Returns a page of recorded runs, newest first. A page without runs is not the last page if it has `next`.
    func page(_ query: HistoryQuery, visibleTo viewer: Viewer) throws(DatabaseError) -> HistoryPage {
        // Read the heads before the decisions, so that no head lacks a decision that an export cannot contain.
        let last = try query.isAnswered == true ? heads(query, visibleTo: viewer) : nil
        var page = try runs(query, visibleTo: viewer)
        page.heads = last
        return page
    }

    private func runs(_ query: HistoryQuery, visibleTo viewer: Viewer) throws(DatabaseError) -> HistoryPage {
        let selection = RunSelection(query, visibleTo: viewer)
        guard let numbers = try numbers(of: query) else { return HistoryPage(runs: [], next: nil) }
        // Start no higher than the newest run. If `before` were far above its number, pages without runs would follow.
        let end = min(max(query.before ?? .max, 1), numbers.upperBound + 1)
        let start = max(try start(of: selection.candidates, before: end), numbers.lowerBound)
        let conditions = selection.conditions + ["\(selection.number) >= \(start)", "\(selection.number) < \(end)"]
        let limit = min(max(query.count ?? Self.countLimit, 0), Self.countLimit)
        // Read one row more than the limit, to determine whether another page follows.
        let statement = try database.prepare(
            """
            \(Self.summary) FROM \(selection.tables) WHERE \(conditions.joined(separator: " AND "))
            ORDER BY \(selection.number) DESC LIMIT \(limit + 1)
            """
        )
        try statement.start(selection.values)
        defer { statement.end() }
        var runs: [RecordedRun] = []
        var byteCount = 0
        while try statement.step() {
            guard runs.count < limit, byteCount < Self.pageByteLimit else {
                return HistoryPage(runs: runs, next: runs.last?.number)
            }
            guard let run = Self.summary(statement) else { continue }
            byteCount += 600 + (run.message?.utf8.count ?? 0) + 2 * (run.denial?.path?.utf8.count ?? 0)
            runs.append(run)
        }
        return HistoryPage(runs: runs, next: start > numbers.lowerBound ? start : nil)
    }

    /// Returns the lowest and the highest number that a selected run can have; nil if no run is selected.
    private func numbers(of query: HistoryQuery) throws(DatabaseError) -> ClosedRange<Int64>? {
        let statement: Statement
        if query.since == nil, query.until == nil {
            statement = try database.prepare("SELECT (SELECT min(number) FROM runs), (SELECT max(number) FROM runs)")
            try statement.start([])
        } else {
            guard let hours = RunSelection.hours(of: query) else { return nil }
            statement = try database.prepare("SELECT min(first), max(last) FROM hours WHERE hour BETWEEN ? AND ?")
            try statement.start([.integer(hours.lowerBound), .integer(hours.upperBound)])
        }
        defer { statement.end() }
        guard try statement.step(), let oldest = statement.integer(0), let newest = statement.integer(1) else {
            return nil
        }
        return oldest...newest
    }

    /// Returns the lowest run number to inspect for a page, so that at most ``inspectionLimit`` candidates below `end`
    /// are inspected.
    private func start(of candidates: RunSelection.Candidates, before end: Int64) throws(DatabaseError) -> Int64 {
        let index: String
        switch candidates {
        case .all: return end - inspectionLimit
        case .user(let user): index = "runs INDEXED BY runs_by_user WHERE uid = \(user)"
        case .unsuccessful: index = "ends INDEXED BY ends_unsuccessful WHERE kind <> 'done'"
        }
        return try database.integer(
            """
            SELECT number FROM \(index) AND number < \(end)
            ORDER BY number DESC LIMIT 1 OFFSET \(inspectionLimit - 1)
            """
        ) ?? .min
    }

    /// Returns the complete record of a run, or nil if the run does not exist or the viewer may not see it.
    func story(of run: RunID, visibleTo viewer: Viewer) throws(DatabaseError) -> RunStory? {
        // Check access before reading the expensive columns. Otherwise, the timing would reveal runs that the viewer
        // may not see.
        guard let number = try number(of: run, visibleTo: viewer) else { return nil }
        let statement = try database.prepare(
            """
            \(Self.summary) FROM runs r LEFT JOIN ends e USING (number) \(Self.joinedExits)
            WHERE r.number = ?
            """
        )
        try statement.start([.integer(number)])
        defer { statement.end() }
        guard try statement.step(), let summary = Self.summary(statement) else { return nil }
        return try story(summary)
    }

    /// Returns the run's output after the piece with this serial, or nil if the run does not exist or the viewer may
    /// not see it.
    func logs(of run: RunID, after serial: Int64, visibleTo viewer: Viewer) throws(DatabaseError) -> LogPage? {
        guard let number = try number(of: run, visibleTo: viewer) else { return nil }
        let statement = try database.prepare(
            "SELECT serial, wall, stream, text, dropped FROM output WHERE number = ? AND serial > ? ORDER BY serial"
        )
        try statement.start([.integer(number), .integer(serial)])
        defer { statement.end() }
        var pieces: [LogPiece] = []
        var byteCount = 0
        var last = serial
        while try statement.step() {
            let text = statement.text(3) ?? ""
            // Count the bytes of the JSON encoding, which uses up to six bytes for a byte of output.
            byteCount += Self.jsonByteCount(of: text) + 128
            if byteCount > Self.pageByteLimit, !pieces.isEmpty { return LogPage(pieces: pieces, next: last) }
            let own = statement.integer(0) ?? 0
            let dropped = statement.integer(4) ?? 0
            pieces.append(
                LogPiece(
                    serial: own,
                    time: Self.timestamp(statement.integer(1)),
                    stream: statement.text(2).flatMap(OutputStream.init) ?? .stdout,
                    text: text,
                    followsGap: own > last + 1 || dropped > 0,
                    leftOutByteCount: dropped > 0 ? dropped : nil
                )
            )
            last = own
        }
        return LogPage(pieces: pieces, next: nil)
    }

    /// Returns a run with its outcome, or nil if the run does not exist or the viewer may not see it.
    func known(_ run: RunID, of viewer: Viewer) throws(DatabaseError) -> KnownRun? {
        try KnownRuns(database).run(run, of: viewer)
    }

    /// Returns a run with its outcome and the newest attempt to undo it, or nil if the run does not exist or the viewer
    /// may not see it.
    func undoable(_ run: RunID, of viewer: Viewer) throws(DatabaseError) -> KnownRun? {
        let known = try KnownRuns(database)
        guard var found = try known.run(run, of: viewer) else { return nil }
        found.lastUndo = try known.lastUndo(of: found)
        return found
    }

    /// Returns the runs of a shortcut's steps, and the runs that undo them.
    func steps(of run: RunID, for viewer: Viewer) throws(DatabaseError) -> [RecordedStep] {
        try KnownRuns(database).steps(of: run, viewer.requester.user)
    }

    // MARK: Private

    private static func timestamp(_ nanoseconds: Int64?) -> Timestamp {
        Timestamp(millisecondsSince1970: (nanoseconds ?? 0) / 1_000_000)
    }

    /// Converts nanoseconds to a duration in whole milliseconds, which is the precision of the client protocol.
    private static func span(_ nanoseconds: Int64) -> Duration { .milliseconds(nanoseconds / 1_000_000) }

    private static func jsonByteCount(of text: String) -> Int {
        text.utf8.reduce(0) { $0 + ($1 < 0x20 ? 6 : $1 == UInt8(ascii: "\"") || $1 == UInt8(ascii: "\\") ? 2 : 1) }
    }

    private func number(of run: RunID, visibleTo viewer: Viewer) throws(DatabaseError) -> Int64? {
        let statement = try database.prepare("SELECT number, uid, account, agent FROM runs WHERE run = ?")
        try statement.start([.text(run.text)])
        defer { statement.end() }
        guard try statement.step() else { return nil }
        guard viewer.seesAll || viewer.requester.owns(runOf: statement.owner(from: 1)) else { return nil }
        return statement.integer(0)
    }

    /// The SQL expression for the last recorded state of the run `r`.
    static let state =
        "(SELECT word FROM changes c WHERE c.number = r.number AND kind = 'state' ORDER BY serial DESC LIMIT 1)"

    /// The SQL clause that joins the exit of each run's worker, as `d`.
    static let joinedExits = "LEFT JOIN departures d USING (number)"

    private static let summary = """
        SELECT r.number, r.run, r.app, r.intent, r.uid, r.door, r.wall, r.monotonic,
            e.kind, e.reason, e.wall, e.runtime_ms, e.grade, e.outcome,
            d.exit_code, d.exit_signal, d.user_us, d.system_us, d.peak_memory,
            CASE WHEN e.number IS NULL THEN \(state) END,
            (SELECT monotonic FROM changes c WHERE c.number = r.number AND kind = 'state' AND word = 'starting'
                ORDER BY serial LIMIT 1),
            e.monotonic, r.account, (SELECT id = '\(Schema.importedBoot)' FROM boots b WHERE b.number = r.boot), e.details,
            r.key
        """

    /// The part of a run's details that its summary needs.
    private struct Cause: Decodable { var denial: SandboxDenial? }

    private static func summary(_ row: Statement) -> RecordedRun? {
        guard let number = row.integer(0), let name = row.text(1).flatMap(RunID.init) else { return nil }
        var run = RecordedRun(
            number: number,
            run: name,
            app: row.text(2) ?? "",
            intent: row.text(3) ?? "",
            user: UInt32(truncatingIfNeeded: row.integer(4) ?? 0),
            entryPoint: row.text(5).flatMap(EntryPoint.init) ?? .socket,
            accepted: timestamp(row.integer(6))
        )
        let accepted = row.integer(7) ?? 0
        if let account = row.text(22), !account.isEmpty { run.userName = account }
        if row.integer(23) == 1 { run.isImported = true }
        run.outcome = row.text(8)
        run.reason = row.text(9).map(CancellationReason.init)
        run.ended = row.integer(10).map(timestamp)
        run.runtime = row.integer(11).map { .milliseconds($0) }
        run.isolation = row.text(12).flatMap(IsolationGrade.init)
        // Do not read the outcome of a successful run, because it contains the run's value, which may be large.
        if let kind = run.outcome, kind != "done" {
            run.message = row.decoded(RunOutcome.self, 13)?.message.map { String($0.prefix(scalars: 500)) }
            run.denial = row.decoded(Cause.self, 24)?.denial
        }
        run.exitCode = row.integer(14).map { Int32(truncatingIfNeeded: $0) }
        run.exitSignal = row.integer(15).map { Int32(truncatingIfNeeded: $0) }
        if let user = row.integer(16), let system = row.integer(17) {
            run.usage = ResourceUsage(
                userTime: .microseconds(user),
                systemTime: .microseconds(system),
                peakMemoryByteCount: row.integer(18)
            )
        }
        if let key = row.text(25) {
            run.step = StepKey(key).map {
                StepOfShortcut(shortcut: $0.shortcut, name: $0.step, index: $0.index, attempt: $0.attempt)
            }
            run.undoOf = UndoKey(key)?.run
        }
        if run.outcome == nil { run.state = row.text(19).flatMap(RunState.init) ?? .queued }
        if let dequeued = row.integer(20) ?? row.integer(21) { run.queued = span(dequeued - accepted) }
        return run
    }

    private func story(_ summary: RecordedRun) throws(DatabaseError) -> RunStory? {
        let statement = try database.prepare(
            """
            SELECT pid, client, request, key, retry_of, traceparent, traits, parameters, secrets, file_count,
                runtime_ms, ceiling_ms, long_ceiling_ms, grace_ms, grace_cancellable_ms, kill_delay_ms, question_ms,
                queue_ms, monotonic,
                (SELECT total(length(CAST(text AS BLOB))) FROM output o WHERE o.number = runs.number),
                ceiling_requested
            FROM runs WHERE number = ?
            """
        )
        try statement.start([.integer(summary.number)])
        defer { statement.end() }
        guard try statement.step(), let request = statement.text(2).flatMap(RequestID.init) else { return nil }
        func number(_ column: Int32) -> Int64 { statement.integer(column) ?? 0 }
        let start = number(18)
        return RunStory(
            summary: summary,
            process: Int32(truncatingIfNeeded: number(0)),
            software: statement.text(1) ?? "",
            request: request,
            key: statement.text(3),
            retryOf: statement.text(4).flatMap(RunID.init),
            traceparent: statement.text(5),
            traits: IntentTraits(rawValue: Int(number(6))),
            values: statement.decoded([String: IntentValue].self, 7) ?? [:],
            secretNames: statement.decoded([String].self, 8) ?? [],
            fileCount: Int(number(9)),
            limits: statement.limits(from: 10, isCeilingRequested: 20),
            changes: try changes(of: summary.number, since: start),
            end: try end(of: summary, since: start),
            exit: try exit(of: summary, since: start),
            printedByteCount: number(19)
        )
    }

    private func changes(of number: Int64, since start: Int64) throws(DatabaseError) -> [Recorded<RunChange>] {
        let statement = try database.prepare(
            "SELECT wall, monotonic, kind, word, detail FROM changes WHERE number = ? ORDER BY serial LIMIT 1000"
        )
        try statement.start([.integer(number)])
        defer { statement.end() }
        var changes: [Recorded<RunChange>] = []
        while try statement.step() {
            guard let event = Self.event(statement) else {
                continue
            }
            changes.append(
                Recorded(
                    time: Self.timestamp(statement.integer(0)),
                    after: Self.span((statement.integer(1) ?? 0) - start),
                    event: event
                )
            )
        }
        return changes
    }

    /// Decodes a change. Returns nil if a newer version recorded the change.
    private static func event(_ row: Statement) -> RunChange? {
        let word = row.text(3)
        func detail<Detail: Decodable>(_ type: Detail.Type) -> Detail? { row.decoded(type, 4) }
        switch row.text(2) {
        case "state":
            let detail = detail(StateDetail.self)
            return word.flatMap(RunState.init).map { .state($0, reason: detail?.reason, slot: detail?.slot) }
        case "question": return detail(Question.self).map { .question($0) }
        case "answer": return detail(RecordedAnswer.self).map { .answer($0) }
        case "cancel":
            return detail(CancelDetail.self).map {
                .cancel(CallerProcess(user: $0.user, process: $0.process, software: $0.software))
            }
        case "signal": return word.flatMap(StopSignal.init).map { .signal($0) }
        case "observation": return detail(WorkerObservation.self).map { .observation($0) }
        case "usage": return detail(UsageSample.self).map { .usage($0) }
        default: return nil
        }
    }

    private func end(of run: RecordedRun, since start: Int64) throws(DatabaseError) -> Recorded<RecordedEnd>? {
        guard let known = try KnownRuns(database).knownRun(run.number)?.end else { return nil }
        let statement = try database.prepare(
            """
            SELECT wall, monotonic, clock, progress, progress_monotonic, advance_monotonic, serial
            FROM ends WHERE number = ?
            """
        )
        try statement.start([.integer(run.number)])
        defer { statement.end() }
        guard try statement.step() else { return nil }
        let monotonic = statement.integer(1) ?? 0
        let end = RecordedEnd(
            outcome: known.outcome,
            account: known.account,
            progress: statement.decoded(ProgressReport.self, 3),
            progressAge: statement.integer(4).map { Self.span(monotonic - $0) },
            advanceAge: statement.integer(5).map { Self.span(monotonic - $0) },
            clock: statement.text(2).flatMap(LimitClock.init),
            lastSerial: UInt64(clamping: statement.integer(6) ?? 0)
        )
        return Recorded(
            time: Self.timestamp(statement.integer(0)),
            after: Self.span(monotonic - start),
            event: end
        )
    }

    private func exit(of run: RecordedRun, since start: Int64) throws(DatabaseError) -> Recorded<WorkerExit>? {
        let statement = try database.prepare(
            "SELECT wall, monotonic, exceeded, leftovers, late_result FROM departures WHERE number = ?"
        )
        try statement.start([.integer(run.number)])
        defer { statement.end() }
        guard try statement.step() else { return nil }
        let exit = WorkerExit(
            processEnd: run.processEnd,
            exceeded: statement.text(2).flatMap(SandboxLimit.init),
            leftoverProcessCount: Int(statement.integer(3) ?? 0),
            hadLateResult: statement.integer(4) == 1,
            usage: run.usage
        )
        return Recorded(
            time: Self.timestamp(statement.integer(0)),
            after: Self.span((statement.integer(1) ?? 0) - start),
            event: exit
        )
    }
}
