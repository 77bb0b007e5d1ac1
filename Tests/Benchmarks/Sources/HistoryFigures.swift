import Glibc

/// The cost of recording a run, by durability and by the size of the history.
enum HistoryFigures {
    private static let runCount = 100_000
    private static let batchCount = 1000

    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let process = try BenchmarkDaemon(workbench.programs, apps: [.plain], history: ["Durability=process"])
        let power = try BenchmarkDaemon(workbench.programs, apps: [.plain], history: ["Durability=power"])
        let old = try BenchmarkDaemon(workbench.programs, apps: [.plain], history: ["Durability=process"])
        var samples = [Samples(), Samples(), Samples()]
        var clients: [(client: DaemonConnection, request: PreparedPerform)] = []
        for daemon in [process, power, old] {
            clients.append((try daemon.connect(), try PreparedPerform.trivial(app: "Plain")))
            _ = try SubmitFigures.calls(50, &clients[clients.count - 1].request, on: clients[clients.count - 1].client)
        }
        try fill(old)
        for index in clients.indices {
            _ = try SubmitFigures.calls(50, &clients[index].request, on: clients[index].client)
        }
        var trips = Samples()
        // Alternate between the settings, because the speed of a host changes over minutes.
        for _ in 0..<options.count(20, quick: 6) {
            for index in clients.indices {
                samples[index] += try SubmitFigures.calls(50, &clients[index].request, on: clients[index].client)
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

    /// Puts copies of the newest run into the history of an idle daemon.
    ///
    /// Uses small transactions, because one of 100,000 runs would lock the database for longer than intentd waits.
    private static func fill(_ daemon: BenchmarkDaemon) throws {
        let batches = stride(from: 1, through: runCount, by: batchCount).map { first in
            copies(numbered: first...min(first + batchCount - 1, runCount))
        }
        let begin = """
            PRAGMA busy_timeout = 10000;
            CREATE TEMP TABLE first AS SELECT max(number) AS number FROM runs;
            """
        try daemon.folder.write([begin] + batches, to: "fill.sql")
        let path = daemon.folder.path
        // With Durability=process a run is recorded a moment after its end. If that happened during the fill, the run
        // would get the number of a copy.
        let count = "sqlite3 '\(path)/state/history.sqlite' 'SELECT count(*) FROM ends'"
        guard system("timeout 30 sh -c \"until \(count) | grep -qx 50; do sleep 0.1; done\"") == 0
        else { throw BenchmarkError("the runs before the fill were not recorded within 30 s") }
        guard system("sqlite3 -bail '\(path)/state/history.sqlite' < '\(path)/fill.sql' > /dev/null") == 0 else {
            throw BenchmarkError("sqlite3 cannot fill the history; is it installed?")
        }
    }

    /// Returns a transaction that adds copies of the run in the table `first`, numbered relative to it.
    private static func copies(numbered numbers: ClosedRange<Int>) -> String {
        let (low, high) = (numbers.lowerBound, numbers.upperBound)
        return """
            BEGIN IMMEDIATE;
            WITH RECURSIVE n (i) AS (SELECT \(low) UNION ALL SELECT i + 1 FROM n WHERE i < \(high))
            INSERT INTO runs (number, run, boot, wall, monotonic, boottime, uid, pid, client, door, request, key, retry_of,
                traceparent, app, intent, traits, runtime_ms, ceiling_ms, long_ceiling_ms, grace_ms, grace_cancellable_ms,
                kill_delay_ms, question_ms, queue_ms, file_count, query, secrets, parameters)
            SELECT first.number + i, lower(hex(randomblob(5))), boot, wall, monotonic, boottime, uid, pid,
                client, door, lower(hex(randomblob(16))), NULL, NULL, NULL, app, intent, traits, runtime_ms, ceiling_ms,
                long_ceiling_ms, grace_ms, grace_cancellable_ms, kill_delay_ms, question_ms, queue_ms, file_count, query,
                secrets, parameters
            FROM n, first JOIN runs r ON r.number = first.number;
            INSERT INTO changes SELECT first.number + i, c.serial, c.wall, c.monotonic, c.boottime, c.kind, c.word, c.detail
                FROM (WITH RECURSIVE n (i) AS (SELECT \(low) UNION ALL SELECT i + 1 FROM n WHERE i < \(high)) SELECT i FROM n),
                first JOIN changes c ON c.number = first.number;
            INSERT INTO ends SELECT first.number + i, e.wall, e.monotonic, e.boottime, e.kind, e.reason, e.clock, e.grade,
                e.runtime_ms, e.serial, e.progress, e.progress_monotonic, e.advance_monotonic, e.outcome, e.details, e.size
                FROM (WITH RECURSIVE n (i) AS (SELECT \(low) UNION ALL SELECT i + 1 FROM n WHERE i < \(high)) SELECT i FROM n),
                first JOIN ends e ON e.number = first.number;
            COMMIT;
            """
    }
}
