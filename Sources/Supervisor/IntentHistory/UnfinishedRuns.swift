import IntentLauncherMessages

/// The statement that reads the runs for which the worker's exit status is not recorded.
struct UnfinishedRuns {
    private let rows: Statement
    private let known: KnownRuns
    private let bootID: String

    /// An unfinished run, and the state that the writer needs to continue its record.
    struct Row {
        var number: Int64
        var lastChange: Int64
        var output: OutputQuota
        var description: UnfinishedRun
    }

    init(_ database: Database, bootID: String) throws(DatabaseError) {
        self.bootID = bootID
        known = try KnownRuns(database)
        rows = try database.prepare(
            """
            SELECT r.number, r.run, b.id, r.monotonic, r.boottime,
                r.uid, r.pid, r.client, r.door, r.request, r.key, r.retry_of, r.traceparent, r.app, r.intent, r.traits,
                r.runtime_ms, r.ceiling_ms, r.long_ceiling_ms, r.grace_ms, r.grace_cancellable_ms, r.kill_delay_ms,
                r.question_ms, r.queue_ms, r.file_count, r.query, r.secrets, r.parameters, r.locale, r.disconnect,
                (SELECT max(serial) FROM changes c WHERE c.number = r.number),
                (SELECT max(serial) FROM output o WHERE o.number = r.number),
                (SELECT word FROM changes c WHERE c.number = r.number AND kind = 'state' ORDER BY serial DESC LIMIT 1),
                (SELECT detail FROM changes c WHERE c.number = r.number AND kind = 'state' AND word = 'starting'
                    ORDER BY serial DESC LIMIT 1),
                (SELECT detail FROM changes c WHERE c.number = r.number AND kind = 'state' AND word = 'stopping'
                    ORDER BY serial DESC LIMIT 1),
                EXISTS (SELECT 1 FROM changes c WHERE c.number = r.number AND kind = 'cancel'),
                (SELECT detail FROM changes c WHERE c.number = r.number AND kind = 'answer'
                    ORDER BY serial DESC LIMIT 1),
                r.account, r.agent, r.approval, r.ceiling_requested
            FROM runs r JOIN boots b ON b.number = r.boot
            WHERE NOT EXISTS (SELECT 1 FROM departures d WHERE d.number = r.number) ORDER BY r.number
            """
        )
    }

    /// Returns the unfinished runs, oldest first.
    func all() throws(DatabaseError) -> [Row] {
        var found: [Row] = []
        try rows.start([])
        defer { rows.end() }
        while try rows.step() {
            guard let number = rows.integer(0), let run = rows.text(1).flatMap({ RunID($0) }), let accepted = accepted
            else { continue }
            var output = OutputQuota()
            output.resume(after: rows.integer(31) ?? 0)
            var stopReason = rows.decoded(StateDetail.self, 34)?.reason
            if stopReason == nil, rows.integer(35) == 1 { stopReason = .userCancelled }
            found.append(
                Row(
                    number: number,
                    lastChange: rows.integer(30) ?? 0,
                    output: output,
                    description: UnfinishedRun(
                        run: run,
                        accepted: accepted,
                        isOfThisBoot: rows.text(2) == bootID,
                        acceptedMonotonic: rows.integer(3) ?? 0,
                        acceptedBoottime: rows.integer(4) ?? 0,
                        state: rows.text(32).flatMap(RunState.init) ?? .queued,
                        stopReason: stopReason,
                        // Ignore the recorded slot of a run that has returned to the backlog, because that slot was
                        // released.
                        slot: rows.text(32) == RunState.queued.rawValue
                            ? nil : rows.decoded(StateDetail.self, 33)?.slot,
                        lastAnswer: rows.decoded(RecordedAnswer.self, 36),
                        end: try known.knownRun(number)?.end
                    )
                )
            )
        }
        return found
    }

    // MARK: Private

    /// The accepted run in the current row; nil if the row is invalid.
    private var accepted: AcceptedRun? {
        guard let request = rows.text(9).flatMap({ RequestID($0) }), let app = rows.text(13).flatMap({ AppName($0) })
        else { return nil }
        var caller = CallerProcess(
            .local(user: UInt32(truncatingIfNeeded: rows.integer(5) ?? 0), account: rows.text(37) ?? ""),
            process: Int32(truncatingIfNeeded: rows.integer(6) ?? 0),
            software: rows.text(7) ?? ""
        )
        caller.agent = rows.integer(38).map { UInt32(truncatingIfNeeded: $0) }
        var accepted = AcceptedRun(
            caller: caller,
            entryPoint: rows.text(8).flatMap(EntryPoint.init) ?? .socket,
            request: request,
            key: rows.text(10),
            retryOf: rows.text(11).flatMap { RunID($0) },
            traceparent: rows.text(12),
            app: app,
            intent: rows.text(14) ?? "",
            traits: IntentTraits(rawValue: Int(rows.integer(15) ?? 0)),
            values: RunValues(rows.decoded([String: IntentValue].self, 27) ?? [:]),
            secretNames: rows.decoded([String].self, 26) ?? [],
            fileCount: Int(rows.integer(24) ?? 0),
            query: rows.text(25),
            locale: rows.text(28),
            onDisconnect: rows.text(29).flatMap(DisconnectRule.init) ?? .cancel,
            limits: rows.limits(from: 16, isCeilingRequested: 40)
        )
        accepted.needsApproval = (rows.integer(39) == 1).trueOrNil
        return accepted
    }
}
