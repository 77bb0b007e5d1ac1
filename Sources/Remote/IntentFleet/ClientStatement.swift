package import IntentProtocol

/// A statement for a local user. The host's role in the database may act for the users of its realm, so each statement
/// names the owner. The database refuses other owners.
package enum ClientStatement: Sendable, Equatable {
    /// Lists the descriptions of the fleet's apps, or only of the app with this name.
    case apps(named: String?)
    /// Submits a run. The statement can be repeated: a repeated key returns the first run that was submitted with it.
    /// The commit does not wait for the disk, so the run is accepted only when a later ``flush`` has been answered.
    /// `spool` is the name under which this host stores the run's files; nil if the run receives none.
    case submit(owner: String, key: String, intent: String, FleetArguments, spool: String?)
    /// Lists the names under which this host stores the files of runs that have not ended.
    case spools
    /// Lists the owner's runs that have not ended.
    case live(owner: String)
    /// Finds runs by number, whether live or ended.
    case runs([Int64])
    /// Lists the owner's runs, newest first.
    case history(owner: String, HistoryQuery, count: Int)
    /// Cancels a run. The commit waits for the disk if the run was queued, because the run has then ended. If the run
    /// is running, the cancellation is on the disk when a later ``flush`` has been answered.
    case cancel(run: Int64, reason: String)
    case answer(run: Int64, question: UInt64?, IntentValue)
    case retry(run: Int64)
    /// Submits a run that undoes an ended run, on the host that performed it.
    case undo(run: Int64)
    /// Queries the statistics of the server and the fleet (``FleetHealth``).
    case health
    /// Lists the hosts of the fleet, sorted by name (``FleetHost``).
    case hosts
    /// Notifies the host that holds a changed run, so that it queries the database before its next poll. An empty name
    /// notifies every host.
    case hint(host: String)
    /// Waits until all earlier commits are on the disk, and on a synchronous standby.
    case flush

    /// The statement, plus a notification to every host in the same transaction. Only for a submission, because its
    /// commit does not wait for the disk: a transaction with a notification holds a server-wide lock until it commits.
    package var sqlWithHint: SQLStatement {
        var statement = sql
        statement.text = statement.text.replacing(
            utf8: "cross join lateral",
            with: "cross join pg_notify('fleet_hint', '') cross join lateral"
        )
        return statement
    }

    /// For a submission without files, the statement that also assigns the run to the calling host, if possible. Its
    /// commit waits for the disk. Otherwise nil.
    ///
    /// - Parameter epoch: The epoch of the calling host.
    package func sqlHere(epoch: String) -> SQLStatement? {
        guard case .submit(let owner, let key, let intent, let arguments, nil) = self else { return nil }
        return SQLStatement(
            "select * from fleet.submit_here($1, $2, $3, $4::jsonb, $5)",
            [owner, key, intent, arguments.json, epoch]
        )
    }

    /// The intent of a submission, as `APP/INTENT`; otherwise nil.
    package var intent: String? {
        if case .submit(_, _, let intent, _, _) = self { intent } else { nil }
    }

    private static let liveTable = "fleet.run r left join fleet.progress p on p.run = r.id and p.attempt = r.attempt"

    package var sql: SQLStatement {
        switch self {
        case .apps(let name):
            SQLStatement(
                "select distinct on (name) description from fleet.app where $1::text is null or name = $1 order by name, node",
                [name]
            )
        case .submit(let owner, let key, let intent, let arguments, let spool?):
            SQLStatement(
                """
                select s.* from set_config('synchronous_commit', 'off', true) \
                cross join lateral fleet.submit_with_files($1, $2, $3, $4::jsonb, $5) s
                """,
                [owner, key, intent, arguments.json, spool]
            )
        case .spools: SQLStatement("select * from fleet.spools()")
        case .submit(let owner, let key, let intent, let arguments, nil):
            SQLStatement(
                """
                select s.* from set_config('synchronous_commit', 'off', true) \
                cross join lateral fleet.submit($1, $2, $3, $4::jsonb) s
                """,
                [owner, key, intent, arguments.json]
            )
        case .live(let owner):
            SQLStatement(
                "select \(FleetRecord.liveColumns) from \(Self.liveTable) where r.owner = $1 order by r.id limit 1000",
                [owner]
            )
        // The subqueries hide the number of runs from the planner. It would otherwise plan each statement again, which
        // takes longer than the statement.
        case .runs(let runs):
            SQLStatement(
                """
                select \(FleetRecord.liveColumns) from \(Self.liveTable) \
                where r.id = any ((select $1::bigint[])::bigint[]) \
                union all select \(FleetRecord.endedColumns) from fleet.history h \
                where h.id = any ((select $1::bigint[])::bigint[])
                """,
                ["{\(runs.map { "\($0)" }.joined(separator: ","))}"]
            )
        case .history(let owner, let query, let count): Self.history(owner, query, count)
        case .cancel(let run, let reason):
            SQLStatement(
                """
                select c.* from fleet.cancel($1::bigint, $2) c where set_config('synchronous_commit', \
                case c.o_verdict when 'requested' then 'off' else current_setting('synchronous_commit') end, true) is not null
                """,
                ["\(run)", reason]
            )
        case .answer(let run, let question, let value):
            SQLStatement(
                "select fleet.answer($1::bigint, $2::bigint, $3::jsonb)",
                [
                    "\(run)", question.map { "\($0)" },
                    "\(WireCoding.text([value]).dropFirst(scalars: 1).dropLast(scalars: 1))",
                ]
            )
        case .undo(let run): SQLStatement("select * from fleet.undo($1::bigint)", ["\(run)"])
        case .retry(let run): SQLStatement("select * from fleet.retry($1::bigint)", ["\(run)"])
        case .health: SQLStatement("select * from fleet.health()")
        case .hosts: SQLStatement("select * from fleet.hosts() limit \(FleetHost.countLimit)")
        case .hint(let host): SQLStatement("select pg_notify('fleet_hint', $1)", [host])
        // A commit waits for the disk only if its transaction has written to the WAL.
        case .flush: SQLStatement("select pg_logical_emit_message(true, $1, '')", ["fleet"])
        }
    }

    /// Returns the statement for the runs that match a query. The statement checks only the conditions that the
    /// database can check.
    private static func history(_ owner: String, _ query: HistoryQuery, _ count: Int) -> SQLStatement {
        func condition(_ table: String, _ states: String) -> String {
            """
            where \(table).owner = $1 and ($2::bigint is null or \(table).id < $2::bigint) \
            and ($3::text is null or split_part(\(table).intent, '/', 1) = $3) \
            and ($4::text is null or split_part(\(table).intent, '/', 2) in ($4, $4 || 'Intent')) \
            and ($5::float8 is null or \(table).submitted >= to_timestamp($5::float8 / 1000)) \
            and ($6::float8 is null or \(table).submitted < to_timestamp($6::float8 / 1000)) \
            and ($7::text is null or \(states)) order by \(table).id desc limit \(count)
            """
        }
        let kind =
            "coalesce(h.result #>> '{outcome,kind}', case when h.reason = 'hostLost' then 'hostLost' else h.state end)"
        return SQLStatement(
            """
            select * from (\
            (select \(FleetRecord.liveColumns) from \(liveTable) \(condition("r", "$7 in (r.state, 'live')"))) \
            union all (select \(FleetRecord.endedColumns) from fleet.history h \(condition("h", "$7 in (\(kind), 'ended')")))\
            ) x (id) order by x.id desc limit \(count)
            """,
            [
                owner, query.before.map { "\($0)" }, query.app, query.intent,
                query.since.map { "\($0.millisecondsSince1970)" }, query.until.map { "\($0.millisecondsSince1970)" },
                query.state,
            ]
        )
    }
}
