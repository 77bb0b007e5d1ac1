/// The tables of a history, and the migrations between its formats.
///
/// All tables except `boots`, `hours`, `stored` and `decisions` use the run's number as their key. The number increases with every run and is
/// never reused. A time has three columns, in nanoseconds: `wall` (CLOCK_REALTIME, for display), `monotonic` and
/// `boottime`. `monotonic` and `boottime` are relative to the boot that the run's row refers to. Rows are not changed
/// after they are written, except for the `dropped` column of `output` and the rows of `hours`, `stored`
/// and `decisions`.
package enum Schema {
    /// The `PRAGMA application_id` of a history, which is "intd" in ASCII.
    static let applicationID: Int64 = 0x696e_7464

    /// The `PRAGMA user_version` of a file to which all ``migrations`` were applied.
    static var version: Int64 { Int64(migrations.count) }

    /// The `id` in `boots` for imported runs. The monotonic times of these runs are relative to 1970.
    static let importedBoot = "imported"

    /// The period of time that one row of `hours` covers.
    static let nanosecondsPerHour: Int64 = 3_600_000_000_000

    /// The SQL of the migrations. The migration at index 0 creates the tables in an empty file. The migration at index
    /// N converts a file from format N to format N + 1.
    package static let migrations = [
        """
        CREATE TABLE boots (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);

        -- A run as it was accepted.
        CREATE TABLE runs (
            number INTEGER PRIMARY KEY,
            run TEXT NOT NULL UNIQUE,
            boot INTEGER NOT NULL REFERENCES boots,
            wall INTEGER NOT NULL, monotonic INTEGER NOT NULL, boottime INTEGER NOT NULL,
            -- The account is the name of the uid when the run was requested. If the uid was reassigned, the name
            -- distinguishes the callers. Empty if the uid had no name.
            uid INTEGER NOT NULL, account TEXT NOT NULL DEFAULT '',
            agent INTEGER,              -- the uid of the agent that requested the run for the caller
            approval INTEGER,           -- 1: a person must approve the run before it starts
            pid INTEGER NOT NULL, client TEXT NOT NULL, door TEXT NOT NULL,
            request TEXT NOT NULL, key TEXT, retry_of TEXT, traceparent TEXT,
            app TEXT NOT NULL, intent TEXT NOT NULL, traits INTEGER NOT NULL,
            runtime_ms INTEGER NOT NULL, ceiling_ms INTEGER NOT NULL, long_ceiling_ms INTEGER NOT NULL,
            grace_ms INTEGER NOT NULL, grace_cancellable_ms INTEGER NOT NULL, kill_delay_ms INTEGER NOT NULL,
            question_ms INTEGER NOT NULL, queue_ms INTEGER NOT NULL,
            ceiling_requested INTEGER,  -- 1: the caller requested the ceiling
            locale TEXT, disconnect TEXT NOT NULL DEFAULT 'cancel',     -- cancel, keep
            file_count INTEGER NOT NULL,
            query TEXT,                 -- the parameter of a query for options
            secrets TEXT NOT NULL,      -- names of parameters, a JSON array
            parameters TEXT NOT NULL    -- a JSON object
        );
        CREATE UNIQUE INDEX runs_by_request ON runs (uid, account, request);
        CREATE UNIQUE INDEX runs_by_key ON runs (uid, account, app, intent, key) WHERE key IS NOT NULL;
        -- The runs of the steps of shortcuts, by the shortcut's run.
        CREATE INDEX runs_by_shortcut ON runs (key) WHERE key >= 'shortcut:' AND key < 'shortcut;';
        -- Pages of history use this index to skip runs of other users.
        CREATE INDEX runs_by_user ON runs (uid);

        -- Bounds for the numbers of the runs that were accepted in an hour of `wall`. The numbers do not increase with
        -- `wall` when the clock is set back. Pages with a time condition skip the runs outside the bounds.
        CREATE TABLE hours (hour INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL);
        CREATE TRIGGER runs_in_hours AFTER INSERT ON runs BEGIN
            INSERT INTO hours VALUES (new.wall / \(nanosecondsPerHour), new.number, new.number)
            ON CONFLICT (hour) DO UPDATE SET last = excluded.last;
        END;

        -- The changes of a run until its end.
        CREATE TABLE changes (
            number INTEGER NOT NULL, serial INTEGER NOT NULL,
            wall INTEGER NOT NULL, monotonic INTEGER NOT NULL, boottime INTEGER NOT NULL,
            kind TEXT NOT NULL,         -- state, question, answer, cancel, signal, observation, usage
            word TEXT,                  -- the state, the signal
            detail TEXT,                -- a JSON object, by kind
            PRIMARY KEY (number, serial)
        ) WITHOUT ROWID;

        -- The outcome. A run without a row here has not ended, or no supervisor received its end.
        CREATE TABLE ends (
            number INTEGER PRIMARY KEY,
            wall INTEGER NOT NULL, monotonic INTEGER NOT NULL, boottime INTEGER NOT NULL,
            kind TEXT NOT NULL,         -- done, failed, cancelled and so on
            reason TEXT, clock TEXT, grade TEXT,
            runtime_ms INTEGER NOT NULL, serial INTEGER NOT NULL,
            progress TEXT, progress_monotonic INTEGER, advance_monotonic INTEGER,
            outcome TEXT NOT NULL,      -- a JSON object, with the value
            details TEXT,               -- a JSON object: the parts of the result other than the value
            size INTEGER NOT NULL DEFAULT 0     -- the approximate size of the run's rows, in bytes
        );
        -- Pages of history use this index to skip successful runs.
        CREATE INDEX ends_unsuccessful ON ends (number) WHERE kind <> 'done';

        -- The exit status, as the kernel reported it once all processes of the run had exited.
        CREATE TABLE departures (
            number INTEGER PRIMARY KEY,
            wall INTEGER NOT NULL, monotonic INTEGER NOT NULL, boottime INTEGER NOT NULL,
            exit_code INTEGER, exit_signal INTEGER, exceeded TEXT, leftovers INTEGER NOT NULL,
            late_result INTEGER NOT NULL,
            user_us INTEGER, system_us INTEGER, peak_memory INTEGER
        );

        -- The output of a run, in pieces of whole lines.
        CREATE TABLE output (
            number INTEGER NOT NULL, serial INTEGER NOT NULL,
            wall INTEGER NOT NULL, stream TEXT NOT NULL, text TEXT NOT NULL,
            dropped INTEGER NOT NULL,   -- bytes left out before this piece
            PRIMARY KEY (number, serial)
        );

        -- The state of the notifications: counted failures, and what is not delivered.
        CREATE TABLE stored (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        """,
        """
        -- The last decision in each user's chain of decisions (DecisionLink). It remains when the decision's run is removed.
        CREATE TABLE decisions (
            uid INTEGER NOT NULL, account TEXT NOT NULL, last INTEGER NOT NULL, hash TEXT NOT NULL,
            PRIMARY KEY (uid, account)
        ) WITHOUT ROWID;
        """,
    ]
}
