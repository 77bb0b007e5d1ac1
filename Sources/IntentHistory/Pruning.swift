import IntentLinux
import IntentWire

/// The removal of records and files that have expired according to a rule. It proceeds in small steps, so that no
/// client has to wait.
struct Pruning {
    /// The pause between two steps.
    static let pauseMilliseconds: Int32 = 20
    /// The pause between two regular passes.
    private static let passMilliseconds: Int64 = 600_000
    private static let runsPerStep = 100
    /// The minimum age of files that are removed. Younger files may not yet have been written completely or sent to
    /// their owner.
    private static let minimumAgeNanoseconds: Int64 = 60_000_000_000

    /// The configured rule.
    var retention: Retention
    /// The folder with the result files; nil until the supervisor has set it.
    var files: KeptFiles?
    /// The time of the next regular pass, in milliseconds on CLOCK_MONOTONIC.
    private var nextPass: Int64
    /// The clients' requests, each with its rule; nil for the configured rule.
    private var requests: [(id: UInt64, retention: Retention?)] = []
    private var pass: Pass?

    /// A pass over all runs and files.
    private struct Pass {
        /// The disk usage of all result files. Measured only if the rule has a maximum size; otherwise 0.
        var fileByteCount: Int64 = 0
        /// The run folders that this pass has not checked yet.
        var folders: [String]
        var removedCount = 0
    }

    init(_ retention: Retention) {
        self.retention = retention
        // Do not start a pass in the first minute, when clients wait for the daemon to start.
        nextPass = ClockReading.monotonicNanoseconds() / 1_000_000 + 60_000
    }

    var isInProgress: Bool { pass != nil || !requests.isEmpty }

    var millisecondsToNextPass: Int32 {
        Int32(clamping: max(0, nextPass - ClockReading.monotonicNanoseconds() / 1_000_000) + 1)
    }

    /// Requests an immediate pass with a rule.
    ///
    /// - Parameter retention: The rule; nil for the configured rule.
    mutating func request(_ retention: Retention?, id: UInt64) {
        // Abort a regular pass. The next pass applies the requested rule.
        if requests.isEmpty { pass = nil }
        requests.append((id, retention))
    }

    /// Aborts the current pass, and waits for the next regular pass.
    ///
    /// - Returns: The ids of the requests that are dropped.
    mutating func postpone() -> [UInt64] {
        nextPass = ClockReading.monotonicNanoseconds() / 1_000_000 + Self.passMilliseconds
        pass = nil
        defer { requests = [] }
        return requests.map(\.id)
    }

    /// Performs one small step if one is due.
    ///
    /// - Returns: The id of a request and the number of removed runs, if the step completed the request.
    mutating func step(on database: Database) throws(DatabaseError) -> (id: UInt64, runCount: Int)? {
        let rule = requests.first.map { $0.retention ?? retention } ?? retention
        if pass == nil {
            let isTime = ClockReading.monotonicNanoseconds() / 1_000_000 >= nextPass
            guard isTime || !requests.isEmpty else { return nil }
            pass = Pass(folders: files?.foldersByAge() ?? [])
            if rule.byteCountMax != nil { pass?.fileByteCount = files?.byteCount() ?? 0 }
        }
        if try removeSome(rule, from: database) { return nil }
        // All expired records are removed. Return the remaining free space to the disk.
        if try (database.integer("PRAGMA freelist_count") ?? 0) > 0 {
            try database.execute("PRAGMA incremental_vacuum(512)")
            if try (database.integer("PRAGMA freelist_count") ?? 0) > 0 { return nil }
        }
        defer { pass = nil }
        guard !requests.isEmpty else {
            nextPass = ClockReading.monotonicNanoseconds() / 1_000_000 + Self.passMilliseconds
            return nil
        }
        return (requests.removeFirst().id, pass?.removedCount ?? 0)
    }

    // MARK: Private

    /// Removes some runs, the output of some runs, or the files of some runs. Returns false if nothing is left to
    /// remove.
    private mutating func removeSome(_ rule: Retention, from database: Database) throws(DatabaseError) -> Bool {
        let now = ClockReading.realtimeNanoseconds()
        var runs: [String] = []
        var outputCount = 0
        try database.execute("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            runs = try Self.removeRuns(from: database, rule, now)
            if runs.isEmpty { outputCount = try Self.removeOutput(from: database, rule, now) }
            try database.execute("COMMIT")
            // Return the freed space to the disk, a few pages at a time.
            if runs.count + outputCount > 0 { try database.execute("PRAGMA incremental_vacuum(512)") }
        } catch {
            if database.isInTransaction { try? database.execute("ROLLBACK") }
            throw error
        }
        // Remove the files after the records. Files that remain after a crash are removed later because of their age.
        for run in runs { pass?.fileByteCount -= files?.remove(run) ?? 0 }
        pass?.removedCount += runs.count
        return runs.count + outputCount > 0 ? true : try removeFiles(rule, now, besides: Self.size(of: database))
    }

    /// Removes files that are too old. If the database and all files together are too large, also removes the oldest
    /// files, but keeps the records of their runs.
    private mutating func removeFiles(
        _ rule: Retention,
        _ now: Int64,
        besides byteCount: Int64
    ) throws(DatabaseError) -> Bool {
        guard let files, let folders = pass?.folders, !folders.isEmpty else { return false }
        let age = rule.keepFiles.map { max(Self.nanoseconds($0), Self.minimumAgeNanoseconds) }
        for folder in folders.prefix(Self.runsPerStep) {
            guard let changed = files.changedNanoseconds(folder), changed < now - Self.minimumAgeNanoseconds else {
                continue
            }
            let isTooMuch = rule.byteCountMax.map { byteCount + (pass?.fileByteCount ?? 0) > $0 } ?? false
            if isTooMuch || age.map({ changed < now - $0 }) ?? false { pass?.fileByteCount -= files.remove(folder) }
        }
        pass?.folders = Array(folders.dropFirst(Self.runsPerStep))
        return true
    }

    /// Removes some expired runs. The newest run is always kept, because the number of the next run depends on it.
    ///
    /// - Returns: The identifiers of the removed runs.
    private static func removeRuns(
        from database: Database,
        _ rule: Retention,
        _ now: Int64
    ) throws(DatabaseError) -> [String] {
        var limits: [String] = []
        if let keep = rule.keep { limits.append("e.wall < \(now - nanoseconds(keep))") }
        if let count = rule.runCountMax {
            let excess = try (database.integer("SELECT count(*) FROM ends") ?? 0) - count
            if excess > 0 { limits.append("e.number IN (SELECT number FROM ends ORDER BY number LIMIT \(excess))") }
        }
        if let bytes = rule.byteCountMax, try size(of: database) > bytes { limits.append("true") }
        guard !limits.isEmpty else { return [] }
        let statement = try database.prepare(
            """
            SELECT e.number, r.run FROM ends e JOIN runs r USING (number)
            WHERE (\(limits.joined(separator: " OR "))) AND e.number < (SELECT max(number) FROM runs)
            ORDER BY e.number LIMIT \(runsPerStep)
            """
        )
        var numbers: [String] = []
        var runs: [String] = []
        while try statement.step() {
            guard let number = statement.integer(0), let run = statement.text(1) else { continue }
            numbers.append(String(number))
            runs.append(run)
        }
        guard !numbers.isEmpty else { return [] }
        let list = numbers.joined(separator: ",")
        for table in ["output", "changes", "departures", "ends", "runs"] {
            try database.execute("DELETE FROM \(table) WHERE number IN (\(list))")
        }
        try database.execute("DELETE FROM hours WHERE last < (SELECT min(number) FROM runs)")
        return runs
    }

    private static func removeOutput(
        from database: Database,
        _ rule: Retention,
        _ now: Int64
    ) throws(DatabaseError) -> Int {
        guard let keep = rule.keepOutput else { return 0 }
        try database.execute(
            """
            DELETE FROM output WHERE number IN (SELECT DISTINCT o.number FROM output o JOIN ends e USING (number)
                WHERE e.wall < \(now - nanoseconds(keep)) LIMIT \(runsPerStep))
            """
        )
        return database.changeCount
    }

    private static func size(of database: Database) throws(DatabaseError) -> Int64 {
        let pages = try (database.integer("PRAGMA page_count") ?? 0) - (database.integer("PRAGMA freelist_count") ?? 0)
        return pages * (try database.integer("PRAGMA page_size") ?? 4096)
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (product, overflow) = duration.milliseconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? .max : product
    }
}
