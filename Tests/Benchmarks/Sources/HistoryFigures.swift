import Glibc

/// What being on record costs a run: by durability, and with many runs on record before it.
enum HistoryFigures {
    private static let runCount = 100_000

    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let process = try BenchmarkDaemon(workbench.programs, apps: [.plain], history: ["Durability=process"])
        let power = try BenchmarkDaemon(workbench.programs, apps: [.plain], history: ["Durability=power"])
        let old = try BenchmarkDaemon(workbench.programs, apps: [.plain], history: ["Durability=process"])
        var samples = [Samples(), Samples(), Samples()]
        var clients: [(client: DaemonConnection, wish: PreparedPerform)] = []
        for daemon in [process, power, old] {
            clients.append((try daemon.connect(), try PreparedPerform.trivial(app: "Plain")))
            _ = try SubmitFigures.calls(50, &clients[clients.count - 1].wish, on: clients[clients.count - 1].client)
        }
        try fill(old)
        for index in clients.indices {
            _ = try SubmitFigures.calls(50, &clients[index].wish, on: clients[index].client)
        }
        var trips = Samples()
        // In turns, since a machine is never the same for long.
        for _ in 0..<options.count(20, quick: 6) {
            for index in clients.indices {
                samples[index] += try SubmitFigures.calls(50, &clients[index].wish, on: clients[index].client)
            }
            trips += try workbench.floor.roundTrips(50)
        }
        let floors = [Comparison("socket", trips)]
        var ratio: Double?
        if let above = samples[2].summary, let below = samples[0].summary { ratio = above.p50 / below.p50 }
        return [
            Figure("history", "submit → result, Durability=process", .milliseconds, samples[0]).beside(floors),
            Figure("history", "submit → result, Durability=power", .milliseconds, samples[1]).beside(floors),
            Figure("history", "submit → result, 100,000 runs on record", .milliseconds, samples[2]).beside(floors),
            Figure("history", "the third over the first", .ratio, value: ratio, goals: [.atMost(.p50, 1.3)]),
        ]
    }

    /// Puts runs into the history of an idle daemon, as if they had been.
    private static func fill(_ daemon: BenchmarkDaemon) throws {
        let sql = """
            PRAGMA busy_timeout = 10000;
            BEGIN IMMEDIATE;
            CREATE TEMP TABLE first AS SELECT max(number) AS number FROM runs;
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(runCount))
            INSERT INTO runs (number, run, boot, wall, monotonic, boottime, uid, pid, client, door, request, key, retry_of,
                traceparent, app, intent, traits, runtime_ms, ceiling_ms, long_ceiling_ms, grace_ms, grace_cancellable_ms,
                kill_delay_ms, question_ms, queue_ms, file_count, query, secrets, parameters)
            SELECT first.number + i, lower(hex(randomblob(5))), boot, wall, monotonic, boottime, uid, pid,
                client, door, lower(hex(randomblob(16))), NULL, NULL, NULL, app, intent, traits, runtime_ms, ceiling_ms,
                long_ceiling_ms, grace_ms, grace_cancellable_ms, kill_delay_ms, question_ms, queue_ms, file_count, query,
                secrets, parameters
            FROM n, first JOIN runs r ON r.number = first.number;
            INSERT INTO changes SELECT r.number, c.serial, c.wall, c.monotonic, c.boottime, c.kind, c.word, c.detail
                FROM runs r, first JOIN changes c ON c.number = first.number WHERE r.number > first.number;
            INSERT INTO ends SELECT r.number, e.wall, e.monotonic, e.boottime, e.kind, e.reason, e.clock, e.grade,
                e.runtime_ms, e.serial, e.progress, e.progress_monotonic, e.advance_monotonic, e.outcome, e.details
                FROM runs r, first JOIN ends e ON e.number = first.number WHERE r.number > first.number;
            COMMIT;
            """
        try daemon.folder.write([sql], to: "fill.sql")
        let path = daemon.folder.path
        guard system("sqlite3 -bail '\(path)/state/history.sqlite' < '\(path)/fill.sql' > /dev/null") == 0 else {
            throw BenchmarkError("sqlite3 cannot fill the history; is it installed?")
        }
    }
}
